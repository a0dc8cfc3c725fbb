import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../tests/support/arbitraries.js';
import { DataError } from '../data-error.js';
import { decodePrediction, encodeTable, type TableEncoding } from './encoding.js';
import type { Table } from './table.js';
import { tabularTask } from './tabular.js';

/** The features of one row, whose cells are in the order of the encoding's columns. */
function encodeRow(encoding: TableEncoding, cells: readonly string[]): Float64Array {
  return encodeTable(encoding, { name: 'input', header: encoding.columns.map(({ name }) => name), rows: [cells] });
}

const ROWS = 60;
const table: Table = {
  name: 't.csv',
  header: ['size', 'colour', 'y'],
  rows: Array.from({ length: ROWS }, (_, k) => [
    k % 7 === 0 ? '' : String((k * 37) % 19),
    k % 6 === 0 ? '?' : ['red', 'green', 'blue', 'grey'][((k * k) % 11) % 4]!,
    String(k * 1.5),
  ]),
};

/** As a model file keeps it. */
const stored = (encoding: TableEncoding): TableEncoding => JSON.parse(JSON.stringify(encoding));

describe.each([undefined, 2])('with %s features', (features) => {
  const made = tabularTask(table, { target: 'y', maxCategories: 2, ...(features !== undefined && { features }) }, 1);
  const encoding = stored(made.encoding);
  const F = made.task.features;

  it('an encoding is plain data', () => {
    expect(encoding).toEqual(made.encoding);
  });

  it('gives rows the features that the task has', () => {
    const all = encodeTable(encoding, table);
    const labels = table.rows.map((row) => Number(row[2]));
    const { train, valid } = made.task;
    for (const { count, features: x, labels: y } of [train, valid]) {
      for (let k = 0; k < count; k++) {
        const row = labels.indexOf(Math.round(2 * (decodePrediction(encoding, [y[k]!]) as number)) / 2);
        expect(all.slice(row * F, (row + 1) * F)).toEqual(x.slice(k * F, (k + 1) * F));
      }
    }
    const [size, colour] = table.rows[5]!;
    expect(encodeRow(encoding, [size!, colour!])).toEqual(all.slice(5 * F, 6 * F));
  });

  it('finds columns by name', () => {
    const other: Table = {
      name: 'new.csv',
      header: ['extra', ' colour ', 'size'],
      rows: table.rows.map(([size, colour]) => ['?!', colour!, size!]),
    };
    expect(encodeTable(encoding, other)).toEqual(encodeTable(encoding, table));
  });

  it('misses columns', () => {
    const other: Table = { name: 'new.csv', header: ['color', 'size'], rows: [] };
    expect(() => encodeTable(encoding, other)).toThrow(
      new DataError('new.csv: no column "colour"; did you mean "color"?'),
    );
  });

  it('takes no word for a number', () => {
    const other: Table = { name: 'new.csv', header: ['colour', 'size'], rows: [['red', 'big']], lines: [3] };
    expect(() => encodeTable(encoding, other)).toThrow(
      new DataError('new.csv:3: column "size": "big" is not a number'),
    );
    expect(() => encodeRow(encoding, ['big', 'red'])).toThrow('input: row 1: column "size": "big" is not a number');
  });

  it('never gives NaN', () => {
    const number = fc.oneof(fc.double().map(String), fc.constantFrom('', '1e308', '-1e308', ' 5 ', '-0', 'null'));
    const word = fc.oneof(fc.string(), fc.constantFrom('red', 'grey', ' blue', 'None'));
    fc.assert(
      fc.property(number, word, (size, colour) => {
        if (size.includes('Infinity')) return;
        const features = encodeRow(encoding, [size, colour]);
        expect(features.length).toBe(F);
        expect(features.every(Number.isFinite)).toBe(true);
      }),
    );
  });
});

describe('categories', () => {
  const { encoding } = tabularTask(table, { target: 'y', maxCategories: 2, ignore: ['size'] }, 1);
  const [column] = encoding.columns;
  if (column?.kind !== 'category') throw new Error('not a category');

  /** The columns as they were before they were standardized. */
  const oneHot = (colour: string) =>
    column.scalings.map(({ mean, deviation }, k) => Math.round(encodeRow(encoding, [colour])[k]! * deviation + mean));

  it('have columns of their own if they are frequent', () => {
    const colours = ['a', 'b', 'b', 'c', 'c', 'c', 'd', 'd', 'd', 'd'];
    const rows = Array.from({ length: 200 }, (_, k) => [colours[k % 10]!, String(k / 8)]);
    const frequent = tabularTask({ name: 't', header: ['x', 'y'], rows }, { target: 'y', maxCategories: 2 }, 1);
    expect(frequent.encoding.columns[0]).toMatchObject({ values: ['d', 'c'], others: ['b', 'a'] });
  });

  it('are one-hot, the rare ones together', () => {
    expect(column.values).toHaveLength(2);
    expect(oneHot(column.values[0]!)).toEqual([1, 0, 0]);
    expect(oneHot(column.values[1]!)).toEqual([0, 1, 0]);
    for (const value of column.others) expect(oneHot(value)).toEqual([0, 0, 1]);
  });

  it('that are missing or unseen are all zeros', () => {
    for (const value of ['', ' n/a ', 'purple', '__proto__']) expect(oneHot(value)).toEqual([0, 0, 0]);
  });
});

describe('answers', () => {
  const classes = (kind: 'binary' | 'multiclass', names: string[]) => ({
    missing: [],
    columns: [],
    features: 10,
    target: { name: 'y', kind, classes: names },
  });

  it('in regression are in the units of the table', () => {
    const target = { name: 'y', kind: 'regression', scaling: { mean: 100, deviation: 5 } } as const;
    expect(decodePrediction({ missing: [], columns: [], features: 2, target }, [-2])).toBe(90);
  });

  it('of two classes are on the side of one half that validation sees', () => {
    const answer = (x: number) => decodePrediction(classes('binary', ['no', 'yes']), [x]);
    expect([-3, 0, 1e-3, 5, Number.NaN].map(answer)).toEqual(['no', 'no', 'yes', 'yes', 'no']);
  });

  it('of many classes are the largest component that has a class', () => {
    const prediction = Float64Array.of(0.1, 0.5, 0.5, 9, 9, 9, 9, 9, 9, 9);
    expect(decodePrediction(classes('multiclass', ['a', 'b', 'c']), prediction)).toBe('b');
  });
});
