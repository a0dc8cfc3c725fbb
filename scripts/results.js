// `npm run results`: docs/results.md from results/*.json, which `evozero reproduce NAME` and `npm run nightly` make. Tests fail if it is
// stale.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'results');

/** What has been found, in the order of the names that are given. */
export function readResults(names) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const all = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  return all.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

export async function writeResults() {
  prepare();
  const { REPRODUCTIONS } = await import('../dist/reproduce/experiments.js');
  const { renderResults } = await import('../dist/reproduce/results-table.js');
  writeFileSync(join(root, 'docs/results.md'), renderResults(readResults(REPRODUCTIONS.map(({ name }) => name))));
  console.error('wrote docs/results.md');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeResults();
