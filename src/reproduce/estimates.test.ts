import { expect, test } from 'vitest';
import { RandomStream } from '../util/random.js';
import {
  estimateDifference,
  estimateMean,
  estimatePart,
  estimateRate,
  meanText,
  partText,
  rateGreater,
} from './estimates.js';

test('intervals of parts are those of Wilson', () => {
  const { value, low, high } = estimatePart(8, 30);
  expect(value).toBeCloseTo(8 / 30, 12);
  expect(low).toBeCloseTo(0.1418, 3);
  expect(high).toBeCloseTo(0.4445, 3);
  expect(estimatePart(0, 30)).toMatchObject({ value: 0, low: 0 });
  expect(estimatePart(0, 30).high).toBeCloseTo(0.1135, 3);
  expect(estimatePart(30, 30)).toMatchObject({ value: 1, high: 1 });
  expect(estimatePart(0, 0)).toEqual({ value: 0, low: 0, high: 1 });
});

test('means have twice their standard error', () => {
  const { low, high } = estimateMean([1, 2, 3]);
  expect([low, high]).toEqual([expect.closeTo(2 - 2 / Math.sqrt(3), 12), expect.closeTo(2 + 2 / Math.sqrt(3), 12)]);
  expect(estimateMean([0.5])).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
});

test('rates of single draws are found again from groups that saw one or more', () => {
  const rate = 0.002;
  const size = 500;
  const groups = 2000;
  const random = new RandomStream(5);
  let found = 0;
  for (let g = 0; g < groups; g++) {
    let any = false;
    for (let k = 0; k < size; k++) any = random.uniform() < rate || any;
    if (any) found++;
  }
  const estimate = estimateRate(found, groups, size);
  expect(estimate.low).toBeLessThan(rate);
  expect(estimate.high).toBeGreaterThan(rate);
  expect(Math.abs(estimate.value / rate - 1)).toBeLessThan(0.1);
  expect(estimateRate(0, 10, 100)).toMatchObject({ value: 0, low: 0 });
  expect(Number.isFinite(estimateRate(10, 10, 100).high)).toBe(true);
});

test('texts say what is uncertain', () => {
  expect(meanText({ value: 0.7031, low: 0.701, high: 0.7054 })).toBe('0.703 ± 0.002');
  expect(partText(12, 20)).toBe('12 of 20 (0.60, 0.39 to 0.78)');
});

test('a difference is less certain than each of its parts', () => {
  const [more, less] = [
    { value: 0.75, low: 0.72, high: 0.78 },
    { value: 0.7, low: 0.66, high: 0.74 },
  ];
  const { value, low, high } = estimateDifference(more, less);
  expect(value).toBeCloseTo(0.05, 12);
  expect([low, high]).toEqual([expect.closeTo(0, 12), expect.closeTo(0.1, 12)]);
});

test('rates are compared by where events fall', () => {
  // By hand: at least 5 of 7 events in a third of the tries, (21 * 4 + 7 * 2 + 1) / 3^7.
  expect(rateGreater({ found: 5, tries: 5e7 }, { found: 2, tries: 1e8 })).toBeCloseTo(99 / 2187, 12);
  expect(rateGreater({ found: 0, tries: 1e7 }, { found: 3, tries: 1e7 })).toBe(1);
  expect(rateGreater({ found: 3, tries: 1e7 }, { found: 0, tries: 1e7 })).toBeCloseTo(1 / 8, 12);
});
