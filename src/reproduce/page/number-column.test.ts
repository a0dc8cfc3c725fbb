import { expect, test } from 'vitest';
import { writeNumbers } from './number-column.js';

test('numbers of a column have the same decimals', () => {
  expect(writeNumbers([0.7, 0.72041, 1])).toEqual(['0.7000', '0.7204', '1.0000']);
  expect(writeNumbers([1012, 15310, 2_100_000])).toEqual(['1012', '15,310', '2,100,000']);
  expect(writeNumbers([12345.678, 3])).toEqual(['12,346', '3']);
});

test('what is too small for decimals is exponential, and does not give decimals to others', () => {
  expect(writeNumbers([1.234567e-9, 0.25])).toEqual(['1.235e−9', '0.25']);
  expect(writeNumbers([-0.005, 0])).toEqual(['−0.005', '0.000']);
  expect(writeNumbers([1e21])).toEqual(['1e+21']);
});

test('what is no number is a dash', () => {
  expect(writeNumbers([null, undefined, Number.NaN, Number.NEGATIVE_INFINITY, 2])).toEqual(['–', '–', '–', '–', '2']);
});
