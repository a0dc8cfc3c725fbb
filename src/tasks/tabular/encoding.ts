// How the rows of a table become features and how predictions become answers: plain data, made from training rows, that a model
// file keeps. Columns are found by name, so that other tables may order them otherwise. Must not know how it was fitted.
import { sigmoid } from '../../engine/loss.js';
import { deriveKey, gaussianAt } from '../../util/random.js';
import type { TaskKind } from '../task-kind.js';
import { missingTexts } from './cell.js';
import { type Cells, checkNumbers, type NumberCells, readColumns, type WordCells } from './columns.js';
import { type Scaling, standardize } from './scaling.js';
import { columnPlaces, findColumn, type Table } from './table.js';

/** Becomes one encoded column; a missing number becomes the mean. */
export interface NumberEncoding extends Scaling {
  readonly name: string;
  readonly kind: 'number';
}

/** Becomes one encoded column for each of `values`, and one for all `others`; of missing and unseen values, all are 0. */
export interface CategoryEncoding {
  readonly name: string;
  readonly kind: 'category';
  /** The most frequent first. */
  readonly values: readonly string[];
  readonly others: readonly string[];
  readonly scalings: readonly Scaling[];
}

export type ColumnEncoding = NumberEncoding | CategoryEncoding;

/** Numbers are predicted as distances from the mean of the training rows, in their deviations. */
interface NumberTarget {
  readonly name: string;
  readonly kind: 'regression';
  readonly scaling: Scaling;
}

interface ClassTarget {
  readonly name: string;
  readonly kind: Exclude<TaskKind, 'regression'>;
  /** The names of the labels 0, 1, ... */
  readonly classes: readonly string[];
}

export type TargetEncoding = NumberTarget | ClassTarget;

/** Every feature is the sum of all encoded columns times draws of Gaussian(0, 1), standardized. */
interface ProjectionEncoding {
  readonly seed: number;
  /** Of the sums, one for each feature. */
  readonly scalings: readonly Scaling[];
}

/** How the rows of a table become features and labels. */
export interface TableEncoding {
  /** Texts of cells that say nothing. */
  readonly missing: readonly string[];
  readonly columns: readonly ColumnEncoding[];
  readonly target: TargetEncoding;
  /** F. If there are fewer encoded columns, the last features are 0. */
  readonly features: number;
  readonly projection?: ProjectionEncoding;
}

/** Encoded columns that a column becomes. */
export function encodedWidth(column: ColumnEncoding): number {
  return column.kind === 'number' ? 1 : column.scalings.length;
}

export function encodedColumns(columns: readonly ColumnEncoding[]): number {
  return columns.reduce((total, column) => total + encodedWidth(column), 0);
}

/** Cells of the encoded columns, and which of them are the examples. */
export interface ExampleCells {
  readonly cells: readonly Cells[];
  readonly items: readonly number[];
}

/** The encoded columns of cells: all have the same base, and each cell adds an amount to at most one of them. */
interface EncodedCells {
  readonly base: readonly number[];
  /** Calls `take` for each example that adds something. */
  forEach(items: readonly number[], take: (example: number, index: number, amount: number) => void): void;
}

function encodeNumbers(scaling: Scaling, { numbers }: NumberCells): EncodedCells {
  return {
    base: [0],
    forEach(items, take) {
      for (let k = 0; k < items.length; k++) {
        const number = numbers[items[k]!]!;
        if (!Number.isNaN(number)) take(k, 0, standardize(number, scaling));
      }
    },
  };
}

function encodeWords({ values, others, scalings }: CategoryEncoding, { words, codes }: WordCells): EncodedCells {
  const base = scalings.map((scaling) => standardize(0, scaling));
  const amounts = scalings.map((scaling, k) => standardize(1, scaling) - base[k]!);
  const known = new Map(values.map((value, k) => [value, k]));
  for (const value of others) known.set(value, values.length);
  const indexOfCode = words.map((word) => known.get(word));
  return {
    base,
    forEach(items, take) {
      for (let k = 0; k < items.length; k++) {
        const index = indexOfCode[codes[items[k]!]!];
        if (index !== undefined) take(k, index, amounts[index]!);
      }
    },
  };
}

/** A column that was read otherwise than its encoding takes it is a bug. */
function encodeCells(column: ColumnEncoding, cells: Cells): EncodedCells {
  if (column.kind === 'number' && cells.kind === 'number') return encodeNumbers(column, cells);
  if (column.kind === 'category' && cells.kind === 'word') return encodeWords(column, cells);
  throw new TypeError(`column ${column.name} was read as ${cells.kind}`);
}

