import { expect, it } from 'vitest';
import { nearest } from './nearest.js';
import { mean, median, partInterval, quantile, standardDeviation } from './stats.js';

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

it('the interval of a part is that of Wilson', () => {
  // By hand: 8 of 30 has the interval 0.1418 to 0.4445; 90 of 100, as in tables of it.
  const closeTo = (...ends: number[]) => ends.map((end) => expect.closeTo(end, 4));
  expect(partInterval(8, 30)).toEqual(closeTo(0.1418, 0.4445));
  expect(partInterval(90, 100)).toEqual(closeTo(0.8256, 0.9448));
  expect(partInterval(0, 30)).toEqual([0, expect.closeTo(0.1135, 4)]);
  expect(partInterval(30, 30)).toEqual([expect.closeTo(0.8865, 4), 1]);
  expect(partInterval(0, 0)).toEqual([0, 1]);
});
