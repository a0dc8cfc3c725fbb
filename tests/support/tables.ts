// Small tables for tests.
import type { Table } from '../../src/tasks/tabular/table.js';

/** A table from lines of cells between commas; the header is line 1. */
export function tableOf(header: string, ...lines: string[]): Table {
  const rows = lines.map((line) => line.split(','));
  return { name: 't.csv', header: header.split(','), rows, lines: rows.map((_, k) => k + 2) };
}
