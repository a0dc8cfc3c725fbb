// A 64-bit hash of a sequence of 32-bit words, for telling programs and predictions apart. Not cryptographic. Knows
// nothing of programs. Two multiply-rotate lanes with different constants, mixed into each other at the end.

const f64 = new Float64Array(1);
const u32 = new Uint32Array(f64.buffer);

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

function avalanche(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

export class Hasher {
  private a = 0x243f6a88;
  private b = 0x13198a2e;
  private length = 0;

  /** Adds the low 32 bits of an integer. */
  word(w: number): this {
    this.a = (Math.imul(rotate(this.a ^ Math.imul(w, 0xcc9e2d51), 15), 5) + 0x1b873593) | 0;
    this.b = (Math.imul(rotate(this.b ^ Math.imul(w, 0x9e3779b1), 13), 9) + 0x38495ab5) | 0;
    this.length++;
    return this;
  }

  /** Adds the 64 bits of a number. 0 and -0 differ; NaN is one number, whatever bits a machine gives it. */
  number(x: number): this {
    if (Number.isNaN(x)) return this.word(0).word(0x7ff80000);
    f64[0] = x;
    return this.word(u32[0]!).word(u32[1]!);
  }

  /** Begins a new sequence. */
  reset(): this {
    this.a = 0x243f6a88;
    this.b = 0x13198a2e;
    this.length = 0;
    return this;
  }

  /** The upper and the lower half of the hash so far, as 32-bit integers of either sign. */
  high(): number {
    const a = avalanche(this.a ^ this.length);
    return avalanche(a ^ rotate(avalanche(this.b + a), 16));
  }

  low(): number {
    return avalanche(this.b + avalanche(this.a ^ this.length));
  }

  /** The hash so far, as 16 hexadecimal digits. */
  hex(): string {
    return hashToHex(this.high(), this.low());
  }
}

/** 16 hexadecimal digits from the two halves of a hash. */
export function hashToHex(high: number, low: number): string {
  const digits = (half: number) => (half >>> 0).toString(16).padStart(8, '0');
  return digits(high) + digits(low);
}
