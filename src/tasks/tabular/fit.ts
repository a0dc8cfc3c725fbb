// Fits the encoding of a table to its training rows: means, deviations, frequent categories, the number of features. Must not
// look at any other row.
import { CLASSES, MAX_FEATURES } from '../../engine/engine.js';
import { DataError } from '../data-error.js';
import type { TaskKind } from '../task-kind.js';
import type { Cells, NumberCells, WordCells } from './columns.js';
import {
  type CategoryEncoding,
  type ColumnEncoding,
  type ExampleCells,
  encodedColumns,
  type NumberEncoding,
  scaleProjected,
  type TableEncoding,
  type TargetEncoding,
  writeEncoded,
  writeProjected,
} from './encoding.js';
import type { InferredColumn } from './infer.js';
import { fitScaling, scalingOfShare } from './scaling.js';
import type { Target } from './target.js';

const DEFAULT_MAX_FEATURES = 64;

function fitNumber(name: string, { numbers }: NumberCells, train: readonly number[]): NumberEncoding {
  const present = new Float64Array(train.length);
  let count = 0;
  for (const k of train) if (!Number.isNaN(numbers[k]!)) present[count++] = numbers[k]!;
  return { name, kind: 'number', ...fitScaling(present.subarray(0, count), train.length) };
}

function fitCategory(
  name: string,
  { words, codes }: WordCells,
  train: readonly number[],
  maxCategories: number,
): CategoryEncoding {
  const counts = words.map((word) => ({ word, count: 0 }));
  for (const k of train) if (codes[k]! >= 0) counts[codes[k]!]!.count++;
  const ranked = counts
    .filter(({ count }) => count > 0)
    // Equally frequent ones in the order of their UTF-16 codes, so that the order of the rows does not matter.
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
  const frequent = ranked.slice(0, maxCategories);
  const rare = ranked.slice(maxCategories);
  const sizes = frequent.map(({ count }) => count);
  if (rare.length > 0) sizes.push(rare.reduce((total, { count }) => total + count, 0));
  return {
    name,
    kind: 'category',
    values: frequent.map(({ word }) => word),
    others: rare.map(({ word }) => word),
    scalings: sizes.map((size) => scalingOfShare(size / train.length)),
  };
}

/** The encodings of the columns that are used, with their cells. `train` has the numbers of training rows among those read. */
export function fitColumns(
  inferred: readonly InferredColumn[],
  train: readonly number[],
  maxCategories: number,
): { columns: ColumnEncoding[]; cells: Cells[] } {
  const columns: ColumnEncoding[] = [];
  const used: Cells[] = [];
  for (const { name, kind, cells } of inferred) {
    if (kind === 'number' && cells.kind === 'number') columns.push(fitNumber(name, cells, train));
    else if (kind === 'category' && cells.kind === 'word') columns.push(fitCategory(name, cells, train, maxCategories));
    else continue;
    used.push(cells);
  }
  return { columns, cells: used };
}

export function fitTarget(name: string, { kind, classes, labels }: Target, train: readonly number[]): TargetEncoding {
  if (kind !== 'regression') return { name, kind, classes };
  const { mean, deviation } = fitScaling(Float64Array.from(train, (k) => labels[k]!));
  // With equal training labels, the others must still be told apart.
  return { name, kind, scaling: { mean, deviation: deviation === 0 ? 1 : deviation } };
}

/** F: what was asked for, or as many as there are encoded columns within limits. */
export function chooseFeatures(encoded: number, kind: TaskKind, asked: number | undefined): number {
  const least = kind === 'multiclass' ? CLASSES : 2;
  if (asked === undefined) return Math.max(least, Math.min(DEFAULT_MAX_FEATURES, encoded));
  if (!Number.isInteger(asked) || asked < least || asked > MAX_FEATURES) {
    throw new DataError(`${kind} tasks of a table take ${least} to ${MAX_FEATURES} features, not ${asked}`);
  }
  return asked;
}

/** Writes the features of the training rows into `out`, which is zero, and completes the encoding with what they need. */
export function fitFeatures(
  encoding: Omit<TableEncoding, 'projection'>,
  training: ExampleCells,
  seed: number,
  out: Float64Array,
): TableEncoding {
  const { columns, features: F } = encoding;
  if (encodedColumns(columns) <= F) {
    writeEncoded(columns, F, training, out);
    return encoding;
  }
  writeProjected(columns, F, seed, training, out);
  const sumsOf = (j: number) => Float64Array.from(training.items, (_, k) => out[k * F + j]!);
  const projection = { seed, scalings: Array.from({ length: F }, (_, j) => fitScaling(sumsOf(j))) };
  scaleProjected(projection, out);
  return { ...encoding, projection };
}
