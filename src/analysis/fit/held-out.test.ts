import { describe, expect, it } from 'vitest';
import type { Table } from '../../tasks/tabular/table.js';
import { digitsTable } from './digits-table.js';
import { holdOut } from './held-out.js';

const ROWS = 100;
const table: Table = {
  name: 't.csv',
  header: ['id', 'x', 'y'],
  rows: Array.from({ length: ROWS }, (_, k) => [`r${k}`, String((k * k) % 7), k % 5 === 0 ? 'rare' : 'often']),
  lines: Array.from({ length: ROWS }, (_, k) => k + 2),
};

describe('holding out', () => {
  const { rest, heldOut, report } = holdOut(table, { target: 'y' }, 1);
  const idsOf = ({ rows }: Table) => rows.map(([id]) => id!);

  it('divides the rows, the same part of every class', () => {
    expect([...idsOf(rest.table), ...idsOf(heldOut)].sort()).toEqual(idsOf(table).sort());
    expect(heldOut.rows.filter(([, , y]) => y === 'rare')).toHaveLength(4);
    expect(heldOut.rows).toHaveLength(20);
    expect(report).toMatchObject({ rowsUsed: 100, trainRows: 80, validRows: 20 });
  });

  it('keeps the lines of the rows', () => {
    for (const [k, [id]] of heldOut.rows.entries()) expect(heldOut.lines![k]).toBe(Number(id!.slice(1)) + 2);
  });

  it('reads off the whole table what a column is', () => {
    const word = { ...table, rows: table.rows.map((row, k) => (k === 41 ? ['r41', 'word', row[2]!] : row)) };
    for (let seed = 0; seed < 10; seed++) {
      const { columns } = holdOut(word, { target: 'y' }, seed).rest;
      expect(columns.find(({ name }) => name === 'x')!.cells.kind).toBe('word');
    }
  });

  it('takes another part if asked', () => {
    expect(holdOut(table, { target: 'y', validFraction: 0.5 }, 1).heldOut.rows).toHaveLength(50);
  });

  it('refuses few rows', () => {
    expect(() => holdOut({ ...table, rows: table.rows.slice(0, 19) }, { target: 'y' }, 1)).toThrow(
      't.csv: has 19 rows with a target, and at least 20 are needed',
    );
  });
});

it('digits are a table of ten classes', () => {
  const { header, rows } = digitsTable();
  expect(header).toHaveLength(65);
  expect(rows).toHaveLength(1797);
  expect(new Set(rows.map((row) => row[64])).size).toBe(10);
});
