// How good answers are on rows with a known target, with 95 % intervals: accuracy of classes, R² and RMSE of numbers. Must not know
// programs.
import { RandomStream } from '../../util/random.js';
import { partInterval } from '../../util/stats.js';
import type { Answer } from './model.js';

/** Both ends of a 95 % interval. */
export type Interval = readonly [number, number];

export interface ClassScore {
  readonly kind: 'classes';
  readonly rows: number;
  readonly accuracy: number;
  /** Wilson's, of a binomial part. */
  readonly interval: Interval;
}

export interface NumberScore {
  readonly kind: 'numbers';
  readonly rows: number;
  /** Nothing if the targets are all equal, or if an answer is missing. */
  readonly r2: number | null;
  readonly r2Interval: Interval | null;
  /** In the units of the target. */
  readonly rmse: number | null;
  readonly rmseInterval: Interval | null;
}

export type Score = ClassScore | NumberScore;

/** Targets and answers of the rows that have a target. */
export interface Scored {
  readonly truth: readonly (number | string)[];
  readonly answers: readonly Answer[];
}

/** Leaves rows without a target out. */
export function pairAnswers(truth: readonly (number | string | undefined)[], answers: readonly Answer[]): Scored {
  const known = truth.flatMap((value, k) => (value === undefined ? [] : [{ value, answer: answers[k]! }]));
  return { truth: known.map(({ value }) => value), answers: known.map(({ answer }) => answer) };
}

/** Fewer of many rows, whose intervals are narrow anyway. */
const RESAMPLES = { least: 200, most: 2000 };
const DRAWS = 4e6;
const SEED = 20;

type Statistic = (rows: ArrayLike<number>) => number | null;

/** The interval of a statistic over rows that are drawn with replacement. The same rows for every statistic of the same length. */
function bootstrap(count: number, statistic: Statistic): Interval | null {
  const random = new RandomStream(SEED, count);
  const rows = new Int32Array(count);
  const values: number[] = [];
  const resamples = Math.max(RESAMPLES.least, Math.min(RESAMPLES.most, Math.floor(DRAWS / count)));
  for (let k = 0; k < resamples; k++) {
    for (let i = 0; i < count; i++) rows[i] = random.integer(count);
    const value = statistic(rows);
    if (value !== null) values.push(value);
  }
  if (values.length < resamples / 2) return null;
  values.sort((a, b) => a - b);
  const at = (part: number) => values[Math.min(values.length - 1, Math.floor(part * values.length))]!;
  return [at(0.025), at(0.975)];
}

function rightAnswers({ truth, answers }: Scored): Float64Array {
  return Float64Array.from(truth, (value, k) => (answers[k]!.prediction === value ? 1 : 0));
}

function meanOf(values: ArrayLike<number>, rows: ArrayLike<number>): number {
  let total = 0;
  for (let k = 0; k < rows.length; k++) total += values[rows[k]!]!;
  return total / rows.length;
}

/** NaN where there is no answer. */
function squaredErrors({ truth, answers }: Scored): Float64Array {
  return Float64Array.from(truth, (value, k) => {
    const { prediction } = answers[k]!;
    return prediction === undefined ? Number.NaN : (Number(prediction) - Number(value)) ** 2;
  });
}

function r2Of(truth: Float64Array, errors: Float64Array): Statistic {
  return (rows) => {
    const mean = meanOf(truth, rows);
    let variance = 0;
    for (let k = 0; k < rows.length; k++) variance += (truth[rows[k]!]! - mean) ** 2 / rows.length;
    const value = 1 - meanOf(errors, rows) / variance;
    return Number.isFinite(value) ? value : null;
  };
}

function rmseOf(errors: Float64Array): Statistic {
  return (rows) => {
    const value = Math.sqrt(meanOf(errors, rows));
    return Number.isFinite(value) ? value : null;
  };
}

function everyRow(count: number): number[] {
  return Array.from({ length: count }, (_, k) => k);
}

/** Of at least one row. */
export function scoreAnswers(scored: Scored, areClasses: boolean): Score {
  const rows = scored.truth.length;
  const all = everyRow(rows);
  if (areClasses) {
    const right = rightAnswers(scored);
    const accuracy = meanOf(right, all);
    return { kind: 'classes', rows, accuracy, interval: partInterval(Math.round(accuracy * rows), rows) };
  }
  const errors = squaredErrors(scored);
  const r2 = r2Of(Float64Array.from(scored.truth, Number), errors);
  const rmse = rmseOf(errors);
  return {
    kind: 'numbers',
    rows,
    r2: r2(all),
    r2Interval: bootstrap(rows, r2),
    rmse: rmse(all),
    rmseInterval: bootstrap(rows, rmse),
  };
}

/** What tells two models apart on the same rows. */
export interface Difference {
  /** Of accuracy or R²: above 0 if the first is better. */
  readonly difference: number | null;
  /** By resampling rows, both models on the same ones; nothing if that cannot be told. */
  readonly interval: Interval | null;
  /** Noise: the interval has 0 in it. */
  readonly verdict: 'better' | 'worse' | 'noise';
}

export function compareAnswers(first: Scored, second: Scored, areClasses: boolean): Difference {
  const count = first.truth.length;
  const statistic = areClasses ? accuracyDifference(first, second) : r2Difference(first, second);
  const difference = statistic(everyRow(count));
  const interval = difference === null ? null : bootstrap(count, statistic);
  const verdict = interval === null || (interval[0] <= 0 && interval[1] >= 0) ? 'noise' : undefined;
  return { difference, interval, verdict: verdict ?? (interval![0] > 0 ? 'better' : 'worse') };
}

function accuracyDifference(first: Scored, second: Scored): Statistic {
  const [a, b] = [rightAnswers(first), rightAnswers(second)];
  const gains = a.map((right, k) => right - b[k]!);
  return (rows) => meanOf(gains, rows);
}

function r2Difference(first: Scored, second: Scored): Statistic {
  const truth = Float64Array.from(first.truth, Number);
  const [a, b] = [r2Of(truth, squaredErrors(first)), r2Of(truth, squaredErrors(second))];
  return (rows) => {
    const [x, y] = [a(rows), b(rows)];
    return x === null || y === null ? null : x - y;
  };
}
