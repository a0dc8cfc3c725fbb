import { expect, it } from 'vitest';
import type { Table } from '../../tasks/tabular/table.js';
import { readTable } from '../../tasks/tabular/tabular.js';
import { epochSizes, searchSizes, tuneSizes, tuneTrials } from './fit-sizes.js';
import { encodeAll, openSplits } from './splits.js';

const table: Table = {
  name: 't',
  header: ['x', 'y'],
  rows: Array.from({ length: 50 }, (_, k) => [String(k), String(2 * k + 0.5)]),
};
const read = readTable(table, { target: 'y' });
const request = { count: 3, seed: 1, maxRows: 100, epochs: 4 };

/** The rows of every epoch, by their labels. */
function epochsOf(labels: Float64Array, rows: number): number[][] {
  return Array.from({ length: labels.length / rows }, (_, k) => [...labels.subarray(k * rows, (k + 1) * rows)]);
}

it('a split trains on its rows several times, in another order each time', async () => {
  const tasks = openSplits(read, request);
  expect(tasks).toMatchObject({ count: 3, trainCount: 160, validCount: 10 });
  const { train, valid } = await tasks.at(1);
  const epochs = epochsOf(train.labels, 40);
  for (const [k, epoch] of epochs.entries()) {
    expect([...epoch].sort()).toEqual([...epochs[0]!].sort());
    if (k > 0) expect(epoch).not.toEqual(epochs[k - 1]);
  }
  // Features stay with their labels: both grow by the same amount from row to row.
  for (const { count, features, labels } of [train, valid]) {
    for (let k = 0; k < count; k++) expect(features[2 * k]).toBeCloseTo(labels[k]!, 10);
  }
});

it('splits differ, and are the same again for the same seed', async () => {
  const [first, second] = await Promise.all([0, 1].map((k) => openSplits(read, request).at(k)));
  expect(first).not.toEqual(second);
  expect(await openSplits(read, request).at(1)).toEqual(second);
});

it('a split of a large table takes some of its rows', () => {
  expect(openSplits(read, { ...request, maxRows: 5 })).toMatchObject({ trainCount: 20, validCount: 5 });
});

it('all rows are encoded by themselves', () => {
  const all = encodeAll(read, 7);
  const once = all.epochs(1);
  expect(all.encoding.columns).toMatchObject([{ mean: 24.5 }]);
  expect(once.count).toBe(50);
  expect(epochsOf(all.epochs(3).labels, 50)[0]).toEqual([...once.labels]);
});

it('work is limited, however large a table is', () => {
  for (const [rows, features] of [
    [10, 2],
    [114, 13],
    [1150, 61],
    [800_000, 20],
    [1000, 8000],
  ] as const) {
    for (const sizes of [searchSizes(rows), tuneSizes(rows)]) {
      expect(sizes.rows * sizes.epochs).toBeLessThanOrEqual(1.5 * 3000);
      expect(sizes.epochs).toBeGreaterThanOrEqual(1);
    }
    const grid = epochSizes(rows, features);
    expect(grid.epochs[0]).toBe(1);
    expect(grid.rows * grid.epochs.at(-1)!).toBeLessThanOrEqual(30_000);
    expect(tuneTrials(tuneSizes(rows), features)).toBeGreaterThanOrEqual(10);
  }
});
