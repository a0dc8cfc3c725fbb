// A fitted model: a program, what it has learned, and how rows become features and predictions answers. Predicts for any table with
// the same columns. Must not know how it was found or how it is kept.
import { CLASSES } from '../../engine/engine.js';
import { normalize, sigmoid } from '../../engine/loss.js';
import type { Program } from '../../program/program.js';
import { DataError } from '../../tasks/data-error.js';
import { missingTexts, readCell, readNumber } from '../../tasks/tabular/cell.js';
import { decodePrediction, encodeTable, type TableEncoding } from '../../tasks/tabular/encoding.js';
import { columnPlaces, notANumber, type Table } from '../../tasks/tabular/table.js';
import { LOSS_OF_KIND } from '../../tasks/task-kind.js';
import { quote } from '../../util/quote.js';
import { makePredictor, type Trained } from './execute.js';

export interface Model {
  readonly program: Program;
  readonly encoding: TableEncoding;
  readonly trained: Trained;
  /** Keys the random ops. */
  readonly seed: number;
}

export interface Answer {
  /** A number in the units of the target, or the name of a class; nothing where the program predicts no number. */
  readonly prediction: number | string | undefined;
  /** Of the class that is predicted. */
  readonly probability?: number;
}

const NO_ANSWER: Answer = { prediction: undefined };

/** What a prediction as Predict left it means. Changes it. */
function toAnswer(encoding: TableEncoding, prediction: Float64Array): Answer {
  const { kind } = encoding.target;
  const answer = decodePrediction(encoding, prediction);
  if (kind === 'regression') return Number.isFinite(answer) ? { prediction: answer } : NO_ANSWER;
  if (kind === 'binary') {
    const second = sigmoid(prediction[0]!);
    if (Number.isNaN(second)) return NO_ANSWER;
    return { prediction: answer, probability: Math.max(second, 1 - second) };
  }
  normalize('multiclass', prediction);
  const probability = prediction[encoding.target.classes.indexOf(String(answer))]!;
  return prediction.subarray(0, CLASSES).some(Number.isNaN) ? NO_ANSWER : { prediction: answer, probability };
}

/** An answer for each row of a table. Throws DataError. */
export function predictTable({ program, encoding, trained, seed }: Model, table: Table): Answer[] {
  const { features: F, target } = encoding;
  const rows = encodeTable(encoding, table);
  const predict = makePredictor(program, { features: F, loss: LOSS_OF_KIND[target.kind], seed }, trained);
  return table.rows.map((_, k) => toAnswer(encoding, predict(rows.subarray(k * F, (k + 1) * F)).slice()));
}

/** How the columns of a table differ from those of a model. */
export interface ColumnNotes {
  /** Columns that are not used. */
  readonly extra: readonly string[];
  /** Cells of each column with a value that training has not seen, which count as missing. */
  readonly unseen: readonly { readonly column: string; readonly cells: number }[];
  readonly hasTarget: boolean;
}

/** Throws DataError if columns are missing, and names them all. */
export function compareColumns({ columns, target, missing }: TableEncoding, table: Table): ColumnNotes {
  const places = columnPlaces(table);
  const lacking = columns.filter(({ name }) => !places.has(name)).map(({ name }) => quote(name));
  if (lacking.length > 0) {
    const names = lacking.length === 1 ? `column ${lacking[0]}` : `columns ${lacking.join(', ')}`;
    throw new DataError(`${table.name}: lacks the ${names}, which the model needs`);
  }
  const used = new Set([...columns.map(({ name }) => name), target.name]);
  const texts = missingTexts(missing);
  const unseen = columns.flatMap((column) => {
    if (column.kind === 'number') return [];
    const known = new Set(['', ...column.values, ...column.others]);
    const place = places.get(column.name)!;
    const cells = table.rows.filter((row) => !known.has(readCell(row, place, texts))).length;
    return cells === 0 ? [] : [{ column: column.name, cells }];
  });
  return { extra: [...places.keys()].filter((name) => !used.has(name)), unseen, hasTarget: places.has(target.name) };
}

/** The target of each row as answers are given; nothing where it is missing. Throws DataError. */
export function readTruth({ target, missing }: TableEncoding, table: Table): (number | string | undefined)[] {
  const place = columnPlaces(table).get(target.name)!;
  const texts = missingTexts(missing);
  const areNumbers = target.kind === 'regression' || target.classes.every((name) => readNumber(name) !== undefined);
  return table.rows.map((row, k) => {
    const text = readCell(row, place, texts);
    if (text === '') return undefined;
    const number = areNumbers ? readNumber(text) : undefined;
    if (target.kind !== 'regression') return number === undefined ? text : String(number);
    if (number === undefined) throw notANumber(table, k, target.name, text);
    return number;
  });
}
