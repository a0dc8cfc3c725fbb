import { expect, it } from 'vitest';
import { chartColumns, fitnessRange, valueAt, visibleFrom } from './chart-data.js';

const a = {
  id: 'a',
  name: 'a',
  points: [
    { x: 0, best: 0.1, mean: null },
    { x: 10, best: 0.5, mean: 0.2 },
  ],
};
const b = { id: 'b', name: 'b', points: [{ x: 5, best: 0.3, hurdle: Number.NaN }] };

it('puts several lines on one axis', () => {
  const { xs, series, columns } = chartColumns([a, b], ['best', 'mean', 'hurdle']);
  expect(xs).toEqual([1, 5, 10]);
  expect(series).toEqual([
    { line: 0, kind: 'best' },
    { line: 0, kind: 'mean' },
    { line: 1, kind: 'best' },
  ]);
  expect(columns).toEqual([
    [0.1, null, 0.5],
    [null, null, 0.2],
    [null, 0.3, null],
  ]);
});

it('keeps a value until it changes, and not behind its end', () => {
  expect([0, 1, 2, 3].map((row) => valueAt([null, 0.1, null, 0.5], row))).toEqual([null, 0.1, 0.1, 0.5]);
  expect(valueAt([0.1, null], 1)).toBeNull();
});

it('shows the last decades, and some room', () => {
  expect(visibleFrom(1, 1e6)).toEqual([100, 1e6]);
  expect(visibleFrom(1, 1)).toEqual([1, 2]);
  expect(visibleFrom(234, 5000)).toEqual([200, 5000]);
  expect(fitnessRange(0.5, 0.5)).toEqual([0.45, 0.55]);
  expect(fitnessRange(1 - 2 ** -52, 1)).toEqual([1 - 2 ** -52 - 0.05, 1.05]);
  expect(fitnessRange(null, null)).toEqual([0, 1]);
});
