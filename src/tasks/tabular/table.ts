// A table of text cells, as a file or a page gives it, and how its columns and rows are named in messages. Must not know where
// it came from or what is made of it.
import { nearest } from '../../util/nearest.js';
import { quote } from '../../util/quote.js';
import { DataError } from '../data-error.js';

/** A table of texts. */
export interface Table {
  /** Of the file; messages begin with it. */
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The line where each row begins. */
  readonly lines?: readonly number[];
  /** What stood between cells. */
  readonly delimiter?: string;
}

/** Names of the columns, in their order, with their places in a row. A column without a name is called by its number. */
export function columnPlaces({ name, header }: Table): Map<string, number> {
  const places = new Map<string, number>();
  for (const [k, cell] of header.entries()) {
    const column = cell.trim() || `column ${k + 1}`;
    const twin = places.get(column);
    if (twin !== undefined) {
      throw new DataError(`${name}: columns ${twin + 1} and ${k + 1} are both named ${quote(column)}`);
    }
    places.set(column, k);
  }
  return places;
}

/** The place of a column that somebody named. */
export function findColumn(table: Table, places: ReadonlyMap<string, number>, column: string): number {
  const place = places.get(column);
  if (place !== undefined) return place;
  const guess = nearest(column, places.keys());
  const hint = guess === undefined ? '' : `; did you mean ${quote(guess)}?`;
  throw new DataError(`${table.name}: no column ${quote(column)}${hint}`);
}

/** Where a row is, for the beginning of a message. */
export function rowPlace({ name, lines }: Table, row: number): string {
  return lines === undefined ? `${name}: row ${row + 1}` : `${name}:${lines[row]}`;
}

/** The complaint about a cell that should be a number. */
export function notANumber(table: Table, row: number, column: string, cell: string): DataError {
  return new DataError(`${rowPlace(table, row)}: column ${quote(column)}: ${quote(cell)} is not a number`);
}
