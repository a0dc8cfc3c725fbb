// What tells how the programs of a search are to be read, from its configuration: sizes of memory, and how predictions are judged. Must
// not know pages.
import type { Config } from '../../src/experiment/config.js';
import { lossOfConfig } from '../../src/experiment/config-loss.js';
import type { ProgramContext } from './explained-program.js';

export function contextOf(config: Config): ProgramContext {
  return { memory: config.space.memory, loss: lossOfConfig(config) };
}
