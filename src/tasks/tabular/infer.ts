// Guesses what the columns of a table are, the target aside, from all rows that are used, and says why. Must not know how
// columns become features.
import { quote } from '../../util/quote.js';
import { DataError } from '../data-error.js';
import type { MissingTexts } from './cell.js';
import { type Cells, checkNumbers, readColumns } from './columns.js';
import { findColumn, type Table } from './table.js';

/** Only numbers and categories are used. Text: values that hardly ever repeat, such as names. */
export type ColumnKind = 'number' | 'category' | 'constant' | 'text' | 'empty';

export interface InferredColumn {
  readonly name: string;
  readonly kind: ColumnKind | 'ignored';
  /** In a few words. */
  readonly why: string;
  /** Among the rows that are used. */
  readonly missing: number;
  /** Of the rows that are used. */
  readonly cells: Cells;
}

interface InferOptions {
  readonly target: string;
  readonly kinds?: Readonly<Record<string, ColumnKind>>;
  readonly ignore?: readonly string[];
  readonly maxCategories: number;
}

/** With more different values than the encoding holds, of which this part is different, a column is text. */
const TEXT_FROM = 0.9;

/** What a column's cells are like. */
interface Summary {
  readonly present: number;
  readonly missing: number;
  readonly different: number;
  readonly first: string | number | undefined;
}

function summarize(cells: Cells): Summary {
  if (cells.kind === 'number') {
    const sorted = cells.numbers.slice().sort();
    let present = 0;
    let different = 0;
    // Missing ones, which are NaN, come last.
    for (; present < sorted.length && !Number.isNaN(sorted[present]!); present++) {
      if (sorted[present] !== sorted[present - 1]) different++;
    }
    return { present, missing: sorted.length - present, different, first: sorted[0] };
  }
  const missing = cells.codes.reduce((total, code) => total + (code < 0 ? 1 : 0), 0);
  const present = cells.codes.length - missing;
  return { present, missing, different: cells.words.length, first: cells.words[0] };
}

type Guess = Pick<InferredColumn, 'kind' | 'why'>;

function guessKind({ kind }: Cells, { present, missing, different, first }: Summary, maxCategories: number): Guess {
  if (present === 0) return { kind: 'empty', why: 'no values' };
  // A word that is there or not tells rows apart; of a number, missing ones become the mean.
  const isConstant = different === 1 && (kind === 'number' || missing === 0);
  if (isConstant) return { kind: 'constant', why: `always ${quote(first)}` };
  if (kind === 'number') return { kind: 'number', why: `numbers, ${different} different` };
  if (different > maxCategories && different > TEXT_FROM * present) {
    return { kind: 'text', why: `text, ${different} of ${present} different` };
  }
  return { kind: 'category', why: `text, ${different} different` };
}

/** What was asked for, if anything. */
function askedKind({ kinds, ignore }: InferOptions, name: string): InferredColumn['kind'] | undefined {
  if (ignore?.includes(name)) return 'ignored';
  return kinds !== undefined && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

/** Throws if an option names a column that is not there, or the target. */
function checkNamed(table: Table, places: ReadonlyMap<string, number>, { target, kinds, ignore }: InferOptions): void {
  for (const name of [...Object.keys(kinds ?? {}), ...(ignore ?? [])]) {
    findColumn(table, places, name);
    if (name === target) throw new DataError(`${table.name}: column ${quote(name)} is the target`);
  }
}

/** What each column but the target is, in the table's order, by the rows that are used. */
export function inferColumns(
  table: Table,
  places: ReadonlyMap<string, number>,
  rows: readonly number[],
  options: InferOptions,
  missing: MissingTexts,
): InferredColumn[] {
  checkNamed(table, places, options);
  const requests = [...places]
    .filter(([name]) => name !== options.target)
    .map(([name, place]) => {
      const asked = askedKind(options, name);
      return { name, place, asked, asWords: asked === 'category' };
    });
  const columns = readColumns(table, rows, requests, missing);
  return requests.map(({ name, asked }, k) => {
    const cells = columns[k]!;
    if (asked === 'number') checkNumbers(table, requests[k]!, cells);
    const summary = summarize(cells);
    const guess: Guess =
      asked === undefined ? guessKind(cells, summary, options.maxCategories) : { kind: asked, why: 'as asked' };
    return { name, ...guess, missing: summary.missing, cells };
  });
}
