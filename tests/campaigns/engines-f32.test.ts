// The fast engine against the interpreter on more than 10,000 random programs, in f32 over all ops, feature sizes, numbers of tasks,
// losses and both layouts. On failure the seed and a shrunk program are printed.
import { describe, it } from 'vitest';
import { interpreterF32 } from '../../src/engine/interpreter.js';
import { wasmEngine } from '../../src/engine/wasm/engine.js';
import { CAMPAIGN, compareEngines, TASK_COUNTS } from '../support/differential.js';

const ENGINES = [interpreterF32, wasmEngine('f32', 'lanes'), wasmEngine('f32', 'dense')];

describe.each(CAMPAIGN)('at %i features', (features, runs) => {
  it.for(TASK_COUNTS)('on %i tasks, f32 in both layouts is the f32 interpreter, to the bit', (count, { task }) => {
    task.meta.cases = compareEngines(ENGINES, features, count, runs / 2);
  });
});
