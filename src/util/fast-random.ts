// A small fast generator with a state that can be saved, for the choices of a search: tens of them for every program. The
// algorithm is sfc32 of PractRand (Doty-Humphrey), four 32-bit words. Knows nothing of programs.
import { inverseNormal } from './normal.js';
import { deriveKey } from './random.js';

export type RandomState = readonly [number, number, number, number];

const WARM_UP = 12;

export class FastRandom {
  private a: number;
  private b: number;
  private c: number;
  private counter: number;

  /** The generator at a path of integers, each from 0 to 2^53 - 1. */
  constructor(...path: readonly number[]) {
    const { hi, lo } = deriveKey(...path);
    this.a = hi | 0;
    this.b = lo | 0;
    this.c = 0;
    this.counter = 1;
    for (let k = 0; k < WARM_UP; k++) this.bits();
  }

  /** 32 random bits, as an integer of either sign. */
  bits(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum;
  }

  /** A uniform integer from 0 to below - 1; `below` is far smaller than 2^31, so that all are equally likely but for 1e-6. */
  integer(below: number): number {
    return ((this.bits() >>> 0) * 2 ** -32 * below) | 0;
  }

  /** Uniform on [0, 1), in steps of 2^-52. */
  uniform(): number {
    const high = this.bits() >>> 0;
    return high * 2 ** -32 + (this.bits() >>> 12) * 2 ** -52;
  }

  /** Standard normal. */
  gaussian(): number {
    return inverseNormal(this.uniform() + 2 ** -53);
  }

  save(): RandomState {
    return [this.a, this.b, this.c, this.counter];
  }

  restore([a, b, c, counter]: RandomState): void {
    this.a = a;
    this.b = b;
    this.c = c;
    this.counter = counter;
  }
}
