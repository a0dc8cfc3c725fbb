import { expect, it } from 'vitest';
import { nearest } from './nearest.js';
import { mean, median, quantile, standardDeviation } from './stats.js';

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

it('a quantile lies between values, and among infinite ones', () => {
  expect([0, 0.25, 0.5, 0.6, 1].map((part) => quantile([5, 1, 3], part))).toEqual([1, 2, 3, 3.4, 5]);
  const infinite = Number.POSITIVE_INFINITY;
  expect([0.25, 0.5, 1].map((part) => quantile([infinite, 1, infinite, 2, 3], part))).toEqual([2, 3, infinite]);
  expect(quantile([infinite, infinite], 0.5)).toBe(infinite);
});
