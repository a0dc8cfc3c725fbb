import { expect, test } from 'vitest';
import { noCounts } from '../evaluate/candidate-evaluator.js';
import { readRecordedResult } from './recorded-result.js';

const RESULT = {
  run: '/runs/a',
  preset: 'linear',
  seed: 1,
  success: true,
  reason: 'fitness',
  searchFitness: 0.9,
  selectFitness: 'NaN',
  finalFitness: null,
  experiments: 1,
  algorithms: 10,
  trainSteps: 100,
  counts: { ...noCounts(), algorithms: 10 },
  rescued: 0,
  program: 'def Setup():',
  simplified: 'def Setup():',
  lineage: [
    { id: 1, fitness: '-Infinity', origin: 'insert', parent: { id: 0, fitness: 0.1, program: '' }, program: '' },
  ],
  seconds: 1,
  cpuSeconds: 2,
};

test('numbers that JSON lacks are read as they are spelled', () => {
  const { selectFitness, lineage, ...rest } = readRecordedResult(RESULT);
  expect(selectFitness).toBeNaN();
  expect(lineage[0]!.fitness).toBe(Number.NEGATIVE_INFINITY);
  const { selectFitness: _, lineage: _lineage, ...others } = RESULT;
  expect(rest).toEqual(others);
});

test.each([
  ['a field that is missing', { cpuSeconds: undefined }, /^cpuSeconds: /],
  ['a text for a number', { algorithms: 'many' }, /^algorithms: /],
  ['a reason that is none', { reason: 'bored' }, /^reason: /],
  ['a step without a program', { lineage: [{ ...RESULT.lineage[0], program: undefined }] }, /^lineage\.0\.program: /],
])('%s is named', (_, change, message) => {
  expect(() => readRecordedResult({ ...RESULT, ...change })).toThrow(message);
});

test('what is no object at all is refused too', () => {
  expect(() => readRecordedResult([])).toThrow(/^it: /);
});
