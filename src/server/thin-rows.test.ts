import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRow, emptyRows, GrowingRows, type Rows, sortRows, thinRows } from './thin-rows.js';

const value = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(Number.NaN));
const rowsOf = (values: readonly (readonly [number, number, number])[]): Rows => {
  const rows = emptyRows(2);
  for (const [x, a, b] of [...values].sort((one, other) => one[0] - other[0])) addRow(rows, x, [a, b]);
  return rows;
};
const someRows = fc.array(fc.tuple(fc.integer({ min: 0, max: 1e7 }), value, value), { maxLength: 400 }).map(rowsOf);
const extremes = (line: readonly number[]) => {
  const numbers = line.filter((one) => !Number.isNaN(one));
  const greatest = (a: number, b: number) => Math.max(a, b);
  return [numbers.map((n) => -n).reduce(greatest, -9), numbers.reduce(greatest, -9), numbers.at(-1)];
};

describe('thinned rows', () => {
  it('are no more than asked for, in order, each one of those that were there', () => {
    fc.assert(
      fc.property(someRows, fc.constantFrom('log', 'linear'), (rows, scale) => {
        const thin = thinRows(rows, 40, scale, 0);
        expect(thin.x.length).toBeLessThanOrEqual(40);
        expect(thin.x).toEqual([...thin.x].sort((a, b) => a - b));
        const known = new Set(rows.x.map((x, k) => `${x} ${rows.lines[0]![k]} ${rows.lines[1]![k]}`));
        for (const [k, x] of thin.x.entries()) {
          expect(known).toContain(`${x} ${thin.lines[0]![k]} ${thin.lines[1]![k]}`);
        }
      }),
    );
  });

  it('keep the ends, and the lowest, the highest and the last value of every line', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const thin = thinRows(rows, 40, 'log', 0);
        expect([thin.x[0], thin.x.at(-1)]).toEqual([rows.x[0], rows.x.at(-1)]);
        for (const k of [0, 1]) expect(extremes(thin.lines[k]!)).toEqual(extremes(rows.lines[k]!));
      }),
    );
  });

  it('stay as they are if they are few', () => {
    const rows = rowsOf([
      [1, 0.5, Number.NaN],
      [2, 0.6, 0.1],
    ]);
    expect(thinRows(rows, 16, 'log', 0)).toEqual(rows);
  });
});

describe('rows that grow', () => {
  it('stay few however many come, and lose no extreme', () => {
    const growing = new GrowingRows(2, 0);
    const all = emptyRows(2);
    for (let k = 1; k <= 200_000; k++) {
      const row = [Math.sin(k / 5000), k % 7919 === 0 ? 5 : Math.cos(k)];
      growing.add(k, row);
      addRow(all, k, row);
    }
    expect(growing.rows.x.length).toBeLessThan(20_000);
    for (const k of [0, 1]) expect(extremes(growing.rows.lines[k]!)).toEqual(extremes(all.lines[k]!));
  });

  it('may come late', () => {
    const growing = new GrowingRows(1, 0);
    for (const x of [1, 50, 20, 60]) growing.add(x, [x]);
    expect(sortRows(growing.rows)).toEqual({ x: [1, 20, 50, 60], lines: [[1, 20, 50, 60]] });
  });
});
