import { describe, expect, it } from 'vitest';
import type { Task } from '../engine/engine.js';
import { deriveSeed, RandomStream } from '../util/random.js';
import { REGRESSION_FAMILIES, type RegressionFamily, regressionTask, regressionTaskAt } from './regression.js';

const options = { features: 4, trainExamples: 30, validExamples: 10 };
const families = Object.keys(REGRESSION_FAMILIES) as RegressionFamily[];

describe.each(families)('%s tasks', (family) => {
  it('are the same for the same seed, and others for another seed or number', () => {
    expect(regressionTaskAt(family, options, 3, 1)).toEqual(regressionTaskAt(family, options, 3, 1));
    const labels = [
      [3, 1],
      [4, 1],
      [3, 2],
    ].map(([seed, index]) => regressionTaskAt(family, options, seed!, index!).train.labels[0]);
    expect(new Set(labels).size).toBe(3);
  });

  it('have seeds of their own for features and labels', () => {
    const a = regressionTask(family, options, { features: 1, labels: 2 });
    const b = regressionTask(family, options, { features: 1, labels: 3 });
    expect(b.train.features).toEqual(a.train.features);
    expect(b.train.labels).not.toEqual(a.train.labels);
  });

  it('do not repeat training examples in validation', () => {
    const { train, valid } = regressionTaskAt(family, options, 3, 1);
    expect(train.features.some((x) => valid.features.includes(x))).toBe(false);
  });
});

describe('labels', () => {
  /** The label that a function of this family gives to x, read off a task whose only example is x. */
  const difference = (family: RegressionFamily) => {
    const { train } = regressionTask(
      family,
      { features: 2, trainExamples: 400, validExamples: 1 },
      { features: 1, labels: 2 },
    );
    // Least squares without intercept on two features.
    let [xx, xy, yy, xl, yl] = [0, 0, 0, 0, 0];
    for (let k = 0; k < train.count; k++) {
      const [x, y, l] = [train.features[2 * k]!, train.features[2 * k + 1]!, train.labels[k]!];
      xx += x * x;
      xy += x * y;
      yy += y * y;
      xl += x * l;
      yl += y * l;
    }
    const d = xx * yy - xy * xy;
    const [u, v] = [(xl * yy - yl * xy) / d, (yl * xx - xl * xy) / d];
    return Math.max(
      ...Array.from(train.labels, (l, k) => Math.abs(l - u * train.features[2 * k]! - v * train.features[2 * k + 1]!)),
    );
  };

  it('of linear tasks are linear without noise, those of the others are not', () => {
    expect(difference('linear')).toBeLessThan(1e-10);
    expect(difference('affine')).toBeGreaterThan(0.1);
    expect(difference('network')).toBeGreaterThan(0.1);
  });

  it('are those of the definitions', () => {
    const draws = new RandomStream(2);
    const next = (count: number) => Array.from({ length: count }, () => draws.gaussian());
    const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * b[k]!, 0);
    const u = next(4);
    const rows = [next(4), next(4), next(4), next(4)];
    const labelOf: Record<RegressionFamily, (x: number[]) => number> = {
      linear: (x) => dot(u, x),
      affine: (x) => dot(u, x) + rows[0]![0]!,
      network: (x) =>
        dot(
          u,
          rows.map((row) => Math.max(0, dot(row, x))),
        ),
    };
    for (const family of families) {
      const { train } = regressionTask(family, options, { features: 1, labels: 2 });
      for (let k = 0; k < train.count; k++) {
        const x = Array.from(train.features.subarray(4 * k, 4 * k + 4));
        expect(train.labels[k]).toBeCloseTo(labelOf[family](x), 12);
      }
    }
  });
});

describe('seeds', () => {
  it('differ between tasks, for features, labels and random ops', () => {
    const tasks = [0, 1].map((index) => regressionTaskAt('linear', options, { features: 5, labels: 6 }, index));
    const swapped = regressionTaskAt('linear', options, { features: 6, labels: 5 }, 0);
    const [a, b] = tasks as [Task, Task];
    expect(a.train.features).not.toEqual(b.train.features);
    expect(new Set([a, b, swapped].map(({ seed }) => seed)).size).toBe(3);
    const other = regressionTaskAt('linear', options, { features: 5, labels: 7 }, 0);
    expect(other.train.features).toEqual(a.train.features);
    expect(other.seed).not.toBe(a.seed);
    // The labels of task 1, seen through the features of task 0, would be the same if all tasks had one function.
    const same = regressionTask('linear', options, { features: deriveSeed(5, 0, 0), labels: deriveSeed(6, 1, 1) });
    expect(same.train.features).toEqual(a.train.features);
    expect(same.train.labels).not.toEqual(a.train.labels);
  });
});
