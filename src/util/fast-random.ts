// A small fast generator with a state that can be saved, for the choices of a search: tens of them for every program. The
// algorithm is sfc32 of PractRand (Doty-Humphrey), four 32-bit words. Knows nothing of programs.
import { inverseNormal } from './normal.js';
import { deriveKey } from './random.js';

export type RandomState = readonly [number, number, number, number];

const WARM_UP = 12;

export class FastRandom {
  /** In an array, because it costs half as much there as in fields. */
  private readonly state: Int32Array;

  /** The generator at a path of integers, each from 0 to 2^53 - 1. */
  constructor(...path: readonly number[]) {
    const { hi, lo } = deriveKey(...path);
    this.state = Int32Array.of(hi, lo, 0, 1);
    for (let k = 0; k < WARM_UP; k++) this.bits();
  }

  /** 32 random bits, as an integer of either sign. */
  bits(): number {
    const { state } = this;
    const b = state[1]!;
    const c = state[2]!;
    const counter = state[3]!;
    const sum = (((state[0]! + b) | 0) + counter) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
    state[3] = counter + 1;
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
    const [a, b, c, counter] = this.state;
    return [a!, b!, c!, counter!];
  }

  restore(state: RandomState): void {
    this.state.set(state);
  }
}
