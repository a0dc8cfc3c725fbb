import { expect, it } from 'vitest';
import { LIMITS, type RunSeries } from '../../src/server/api.js';
import { applyUpdate, countPoints, hasTooManyPoints, linesOfRun, pointsToAskFor } from './run-series.js';

const series: RunSeries = {
  id: 'a',
  experiments: [
    { experiment: 1, start: 0, algorithms: [1, 10], best: [0.1, 0.2], mean: [null, 0.1], hurdle: [null, null] },
  ],
  leftOut: 0,
  overall: { algorithms: [1], best: [0.1] },
  cursor: 'x',
  readPart: 1,
};

it('goes on with points of known and of new experiments', () => {
  const point = { best: 0.5, mean: 0.3, hurdle: 0.2 };
  const next = applyUpdate(series, {
    began: [{ experiment: 2, start: 100 }],
    points: [
      { experiment: 1, id: null, algorithms: 90, ...point },
      { experiment: 2, id: 4, algorithms: 110, ...point, mean: null, hurdle: null },
    ],
  });
  expect(next.experiments.map(({ algorithms }) => algorithms)).toEqual([[1, 10, 90], [105]]);
  expect(series.experiments[0]!.algorithms).toEqual([1, 10]);
  const [main, other] = linesOfRun(next, 2);
  expect(main!.points).toEqual([{ x: 5, best: 0.5, mean: null, hurdle: null }]);
  expect(other).toMatchObject({ name: 'experiment 1', isFaint: true });
});

it('puts what islands found into the order in which it was found', () => {
  const points = [
    { experiment: 1, id: 40, algorithms: 90, best: 0.4, mean: null, hurdle: null },
    { experiment: 1, id: 20, algorithms: 90, best: 0.5, mean: null, hurdle: null },
  ];
  const [line] = linesOfRun(applyUpdate(series, { began: [], points }), 1);
  expect(line!.points.map(({ x, best }) => [x, best])).toEqual([
    [1, 0.1],
    [10, 0.2],
    [21, 0.5],
    [41, 0.5],
  ]);
});

it('never lets the best fall', () => {
  const fallen = { ...series.experiments[0]!, best: [0.2, 0.1] };
  expect(linesOfRun({ ...series, experiments: [fallen] }, 1)[0]!.points.map(({ best }) => best)).toEqual([0.2, 0.2]);
});

it('draws the last experiments and the selected one, however long a run goes on', () => {
  let now = series;
  for (let experiment = 2; experiment <= 500; experiment++) {
    const point = { experiment, id: 3, algorithms: 10 * experiment + 3, best: 0.5, mean: null, hurdle: null };
    now = applyUpdate(now, { began: [{ experiment, start: 10 * experiment }], points: [point] }, 1);
  }
  const drawn = now.experiments.map(({ experiment }) => experiment);
  expect(drawn).toHaveLength(LIMITS.experiments);
  expect(drawn.slice(0, 2)).toEqual([1, 500 - LIMITS.experiments + 2]);
  expect(drawn.at(-1)).toBe(500);
  expect(now.leftOut).toBe(500 - LIMITS.experiments);
  // Points of one that is not drawn any more bring it back neither.
  const late = { experiment: 5, id: 9, algorithms: 60, best: 0.5, mean: null, hurdle: null };
  expect(applyUpdate(now, { began: [], points: [late] }, 1).experiments).toEqual(now.experiments);
});

it('asks for fewer points where there are many, but not again and again', () => {
  const long = { ...series.experiments[0]!, algorithms: Array.from({ length: 3000 }, (_, k) => k) };
  const many = { ...series, experiments: Array.from({ length: 20 }, (_, k) => ({ ...long, experiment: k })) };
  expect(countPoints(many)).toBe(60_000);
  expect(hasTooManyPoints(many, 1000)).toBe(true);
  expect(hasTooManyPoints(many, 40_000)).toBe(false);
  expect(hasTooManyPoints({ ...many, experiments: many.experiments.slice(0, 5) }, 0)).toBe(false);
  expect([0, 1, 20, 64, 5000].map(pointsToAskFor)).toEqual([
    LIMITS.points,
    LIMITS.points,
    1000,
    312,
    LIMITS.leastPoints,
  ]);
});
