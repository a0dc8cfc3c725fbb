// What every op computes: one plain function per shape, on arrays of numbers. Slow and obvious; this is the definition
// that every engine is compared with, including the order in which sums are added. Must not know programs or memory.
import { deriveKey, gaussianAt, type Key, uniformAt } from '../util/random.js';
import { elementPlace, elements, isOuter } from './ops.js';
import { MAP1, MAP2, type Reduction } from './primitives.js';
import type { Op, ShapeName } from './types.js';

/** Numbers are f64 or f32; f32 rounds the result of every addition, multiplication, division, root and function value. */
export type Precision = 'f64' | 'f32';

export const ROUND: { readonly [P in Precision]: (x: number) => number } = { f64: (x) => x, f32: Math.fround };

/** What an instruction reads beside its inputs. */
export interface Parameters {
  readonly precision: Precision;
  readonly features: number;
  readonly index1: number;
  readonly index2: number;
  readonly const1: number;
  readonly const2: number;
  /** Keys this execution's draws: see `instructionKey`. */
  readonly key: Key;
}

/** The elements of one operand: 1, F, or F x F row after row. */
export type Elements = Float64Array;

/** Computes into `out`, which never shares memory with the inputs and, for fillConst, holds the old elements. */
type Rule<S extends ShapeName> = (
  op: Extract<Op, { shape: S }>,
  a: Elements,
  b: Elements,
  out: Elements,
  p: Parameters,
) => void;

/** Eight partial sums fill the registers of a SIMD engine; a fixed number makes all engines but the large one add in one order. */
export const PARTIAL_SUMS = 8;
const partial = new Float64Array(PARTIAL_SUMS);

/**
 * The sum of term(0) ... term(n - 1), in the order that all engines but the large one follow: term k goes into partial sum k mod 8, and
 * the partial sums are folded in halves, 4 then 2 then 1. With fewer than 8 terms only that many partial sums exist.
 */
export function sum(n: number, term: (k: number) => number, round = ROUND.f64): number {
  const lanes = Math.min(n, PARTIAL_SUMS);
  for (let k = 0; k < lanes; k++) partial[k] = round(term(k));
  for (let k = lanes; k < n; k++) partial[k % PARTIAL_SUMS] = round(partial[k % PARTIAL_SUMS]! + round(term(k)));
  for (let half = PARTIAL_SUMS / 2; half >= 1; half /= 2) {
    for (let lane = 0; lane < half && lane + half < lanes; lane++) {
      partial[lane] = round(partial[lane]! + partial[lane + half]!);
    }
  }
  return partial[0]!;
}

/** Reduces the n numbers at(0) ... at(n - 1). */
function reduce(fn: Reduction, n: number, at: (k: number) => number, precision: Precision): number {
  const round = ROUND[precision];
  const sumOfSquares = () => sum(n, (k) => at(k) * at(k), round);
  const count = round(n);
  const mean = () => round(sum(n, at, round) / count);
  switch (fn) {
    case 'norm':
      return Math.sqrt(sumOfSquares());
    case 'mean':
      return mean();
    case 'std':
      return Math.sqrt(round(round(sumOfSquares() / count) - round(mean() * mean())));
  }
}

const RULES: { readonly [S in ShapeName]: Rule<S> } = {
  none() {},
  map1(op, a, _b, out) {
    const fn = MAP1[op.fn];
    for (let k = 0; k < out.length; k++) out[k] = fn(a[k]!);
  },
  map2(op, a, b, out) {
    const fn = MAP2[op.fn];
    for (let k = 0; k < out.length; k++) out[k] = fn(a[k]!, b[k]!);
  },
  scale(_op, a, b, out) {
    for (let k = 0; k < out.length; k++) out[k] = a[0]! * b[k]!;
  },
  broadcast(op, a, _b, out, { features: F }) {
    for (let k = 0; k < out.length; k++) {
      out[k] = op.from === 'scalar' ? a[0]! : op.from === 'column' ? a[Math.floor(k / F)]! : a[k % F]!;
    }
  },
  reduce(op, a, _b, out, { precision }) {
    out[0] = reduce(op.fn, a.length, (k) => a[k]!, precision);
  },
  reduceAxis(op, a, _b, out, { features: F, precision }) {
    for (let i = 0; i < F; i++) {
      out[i] = reduce(op.fn, F, op.axis === 0 ? (k) => a[k * F + i]! : (k) => a[i * F + k]!, precision);
    }
  },
  /** out(i,j) = Σ a(i,k) b(k,j), where a vector is a column, except that the first input of dot and the second of outer are rows. */
  contract(op, a, b, out, { features: F, precision }) {
    const round = ROUND[precision];
    const rows = op.output === 's' ? 1 : F;
    const columns = op.output === 'm' ? F : 1;
    const inner = a.length / rows;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        // A sum of one term, of which outer products have as many as elements, is that term.
        if (inner === 1) out[i * columns + j] = a[i]! * b[j]!;
        else out[i * columns + j] = sum(inner, (k) => a[i * inner + k]! * b[k * columns + j]!, round);
      }
    }
  },
  transpose(_op, a, _b, out, { features: F }) {
    for (let i = 0; i < F; i++) for (let j = 0; j < F; j++) out[i * F + j] = a[j * F + i]!;
  },
  fillConst(op, _a, _b, out, { features, index1, index2, const1 }) {
    out[elementPlace(op.indices, index1, index2, features)] = const1;
  },
  fillRandom(op, _a, _b, out, { key, const1, const2 }) {
    for (let k = 0; k < out.length; k++) {
      out[k] =
        op.fn === 'uniform' ? const1 + (const2 - const1) * uniformAt(key, k) : const1 + const2 * gaussianAt(key, k);
    }
  },
};

/**
 * The key of a random instruction's draws in one step of one task. `ordinal` counts the live random instructions of the
 * program in the order setup, predict, learn, so that removing dead code changes nothing.
 */
export function instructionKey(taskSeed: number, step: number, ordinal: number): Key {
  return deriveKey(taskSeed, step, ordinal);
}

/** Runs one op: reads a and b, replaces the contents of `out`, which may be one of them. */
export function applyOp(op: Op, a: Elements, b: Elements, out: Elements, parameters: Parameters): void {
  const result = out.slice();
  // The table's type ties each shape to its rule; TypeScript cannot follow that through the look-up.
  (RULES[op.shape] as Rule<ShapeName>)(op, a, b, result, parameters);
  out.set(parameters.precision === 'f64' ? result : result.map(ROUND[parameters.precision]));
}

/**
 * Elementary operations (one addition, multiplication or function value each) at feature size F: what the op costs if
 * all were equally fast.
 */
export function operationCount(op: Op, features: number): number {
  const out = op.output === undefined ? 0 : elements(op.output, features);
  const first = op.inputs[0] === undefined ? 0 : elements(op.inputs[0], features);
  switch (op.shape) {
    case 'none':
      return 0;
    case 'map1':
    case 'map2':
    case 'scale':
    case 'broadcast':
    case 'transpose':
    case 'fillRandom':
      return out;
    case 'fillConst':
      return 1;
    case 'reduce':
    case 'reduceAxis':
      return op.fn === 'mean' ? first : op.fn === 'norm' ? 2 * first : 3 * first;
    case 'contract':
      return isOuter(op) ? out : 2 * out * features;
  }
}
