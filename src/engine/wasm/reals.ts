// The two precisions behind one vocabulary: SIMD arithmetic on f64x2 or f32x4, and single numbers, which outside memory are
// always f64. Must not know ops or layouts.
import type { Precision } from '../../ops/semantics.js';
import { type Code, f32, f32x4, f64, f64x2, get, type Local, v128 } from '../../wasm/assembler.js';

/** Bytes of one SIMD register. */
export const CHUNK = 16;

type Unary = (a: Code) => Code;
type Binary = (a: Code, b: Code) => Code;

export interface Real {
  /** Bytes of a number in memory. */
  readonly bytes: 4 | 8;
  /** Numbers in one SIMD register. */
  readonly lanes: 2 | 4;
  readonly add: Binary;
  readonly sub: Binary;
  readonly mul: Binary;
  readonly div: Binary;
  readonly pmin: Binary;
  readonly pmax: Binary;
  readonly eq: Binary;
  readonly gt: Binary;
  readonly ge: Binary;
  readonly le: Binary;
  readonly abs: Unary;
  readonly sqrt: Unary;
  /** A single number in every lane. */
  readonly splat: Unary;
  /** The number at an address in every lane. */
  readonly loadSplat: (pointer: Code, offset: number) => Code;
  readonly constant: (value: number) => Code;
  readonly storeLane: (pointer: Code, offset: number, value: Code, lane: number) => Code;
  /** One lane as a single number, and back. */
  readonly extract: (a: Code, lane: number) => Code;
  readonly replace: (a: Code, lane: number, value: Code) => Code;
  /** Applies a function of two f64 lanes to every lane. */
  readonly inPairs: (a: Local, apply: (pair: Code) => Code) => Code;
  /** A single number from memory, and into it. */
  readonly load: (pointer: Code, offset: number) => Code;
  readonly store: (pointer: Code, offset: number, value: Code) => Code;
}

/** A number in each lane, as the bytes of a register. */
function laneBytes(values: Float64Array | Float32Array): number[] {
  return Array.from(new Uint8Array(values.buffer));
}

export const REALS: { readonly [P in Precision]: Real } = {
  f64: {
    ...f64x2,
    bytes: 8,
    lanes: 2,
    loadSplat: v128.load64Splat,
    constant: (value) => v128.const(laneBytes(new Float64Array(2).fill(value))),
    storeLane: v128.store64Lane,
    inPairs: (a, apply) => apply(get(a)),
    load: f64.load,
    store: f64.store,
  },
  f32: {
    ...f32x4,
    bytes: 4,
    lanes: 4,
    splat: (a) => f32x4.splat(f32.demote(a)),
    loadSplat: v128.load32Splat,
    constant: (value) => v128.const(laneBytes(new Float32Array(4).fill(value))),
    storeLane: v128.store32Lane,
    extract: (a, lane) => f64.promote(f32x4.extract(a, lane)),
    replace: (a, lane, value) => f32x4.replace(a, lane, f32.demote(value)),
    inPairs: (a, apply) => {
      const upper = v128.shuffle(get(a), get(a), [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]);
      const half = (pair: Code) => f64x2.demoteZero(apply(f64x2.promoteLow(pair)));
      return v128.shuffle(half(get(a)), half(upper), [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
    },
    load: (pointer, offset) => f64.promote(f32.load(pointer, offset)),
    store: (pointer, offset, value) => f32.store(pointer, offset, f32.demote(value)),
  },
};

/** The bytes that pick lanes of two registers: 0 to lanes - 1 from the first, the others from the second. */
export function laneShuffle(real: Real, a: Code, b: Code, lanes: readonly number[]): Code {
  return v128.shuffle(
    a,
    b,
    lanes.flatMap((lane) => Array.from({ length: real.bytes }, (_, k) => lane * real.bytes + k)),
  );
}

/** Keeps the first `count` lanes and makes the others -0, which changes no sum that it is added to. */
export function keepLanes(real: Real, value: Code, count: number): Code {
  if (count === real.lanes) return value;
  const kept = Array.from({ length: CHUNK }, (_, k) => (k < count * real.bytes ? 0xff : 0));
  const negativeZero = kept.map((keep, k) => (keep === 0 && k % real.bytes === real.bytes - 1 ? 0x80 : 0));
  return v128.or(v128.and(value, v128.const(kept)), v128.const(negativeZero));
}
