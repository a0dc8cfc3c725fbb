// Tells searches apart, by their configurations: what islands of one leave must not be taken for that of another. Knows nothing else.
import { createHash } from 'node:crypto';
import type { Config } from '../experiment/config.js';

const known = new WeakMap<Config, string>();

/** The same for the same configuration, which has the name of the experiment too. */
export function identifySearch(config: Config): string {
  const text = known.get(config) ?? createHash('sha256').update(JSON.stringify(config)).digest('hex').slice(0, 32);
  known.set(config, text);
  return text;
}
