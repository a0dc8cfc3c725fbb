import { expect, test } from 'vitest';
import { thinLine, thinPoints } from './thin-points.js';

const none = () => false;

test('few points all stay', () => {
  const points = [
    { x: 1, y: 1 },
    { x: 1, y: 1 },
  ];
  expect(thinPoints(points, 5, none)).toEqual(points);
});

test('of many points a part stays, crowds as crowds, and those that must', () => {
  const points = Array.from({ length: 9000 }, (_, k) => ({ x: k % 90, y: Math.floor(k / 90), isKept: k === 4321 }));
  const crowded = [...points, ...Array.from({ length: 5000 }, () => ({ x: 200, y: 200, isKept: false }))];
  const thinned = thinPoints(crowded, 1000, ({ isKept }) => isKept);
  expect(thinned.length).toBeGreaterThan(500);
  expect(thinned.length).toBeLessThanOrEqual(1001);
  expect(thinned.filter(({ isKept }) => isKept)).toHaveLength(1);
  expect(thinned.filter(({ x }) => x === 200).length).toBeLessThanOrEqual(1);
});

test('a line keeps the ends and extremes of each column, in order', () => {
  const ys = [5, 1, 3, 9, 4, 6];
  const points = ys.map((y, k) => ({ x: k / 10, y }));
  expect(thinLine(points, 1, none).map(({ y }) => y)).toEqual([5, 1, 9, 6]);
  expect(thinLine(points, 1, ({ y }) => y === 3).map(({ y }) => y)).toEqual([5, 1, 3, 9, 6]);
  expect(thinLine(points, 0.01, none)).toEqual(points);
});
