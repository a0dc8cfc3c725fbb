import { expect, test } from 'vitest';
import { sparkline } from './sparkline.js';

test('each number has its bar while there is room', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 20)).toBe('▁▂▃▄▅▆▇█');
  expect(sparkline([0.9, 0.9, 0.5], 3)).toBe('██▁');
});

test('of many numbers, the greatest of each stretch is shown', () => {
  const values = new Array<number>(1000).fill(0);
  values[999] = 1;
  values[0] = 0.5;
  expect(sparkline(values, 10)).toBe('▅▁▁▁▁▁▁▁▁█');
  expect(sparkline([0, 1, 2, 3, 4], 2)).toBe('▁█');
});

test('a series that never changes is a line in the middle', () => {
  expect(sparkline([0.7, 0.7, 0.7], 8)).toBe('▅▅▅');
  expect(sparkline([0], 8)).toBe('▅');
});

test('what is no finite number is left out', () => {
  expect(sparkline([Number.NaN, 0, Number.NEGATIVE_INFINITY, 1, Number.NaN], 8)).toBe('▁█');
  expect(sparkline([Number.NaN], 8)).toBe('');
});

test('without numbers or room there is nothing', () => {
  expect(sparkline([], 8)).toBe('');
  expect(sparkline([1, 2], 0)).toBe('');
  expect(sparkline([1, 2], -3)).toBe('');
});
