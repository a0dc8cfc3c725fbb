// The fast engine against the interpreter on more than 20,000 random programs over all ops, feature sizes, numbers of tasks,
// losses and both layouts. On failure the seed and a shrunk program are printed.
import { describe, it } from 'vitest';
import { interpreter } from '../../src/engine/interpreter.js';
import { wasmEngine } from '../../src/engine/wasm/engine.js';
import { CAMPAIGN, compareEngines, TASK_COUNTS } from '../support/differential.js';

const ENGINES = [interpreter, wasmEngine('f64', 'lanes'), wasmEngine('f64', 'dense')];

describe.each(CAMPAIGN)('at %i features', (features, runs) => {
  it.for(TASK_COUNTS)('on %i tasks, f64 in both layouts is the interpreter, to the bit', (count, { task }) => {
    task.meta.cases = compareEngines(ENGINES, features, count, runs);
  });
});
