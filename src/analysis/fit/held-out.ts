// Keeps some rows of a table out of everything until the end. Must not know what is done with the others.
import { DataError } from '../../tasks/data-error.js';
import { splitGroups } from '../../tasks/tabular/split.js';
import type { Table } from '../../tasks/tabular/table.js';
import {
  type ReadTable,
  readTable,
  splitTable,
  type TableOptions,
  type TableReport,
} from '../../tasks/tabular/tabular.js';

const HELD_OUT_PART = 0.2;

/** With fewer, neither splitting again nor a held-out score says anything. */
const LEAST_ROWS = 20;
const LEAST_HELD_OUT = 2;

export interface HeldOut {
  /** All that programs are searched, selected, tuned and trained on. */
  readonly rest: ReadTable;
  readonly heldOut: Table;
  /** Of the whole table; its training rows are the rest, its validation rows those held out. */
  readonly report: TableReport;
}

/** Some rows of a table, in their order. */
function takeRows(table: Table, rows: readonly number[]): Table {
  const ordered = [...rows].sort((a, b) => a - b);
  const { lines } = table;
  return {
    ...table,
    rows: ordered.map((row) => table.rows[row]!),
    ...(lines && { lines: ordered.map((row) => lines[row]!) }),
  };
}

/**
 * Sets a part of the rows that have a target aside, the same part of every class. What a column is, a number or a category, is read off
 * all rows; means, deviations and categories are fitted to the rest alone. Throws DataError.
 */
export function holdOut(table: Table, { validFraction, ...options }: TableOptions, seed: number): HeldOut {
  const read = readTable(table, options);
  const { target, columns } = read;
  const { kind, labels, classes, rows } = target;
  if (rows.length < LEAST_ROWS) {
    throw new DataError(`${table.name}: has ${rows.length} rows with a target, and at least ${LEAST_ROWS} are needed`);
  }
  const groups: number[][] = Array.from({ length: Math.max(1, classes.length) }, () => []);
  for (const [k, label] of labels.entries()) groups[kind === 'regression' ? 0 : label]!.push(rows[k]!);
  const { train, valid } = splitGroups(groups, validFraction ?? HELD_OUT_PART, seed);
  if (valid.length < LEAST_HELD_OUT) {
    throw new DataError(`${table.name}: too few rows to hold some out: hardly a class has two`);
  }
  const kinds = Object.fromEntries(columns.flatMap(({ name, kind }) => (kind === 'ignored' ? [] : [[name, kind]])));
  const rest = readTable(takeRows(table, train), { ...options, task: kind, kinds });
  const report = { ...splitTable(read, seed).report, trainRows: train.length, validRows: valid.length };
  return { rest, heldOut: takeRows(table, valid), report };
}