/** Writes the encoded columns, which are at most F, into `out`, which is zero. */
export function writeEncoded(
  columns: readonly ColumnEncoding[],
  F: number,
  { cells, items }: ExampleCells,
  out: Float64Array,
): void {
  let start = 0;
  for (const [k, column] of columns.entries()) {
    const encoded = encodeCells(column, cells[k]!);
    const first = start;
    for (const [i, amount] of encoded.base.entries())
      for (let at = first + i; at < out.length; at += F) out[at] = amount;
    encoded.forEach(items, (example, index, amount) => {
      out[example * F + first + index]! += amount;
    });
    start += encoded.base.length;
  }
}

/** The draws that an encoded column is multiplied by, one for each feature. They do not depend on the other columns. */
function projectionWeights(seed: number, encoded: number, F: number): Float64Array {
  const key = deriveKey(seed, encoded);
  const weights = new Float64Array(F);
  for (let j = 0; j < F; j++) weights[j] = gaussianAt(key, j);
  return weights;
}

function addScaled(sums: Float64Array, at: number, weights: Float64Array, amount: number): void {
  for (let j = 0; j < weights.length; j++) sums[at + j]! += amount * weights[j]!;
}

/**
 * Writes F sums for each row into `out`, which is zero. Column after column, so that neither the matrix nor all encoded columns
 * are ever in memory.
 */
export function writeProjected(
  columns: readonly ColumnEncoding[],
  F: number,
  seed: number,
  { cells, items }: ExampleCells,
  out: Float64Array,
): void {
  const base = new Float64Array(F);
  let start = 0;
  for (const [k, column] of columns.entries()) {
    const encoded = encodeCells(column, cells[k]!);
    const weights = encoded.base.map((_, i) => projectionWeights(seed, start + i, F));
    for (const [i, amount] of encoded.base.entries()) addScaled(base, 0, weights[i]!, amount);
    encoded.forEach(items, (example, index, amount) => {
      addScaled(out, example * F, weights[index]!, amount);
    });
    start += encoded.base.length;
  }
  for (let k = 0; k < out.length; k++) out[k]! += base[k % F]!;
}

/** Standardizes the sums of a projection, in place. */
export function scaleProjected({ scalings }: ProjectionEncoding, sums: Float64Array): void {
  for (let k = 0; k < sums.length; k++) sums[k] = standardize(sums[k]!, scalings[k % scalings.length]!);
}

/** Writes F features for each row into `out`, which is zero. */
export function writeFeatures(encoding: TableEncoding, examples: ExampleCells, out: Float64Array): void {
  const { columns, features, projection } = encoding;
  if (projection === undefined) {
    writeEncoded(columns, features, examples, out);
  } else {
    writeProjected(columns, features, projection.seed, examples, out);
    scaleProjected(projection, out);
  }
}

/**
 * The features of all rows of a table, F numbers for each. The table needs the columns that are encoded, in any order; the
 * target may be missing. For many rows this is much faster than row by row.
 */
export function encodeTable(encoding: TableEncoding, table: Table): Float64Array {
  const places = columnPlaces(table);
  const requests = encoding.columns.map(({ name, kind }) => {
    return { name, place: findColumn(table, places, name), asWords: kind === 'category' };
  });
  const items = [...table.rows.keys()];
  const cells = readColumns(table, items, requests, missingTexts(encoding.missing));
  for (const [k, column] of encoding.columns.entries()) {
    if (column.kind === 'number') checkNumbers(table, requests[k]!, cells[k]!);
  }
  const out = new Float64Array(items.length * encoding.features);
  writeFeatures(encoding, { cells, items }, out);
  return out;
}

/** The largest of the first components that have a class, the first of equals. */
function mostLikely(prediction: ArrayLike<number>, classes: number): number {
  let best = 0;
  for (let k = 1; k < classes; k++) if (prediction[k]! > prediction[best]!) best = k;
  return best;
}

/**
 * The answer that a prediction stands for, as Predict left it, before any normalization: a scalar, or a vector in multi-class
 * tasks. A number in regression, otherwise the name of a class.
 */
export function decodePrediction({ target }: TableEncoding, prediction: ArrayLike<number>): number | string {
  if (target.kind === 'regression') return target.scaling.mean + target.scaling.deviation * prediction[0]!;
  const { kind, classes } = target;
  if (kind === 'multiclass') return classes[mostLikely(prediction, classes.length)]!;
  return classes[sigmoid(prediction[0]!) > 0.5 ? 1 : 0]!;
}
