// Somebody's own table as a task: what the columns are, which rows are for training, and everything scaled by those alone.
// Pure: the same table, options and seed give the same task anywhere. Must not know files.
import type { Task } from '../../engine/engine.js';
import { quote } from '../../util/quote.js';
import { deriveSeed } from '../../util/random.js';
import { type Allocate, ownFloats } from '../allocate.js';
import { DataError } from '../data-error.js';
import { LOSS_OF_KIND, type TaskKind } from '../task-kind.js';
import { allocateTask } from '../task-memory.js';
import { MISSING, missingTexts } from './cell.js';
import { encodedColumns, encodedWidth, type TableEncoding, type TargetEncoding, writeFeatures } from './encoding.js';
import { chooseFeatures, fitColumns, fitFeatures, fitTarget } from './fit.js';
import { type ColumnKind, type InferredColumn, inferColumns } from './infer.js';
import { standardize } from './scaling.js';
import { type Split, splitGroups } from './split.js';
import { columnPlaces, findColumn, type Table } from './table.js';
import { readTarget, type Target } from './target.js';

/** How a table is read; what is not given is inferred. */
export interface TableOptions {
  /** The column to predict. */
  readonly target: string;
  readonly task?: TaskKind;
  /** What columns are, where the guess is wrong. */
  readonly kinds?: Readonly<Record<string, ColumnKind>>;
  /** Texts of cells that say nothing, besides empty ones; NA, N/A, NaN, null, ? and - if not given. */
  readonly missing?: readonly string[];
  /** Columns not to use. */
  readonly ignore?: readonly string[];
  /** Encoded columns of a category, beside the one for all others; 10 if not given. */
  readonly maxCategories?: number;
  /** F; from the number of encoded columns if not given. */
  readonly features?: number;
  /** The part of the rows that is for validation, 0.2 if not given. */
  readonly validFraction?: number;
}

/** What became of a column, and why. */
export interface ColumnReport {
  readonly name: string;
  readonly kind: ColumnKind | 'ignored';
  readonly why: string;
  /** Cells among the rows that are used. */
  readonly missing: number;
  /** Encoded columns that it became. */
  readonly encoded: number;
}

/** What was inferred of a table. */
export interface TableReport {
  readonly name: string;
  /** What stood between cells, where that is known. */
  readonly delimiter?: string;
  readonly target: {
    readonly name: string;
    readonly kind: TaskKind;
    readonly why: string;
    /** In the order of their labels, with their rows; none in regression. */
    readonly classes: readonly { readonly name: string; readonly count: number }[];
  };
  /** All but the target. */
  readonly columns: readonly ColumnReport[];
  readonly rowsUsed: number;
  /** Rows without a target. */
  readonly rowsLeftOut: number;
  readonly trainRows: number;
  readonly validRows: number;
  readonly encodedColumns: number;
  readonly features: number;
  /** How the encoded columns became features: as they are, with zeros after them, or as random sums. */
  readonly fit: 'exact' | 'padded' | 'projected';
}

/** A task made of a table. */
export interface TabularTask {
  readonly task: Task;
  readonly encoding: TableEncoding;
  readonly report: TableReport;
}

const MAX_CATEGORIES = 10;
const VALID_FRACTION = 0.2;
const SHOWN_COLUMNS = 3;

/** What a seed draws, each from a stream of its own. */
const DRAW = { split: 0, projection: 1, task: 2 };

function checkOptions(maxCategories: number, validFraction: number): void {
  if (!Number.isInteger(maxCategories) || maxCategories < 1) {
    throw new DataError(`maxCategories: expected a whole number of at least 1, not ${maxCategories}`);
  }
  if (!(validFraction > 0 && validFraction < 1)) {
    throw new DataError(`validFraction: expected a number between 0 and 1, not ${validFraction}`);
  }
}

/** The rows with a target, by their numbers among those. */
function splitTarget(table: Table, { kind, labels, classes }: Target, fraction: number, seed: number): Split {
  const groups: number[][] = Array.from({ length: Math.max(1, classes.length) }, () => []);
  for (const [k, label] of labels.entries()) groups[kind === 'regression' ? 0 : label]!.push(k);
  const split = splitGroups(groups, fraction, seed);
  if (split.valid.length === 0) {
    throw new DataError(`${table.name}: too few rows to split: no class has two`);
  }
  return split;
}

/** Fills in the labels of a part. */
function writeLabels(target: Target, encoding: TargetEncoding, items: readonly number[], out: Float64Array): void {
  for (const [k, item] of items.entries()) {
    const label = target.labels[item]!;
    out[k] = encoding.kind === 'regression' ? standardize(label, encoding.scaling) : label;
  }
}

