import { expect, test } from 'vitest';
import { correctHolm } from './holm.js';

test('the smallest counts as often as there are tests, the next once less, and none is below one before it', () => {
  const corrected = correctHolm([0.04, 0.01, 0.03, 0.005]);
  for (const [k, p] of [0.06, 0.03, 0.06, 0.02].entries()) expect(corrected[k]).toBeCloseTo(p, 12);
});

test('one test needs no correction, and nothing exceeds 1', () => {
  expect(correctHolm([0.2])).toEqual([0.2]);
  expect(correctHolm([0.7, 0.8])).toEqual([1, 1]);
  expect(correctHolm([])).toEqual([]);
});
