// The target of a table: which rows have one, whether it is a number or a class, and the labels. Must not know the other
// columns.
import { CLASSES } from '../../engine/engine.js';
import { quote } from '../../util/quote.js';
import { DataError } from '../data-error.js';
import type { TaskKind } from '../task-kind.js';
import { type MissingTexts, readCell, readNumber } from './cell.js';
import { notANumber, rowPlace, type Table } from './table.js';

export interface Target {
  readonly kind: TaskKind;
  /** In a few words. */
  readonly why: string;
  /** The rows of the table that have a target. */
  readonly rows: readonly number[];
  /** Of each of those rows: the number itself, or the class. */
  readonly labels: Float64Array;
  /** None in regression. Numbers in ascending order, words in the order of their UTF-16 codes. */
  readonly classes: readonly string[];
}

/** Whole numbers are classes only if each occurs so many times on average. */
const MANY_REPEATS = 5;

/** The cells of the target. */
interface Answers {
  readonly name: string;
  readonly rows: readonly number[];
  readonly texts: readonly string[];
  /** Undefined unless all are numbers. */
  readonly numbers: Float64Array | undefined;
  /** In the order of classes. */
  readonly different: readonly string[];
}

function readAnswers(table: Table, name: string, place: number, missing: MissingTexts): Answers {
  const rows: number[] = [];
  const texts: string[] = [];
  for (const [row, cells] of table.rows.entries()) {
    const text = readCell(cells, place, missing);
    if (text === '') continue;
    rows.push(row);
    texts.push(text);
  }
  // NaN stands for a word: no cell reads as NaN.
  const numbers = Float64Array.from(texts, (text) => readNumber(text) ?? Number.NaN);
  if (numbers.some(Number.isNaN))
    return { name, rows, texts, numbers: undefined, different: [...new Set(texts)].sort() };
  const different = [...new Set(numbers)].sort((a, b) => a - b).map(String);
  return { name, rows, texts, numbers, different };
}

function guessKind({ texts, numbers, different }: Answers): { kind: TaskKind; why: string } {
  const count = different.length;
  if (numbers === undefined) {
    return { kind: count === 2 ? 'binary' : 'multiclass', why: `text, ${count} different` };
  }
  if (count === 2) return { kind: 'binary', why: 'numbers, 2 different' };
  const isClasses = count <= CLASSES && numbers.every(Number.isInteger) && texts.length >= MANY_REPEATS * count;
  if (isClasses) return { kind: 'multiclass', why: `whole numbers, ${count} different, many times each` };
  return { kind: 'regression', why: `numbers, ${count} different` };
}

/** The first of the texts that is a word. */
function firstWord({ texts }: Answers): number {
  return texts.findIndex((text) => readNumber(text) === undefined);
}

function checkClasses(table: Table, answers: Answers, kind: TaskKind): void {
  const { name, rows, texts, numbers, different } = answers;
  const most = kind === 'binary' ? 2 : CLASSES;
  if (different.length <= most) return;
  const word = firstWord(answers);
  // One word among many numbers is more likely a mistake in the file than a class.
  const example = numbers === undefined ? `, such as ${quote(texts[word])} at ${rowPlace(table, rows[word]!)}` : '';
  const values = `${different.length} different values${example}`;
  const hint = /^[-+]?[\d.]*,\d+$/.test(texts[word] ?? '')
    ? '; numbers are written with a point and without commas'
    : '';
  throw new DataError(
    `${table.name}: target ${quote(name)} has ${values}: ${kind} tasks have at most ${most} classes${hint}`,
  );
}

function checkAnswers(table: Table, { name, rows, texts, different }: Answers): void {
  const { length } = table.rows;
  if (length === 0) throw new DataError(`${table.name}: there is a header, but no rows`);
  if (length === 1) throw new DataError(`${table.name}: there is only one row, and both parts of a split need one`);
  if (rows.length === 0) throw new DataError(`${table.name}: target ${quote(name)} is missing in all ${length} rows`);
  if (rows.length === 1) {
    throw new DataError(`${table.name}: only one row has a target ${quote(name)}, and both parts of a split need one`);
  }
  if (different.length === 1) throw new DataError(`${table.name}: target ${quote(name)} is always ${quote(texts[0])}`);
}

/** The target in the column at `place`; what kind it is, unless that is asked for, is a guess from its values. */
export function readTarget(table: Table, name: string, place: number, missing: MissingTexts, asked?: TaskKind): Target {
  const answers = readAnswers(table, name, place, missing);
  checkAnswers(table, answers);
  const { rows, texts, numbers, different } = answers;
  const { kind, why } = asked === undefined ? guessKind(answers) : { kind: asked, why: 'as asked' };
  if (kind === 'regression') {
    if (numbers !== undefined) return { kind, why, rows, labels: numbers, classes: [] };
    const word = firstWord(answers);
    throw notANumber(table, rows[word]!, name, texts[word]!);
  }
  checkClasses(table, answers, kind);
  const numberOf = new Map(different.map((value, k) => [value, k]));
  const values: ArrayLike<string | number> = numbers ?? texts;
  return { kind, why, rows, labels: Float64Array.from(values, (v) => numberOf.get(String(v))!), classes: different };
}
