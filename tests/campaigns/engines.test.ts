// The fast engine against the interpreter on more than 20,000 random programs over all ops, feature sizes, numbers of tasks,
// losses and both layouts, in f64; and on half as many in f32.
import { describe, it } from 'vitest';
import { interpreter, interpreterF32 } from '../../src/engine/interpreter.js';
import { wasmEngine } from '../../src/engine/wasm/engine.js';
import { compareEngines } from '../support/differential.js';

/** Programs at each feature size, for each number of tasks. */
const RUNS: readonly (readonly [features: number, runs: number])[] = [
  [2, 820],
  [3, 820],
  [4, 820],
  [5, 820],
  [8, 800],
  [16, 500],
  [31, 200],
  [32, 200],
  // Rows that are gone through in a loop, with a rest of registers and a rest of lanes.
  [37, 100],
  [45, 60],
  [64, 120],
  [67, 40],
  [131, 9],
];
const TASK_COUNTS = [1, 2, 3, 10];

const F64 = [interpreter, wasmEngine('f64', 'lanes'), wasmEngine('f64', 'dense')];
const F32 = [interpreterF32, wasmEngine('f32', 'lanes'), wasmEngine('f32', 'dense')];

describe.each(RUNS)('at %i features', (features, runs) => {
  it.each(TASK_COUNTS)('on %i tasks, f64 in both layouts is the interpreter, to the bit', (count) => {
    compareEngines(F64, features, count, runs);
  });

  it.each(TASK_COUNTS)('on %i tasks, f32 in both layouts is the f32 interpreter, to the bit', (count) => {
    compareEngines(F32, features, count, runs / 2);
  });
});
