import { expect, it } from 'vitest';
import type { FitnessPoint } from '../../shared/chart-data.js';
import { addPoint } from './chart-points.js';

it('keeps the points of a long search few, in order, and the newest whole', () => {
  let points: readonly FitnessPoint[] = [];
  for (let x = 1; x <= 20_000; x++) points = addPoint(points, { x, best: x });
  const xs = points.map(({ x }) => x);
  expect(xs.length).toBeLessThanOrEqual(600);
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  expect(xs.slice(-100)).toEqual(Array.from({ length: 100 }, (_, k) => 19_901 + k));
  expect(xs[0]).toBe(1);
});

it('joins what happens at one place', () => {
  const points = addPoint([{ x: 5, best: 0.1, mean: 0.05 }], { x: 5, best: 0.2 });
  expect(points).toEqual([{ x: 5, best: 0.2, mean: 0.05 }]);
});
