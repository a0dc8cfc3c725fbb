// Sums in the order that every engine follows (ops/semantics.ts, docs/decisions/0001-order-of-sums.md), of registers lane by
// lane or of rows of numbers side by side. Must not know ops or layouts.
import { PARTIAL_SUMS } from '../../ops/semantics.js';
import { type Code, type FunctionBuilder, get, i32, type Local, set, v128, when } from '../../wasm/assembler.js';
import { type Moving, moved, type Pointer, repeat } from './pointers.js';
import { keepLanes, laneShuffle, type Real } from './reals.js';

/** SIMD registers that the compiler has for values. */
const REGISTERS = 14;

/**
 * Makes the compiler compute these values here. It would otherwise first load everything that a long sum reads, which
 * does not fit into registers, and store most of it away again. A merge of two ways, one of which is never taken, is a
 * place that values cannot move across. The first parameter of a kernel, an address, is never 0.
 */
function computeNow(f: FunctionBuilder, values: readonly Local[]): Code {
  const zero = v128.const(new Array<number>(16).fill(0));
  return when(
    i32.eqz(get(f.params[0]!)),
    values.map((value) => set(value, zero)),
  );
}

/** Sums of up to this many terms are written out. */
const WRITTEN_OUT = 32;

/** Partial sums folded in halves, the last 4 then 2 then 1 apart; of the `width` that there may be, missing ones are left out. */
export function fold(add: (a: Code, b: Code) => Code, partial: readonly Code[], width: number): Code {
  const sums = [...partial];
  for (let half = width / 2; half >= 1; half /= 2) {
    for (let k = 0; k < half && k + half < sums.length; k++) sums[k] = add(sums[k]!, sums[k + half]!);
    sums.length = Math.min(sums.length, half);
  }
  return sums[0]!;
}

/**
 * The sum of `count` registers, lane by lane, in the order of ops/semantics.ts: for terms that come one in each register.
 * `term` is given the pointers of its term. Code of one value; `f` provides locals.
 */
export function sumOfRegisters(
  f: FunctionBuilder,
  real: Real,
  count: number,
  moving: readonly Moving[],
  term: (...pointers: Pointer[]) => Code,
): Code {
  const { accumulate, partial } = accumulators(f, real, count, PARTIAL_SUMS, 1, moving, (_, ...p) => term(...p));
  return [accumulate, fold(real.add, partial[0]!, PARTIAL_SUMS)];
}

/**
 * The sums of `count` numbers that lie side by side, for several rows at once: lane r of the result is the sum of row r,
 * the order that of ops/semantics.ts. Rows are as many as a register has lanes, or one (then only lane 0 means something).
 * `term(r, pointers)` gives the next register of row r.
 */
export function sumsOfRows(
  f: FunctionBuilder,
  real: Real,
  count: number,
  rows: number,
  moving: readonly Moving[],
  term: (row: number, ...pointers: Pointer[]) => Code,
): Code {
  const { lanes, add } = real;
  const width = PARTIAL_SUMS / lanes;
  const whole = Math.floor(count / lanes);
  const tailLanes = count % lanes;
  const { accumulate, partial } = accumulators(f, real, whole, width, rows, moving, term);
  const sums = Array.from({ length: rows }, () => f.local('v128'));
  const folded = partial.map((ofRow, row) => {
    if (tailLanes > 0) {
      const last = term(row, ...moving.map(([pointer, stride]) => moved(pointer, whole * stride)));
      const kept = keepLanes(real, last, tailLanes);
      const place = whole % width;
      ofRow[place] = whole < width ? kept : add(ofRow[place]!, kept);
    }
    return set(sums[row]!, fold(add, ofRow, width));
  });
  return [accumulate, folded, foldLanes(real, sums)];
}

/**
 * The same for short rows, one after the other, so that few values are alive at a time. `term(r, k)` gives register k of row r.
 */
