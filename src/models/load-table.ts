// The table that somebody names to fit or to predict: a .csv or .tsv file, or the embedded digits. Must not know commands.
import { DIGIT_COLUMN, digitsTable } from '../analysis/fit/digits-table.js';
import { readCsv } from '../data/csv.js';
import { isTablePath } from '../data/open-tasks.js';
import { DataError } from '../tasks/data-error.js';
import type { Table } from '../tasks/tabular/table.js';
import { DIGITS } from '../tasks/task-sets.js';
import { printable } from '../util/quote.js';

export const TABLE_HELP = 'a .csv or .tsv file, plain or .gz, or digits for the embedded ones';

/** Throws DataError. */
export async function loadTable(name: string, delimiter: string | undefined): Promise<Table> {
  if (name === DIGITS) return digitsTable();
  if (isTablePath(name)) return readCsv(name, { delimiter });
  throw new DataError(`${printable(name)}: expected ${TABLE_HELP}`);
}

/** The column to predict: of digits it is known. Throws DataError. */
export function targetOf(name: string, target: string | undefined): string {
  if (target !== undefined) return target;
  if (name === DIGITS) return DIGIT_COLUMN;
  throw new DataError(`${printable(name)}: --target names the column to predict`);
}
