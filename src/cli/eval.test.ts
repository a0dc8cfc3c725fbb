import { expect, test } from 'vitest';
import { heap } from '../engine/wasm/heap.js';
import { builtin } from '../program/builtin.js';
import { regressionTaskAt } from '../tasks/regression.js';
import { type EvalOptions, score } from './eval.js';

test('every task is made once, in its order, and nothing stays in memory', async () => {
  const size = { features: 4, trainExamples: 20, validExamples: 5 };
  const asked: number[] = [];
  const at = async (index: number) => {
    asked.push(index);
    return regressionTaskAt('affine', size, 1, index);
  };
  const tasks = { loss: 'rms', features: 4, count: 23, trainCount: 20, validCount: 5, at } as const;
  const options: EvalOptions = { tasks: 'affine', count: 23, seed: 1, epochs: 1, precision: 'f64' };
  const used = heap.used;
  const { fitnesses } = await score({ ...builtin('paper/linear')! }, tasks, options);
  expect(asked).toEqual([...asked.keys()]);
  expect(new Set(fitnesses).size).toBe(23);
  expect(heap.used).toBe(used);
});