export function sumsOfShortRows(
  f: FunctionBuilder,
  real: Real,
  count: number,
  rows: number,
  term: (row: number, register: number) => Code,
): Code {
  const { lanes, add } = real;
  const width = PARTIAL_SUMS / lanes;
  const sums = Array.from({ length: rows }, () => f.local('v128'));
  const code = sums.map((sum, row) => {
    const partial: Code[] = [];
    for (let k = 0; k * lanes < count; k++) {
      const value = keepLanes(real, term(row, k), Math.min(lanes, count - k * lanes));
      partial[k % width] = k < width ? value : add(partial[k % width]!, value);
    }
    return [set(sum, fold(add, partial, width)), row === rows - 1 ? [] : computeNow(f, [sum])];
  });
  return [code, foldLanes(real, sums)];
}

/**
 * The partial sums of `count` registers in each of `rows` rows: code that computes them, and code of each value. Register k
 * goes into partial sum k mod `width`. Registers of all rows at one place are taken one after the other, so that rows can
 * share what they load.
 */
function accumulators(
  f: FunctionBuilder,
  real: Real,
  count: number,
  width: number,
  rows: number,
  moving: readonly Moving[],
  term: (row: number, ...pointers: Pointer[]) => Code,
): { accumulate: Code; partial: Code[][] } {
  const sums = Array.from({ length: rows }, () =>
    Array.from({ length: Math.min(count, width) }, () => f.local('v128')),
  );
  const partial = sums.map((ofRow) => ofRow.map(get));
  // Each row loads a register of its own at a place, and one more is loaded for all or for each.
  const loadsAtPlace = rows + 1;
  const fits = count * loadsAtPlace <= REGISTERS;
  /** Takes the next `terms` registers of every row, the first of which the pointers are at. */
  const next = (pointers: readonly Pointer[], terms: number, isFirst: boolean): Code => {
    const free = REGISTERS - (isFirst ? 0 : rows * width);
    const placesAtOnce = Math.max(1, Math.floor(free / loadsAtPlace));
    let pending: Local[] = [];
    return Array.from({ length: terms }, (_, k) => {
      const places = pointers.map((pointer, m) => moved(pointer, k * moving[m]![1]));
      const code: Code[] = sums.map((ofRow, row) => {
        const sum = ofRow[k]!;
        const value = term(row, ...places);
        pending.push(sum);
        return set(sum, isFirst ? value : real.add(get(sum), value));
      });
      if (!fits && (k + 1) % placesAtOnce === 0) {
        code.push(computeNow(f, pending));
        pending = [];
      }
      return code;
    });
  };
  const skip = (registers: number) => moving.map(([pointer, stride]) => moved(pointer, registers * stride));
  const start = next(skip(0), Math.min(count, width), true);
  if (count <= width) return { accumulate: start, partial };
  const turns = Math.floor(count / width) - 1;
  const groups = skip(width).map((pointer, m): Moving => [pointer, width * moving[m]![1]]);
  const unroll = count <= WRITTEN_OUT ? turns : Math.max(1, Math.floor(WRITTEN_OUT / (2 * width * rows)));
  return {
    accumulate: [
      start,
      repeat(f, turns, Math.max(1, unroll), groups, (...pointers) => next(pointers, width, false)),
      next(skip((turns + 1) * width), count % width, false),
    ],
    partial,
  };
}

/** Adds up the lanes of each register in the order of the partial sums: lane r of the result is the sum of register r. */
function foldLanes(real: Real, sums: readonly Local[]): Code {
  const [a, b, c, d] = sums;
  const { add, lanes } = real;
  const pick = (x: Local, y: Local, order: readonly number[]) => laneShuffle(real, get(x), get(y), order);
  if (lanes === 2) return add(pick(a!, b ?? a!, [0, 2]), pick(a!, b ?? a!, [1, 3]));
  if (sums.length === 1) {
    const halves = add(get(a!), pick(a!, a!, [2, 3, 0, 1]));
    return [set(a!, halves), add(get(a!), pick(a!, a!, [1, 0, 3, 2]))];
  }
  const halves = (x: Local, y: Local) => add(pick(x, y, [0, 1, 4, 5]), pick(x, y, [2, 3, 6, 7]));
  return [
    set(a!, halves(a!, b!)),
    set(c!, halves(c!, d!)),
    add(pick(a!, c!, [0, 2, 4, 6]), pick(a!, c!, [1, 3, 5, 7])),
  ];
}
