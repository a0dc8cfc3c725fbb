import { expect, it } from 'vitest';
import { nearest } from './nearest.js';
import { mean, median, standardDeviation } from './stats.js';

it('summaries', () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(median([5, 1, 9])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBe(2);
});

it('nearest finds typing mistakes and nothing else', () => {
  const names = ['paper/linear', 'paper/affine', 'maximum'];
  expect(nearest('paper/liner', names)).toBe('paper/linear');
  expect(nearest('maximun', names)).toBe('maximum');
  expect(nearest('q', names)).toBeUndefined();
  expect(nearest('x'.repeat(10_000), names)).toBeUndefined();
});
