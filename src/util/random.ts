// Counter-based random numbers: draw k of a stream is a pure function of (key, k), and a key is a pure function of a path
// of integers such as (task seed, step, ordinal of the instruction). Nothing is consumed, so code that is never run cannot
// change what other code draws. Knows nothing of programs. The mixing is SplitMix64 (Steele, Lea, Flood 2014) on two
// 32-bit halves, because JavaScript has no fast 64-bit integers; a wasm engine does the same on one i64.
import { inverseNormal } from './normal.js';

/** A 64-bit stream key, as two unsigned 32-bit halves. */
export interface Key {
  readonly hi: number;
  readonly lo: number;
}

const GAMMA_HI = 0x9e3779b9;
const GAMMA_LO = 0x7f4a7c15;
const TWO_32 = 2 ** 32;

// The result of the last 64-bit operation: returning a pair would allocate on every draw.
let hi = 0;
let lo = 0;

function add(aHi: number, aLo: number, bHi: number, bLo: number): void {
  const sum = aLo + bLo;
  lo = sum >>> 0;
  hi = (aHi + bHi + (sum >= TWO_32 ? 1 : 0)) >>> 0;
}

function multiply(aHi: number, aLo: number, bHi: number, bLo: number): void {
  const a0 = aLo & 0xffff;
  const a1 = aLo >>> 16;
  const b0 = bLo & 0xffff;
  const b1 = bLo >>> 16;
  const middle = a1 * b0 + a0 * b1 + Math.floor((a0 * b0) / 65536);
  const carry = a1 * b1 + Math.floor(middle / 65536);
  hi = (carry + Math.imul(aHi, bLo) + Math.imul(aLo, bHi)) >>> 0;
  lo = Math.imul(aLo, bLo) >>> 0;
}

/** SplitMix64's finalizer, on the module's hi and lo. */
function mix(): void {
  multiply(hi ^ (hi >>> 30), lo ^ ((lo >>> 30) | (hi << 2)), 0xbf58476d, 0x1ce4e5b9);
  multiply(hi ^ (hi >>> 27), lo ^ ((lo >>> 27) | (hi << 5)), 0x94d049bb, 0x133111eb);
  const h = hi;
  hi = (h ^ (h >>> 31)) >>> 0;
  lo = (lo ^ ((lo >>> 31) | (h << 1))) >>> 0;
}

/** The key at a path of integers, each from 0 to 2^53 - 1. */
export function deriveKey(...path: readonly number[]): Key {
  hi = 0;
  lo = 0;
  for (const word of path) {
    add((hi ^ Math.floor(word / TWO_32)) >>> 0, (lo ^ (word >>> 0)) >>> 0, GAMMA_HI, GAMMA_LO);
    mix();
  }
  return { hi, lo };
}

/** A seed for something below the path: an integer from 0 to 2^53 - 1. */
export function deriveSeed(...path: readonly number[]): number {
  const key = deriveKey(...path);
  return (key.hi >>> 11) * TWO_32 + key.lo;
}

/** Leaves the 64 random bits of draw `index` in hi and lo. */
function draw(key: Key, index: number): void {
  multiply(0, index + 1, GAMMA_HI, GAMMA_LO);
  add(key.hi, key.lo, hi, lo);
  mix();
}

/** The 64 random bits of draw `index` (0 to 2^32 - 2). */
export function bitsAt(key: Key, index: number): Key {
  draw(key, index);
  return { hi, lo };
}

/**
 * Draw `index` from the uniform distribution on [0, 1): the upper 52 bits, which SIMD code turns into a number by writing
 * them into the mantissa of 1.
 */
export function uniformAt(key: Key, index: number): number {
  draw(key, index);
  return hi * 2 ** -32 + (lo >>> 12) * 2 ** -52;
}

/** Draw `index` from the standard normal distribution: the inverse of its distribution function in the middle of the cell. */
export function gaussianAt(key: Key, index: number): number {
  return inverseNormal(uniformAt(key, index) + 2 ** -53);
}

/** The draws of one key, one after the other. */
export class RandomStream {
  private next = 0;
  private readonly key: Key;

  constructor(...path: readonly number[]) {
    this.key = deriveKey(...path);
  }

  uniform(): number {
    return uniformAt(this.key, this.next++);
  }

  gaussian(): number {
    return gaussianAt(this.key, this.next++);
  }

  /** A uniform integer from 0 to below - 1. */
  integer(below: number): number {
    return Math.floor(this.uniform() * below);
  }
}