function reportColumns(inferred: readonly InferredColumn[], { columns }: TableEncoding): ColumnReport[] {
  const widths = new Map(columns.map((column) => [column.name, encodedWidth(column)]));
  return inferred.map(({ name, kind, why, missing }) => ({ name, kind, why, missing, encoded: widths.get(name) ?? 0 }));
}

function describeFit({ features, projection }: TableEncoding, encoded: number): TableReport['fit'] {
  if (projection !== undefined) return 'projected';
  return encoded < features ? 'padded' : 'exact';
}

function makeReport(
  table: Table,
  target: Target,
  split: Split,
  inferred: readonly InferredColumn[],
  encoding: TableEncoding,
): TableReport {
  const counts = target.classes.map(() => 0);
  if (target.kind !== 'regression') for (const label of target.labels) counts[label]!++;
  const encoded = encodedColumns(encoding.columns);
  return {
    name: table.name,
    ...(table.delimiter === undefined ? {} : { delimiter: table.delimiter }),
    target: {
      name: encoding.target.name,
      kind: target.kind,
      why: target.why,
      classes: target.classes.map((name, k) => ({ name, count: counts[k]! })),
    },
    columns: reportColumns(inferred, encoding),
    rowsUsed: target.rows.length,
    rowsLeftOut: table.rows.length - target.rows.length,
    trainRows: split.train.length,
    validRows: split.valid.length,
    encodedColumns: encoded,
    features: encoding.features,
    fit: describeFit(encoding, encoded),
  };
}

/** A table whose cells have been read: what all its splits have in common. */
export interface ReadTable {
  readonly table: Table;
  readonly target: Target;
  readonly targetName: string;
  readonly columns: readonly InferredColumn[];
  readonly missing: readonly string[];
  readonly maxCategories: number;
  readonly validFraction: number;
  /** F: of all splits, whichever categories their training rows have. */
  readonly features: number;
}

/** Reads the cells of a table and infers what its columns are. Throws DataError. */
export function readTable(table: Table, options: TableOptions): ReadTable {
  const { maxCategories = MAX_CATEGORIES, validFraction = VALID_FRACTION, missing = MISSING } = options;
  checkOptions(maxCategories, validFraction);
  const places = columnPlaces(table);
  const texts = missingTexts(missing);
  const place = findColumn(table, places, options.target);
  const target = readTarget(table, options.target, place, texts, options.task);
  const columns = inferColumns(table, places, target.rows, { ...options, maxCategories }, texts);
  const allRows = [...target.rows.keys()];
  const encoded = encodedColumns(fitColumns(columns, allRows, maxCategories).columns);
  if (encoded === 0) {
    const found = columns.map(({ name, why, kind }) => `${quote(name)}: ${kind === 'ignored' ? kind : why}`);
    const shown = found.length === 0 ? 'there is only the target' : found.slice(0, SHOWN_COLUMNS).join('; ');
    throw new DataError(`${table.name}: no column is left to learn from (${shown})`);
  }
  const features = chooseFeatures(encoded, target.kind, options.features);
  return { table, target, targetName: options.target, columns, missing, maxCategories, validFraction, features };
}

/** A task of one split of a table, what turns rows into its features, and what was found in the table. Throws DataError. */
export function splitTable(read: ReadTable, seed: number, allocate: Allocate = ownFloats): TabularTask {
  const { table, target, columns: inferred, missing, maxCategories, validFraction, features } = read;
  const split = splitTarget(table, target, validFraction, deriveSeed(seed, DRAW.split));
  const { columns, cells } = fitColumns(inferred, split.train, maxCategories);
  const shape = { features, trainCount: split.train.length, validCount: split.valid.length };
  const { train, valid } = allocateTask(shape, allocate);
  const encoding = fitFeatures(
    { missing, columns, target: fitTarget(read.targetName, target, split.train), features },
    { cells, items: split.train },
    deriveSeed(seed, DRAW.projection),
    train.features,
  );
  writeFeatures(encoding, { cells, items: split.valid }, valid.features);
  writeLabels(target, encoding.target, split.train, train.labels);
  writeLabels(target, encoding.target, split.valid, valid.labels);
  const task = { features, loss: LOSS_OF_KIND[target.kind], train, valid, seed: deriveSeed(seed, DRAW.task) };
  return { task, encoding, report: makeReport(table, target, split, inferred, encoding) };
}

/** A task made of a table. */
export function tabularTask(
  table: Table,
  options: TableOptions,
  seed: number,
  allocate: Allocate = ownFloats,
): TabularTask {
  return splitTable(readTable(table, options), seed, allocate);
}
