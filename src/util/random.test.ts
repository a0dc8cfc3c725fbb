import { describe, expect, it } from 'vitest';
import { bitsAt, deriveKey, deriveSeed, gaussianAt, type Key, RandomStream, uniformAt } from './random.js';

/** The same arithmetic in 64-bit integers. */
function splitMix64(key: bigint, index: number): bigint {
  const mask = (1n << 64n) - 1n;
  let z = (key + BigInt(index + 1) * 0x9e3779b97f4a7c15n) & mask;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
  return z ^ (z >> 31n);
}

const toBig = ({ hi, lo }: Key) => (BigInt(hi) << 32n) | BigInt(lo);

describe('the bits', () => {
  it('are those of the published generator', () => {
    // The first outputs of SplitMix64 for the seed 1234567, as its authors' implementation prints them.
    const published = [6457827717110365317n, 3203168211198807973n, 9817491932198370423n, 4593380528125082431n];
    expect(published.map((_, k) => toBig(bitsAt({ hi: 0, lo: 1234567 }, k)))).toEqual(published);
  });

  it('agree with 64-bit integers for any key and index', () => {
    for (let k = 0; k < 2000; k++) {
      const key = deriveKey(k, 17);
      const index = (k * 2654435761) % 4294967295;
      expect(toBig(bitsAt(key, index))).toBe(splitMix64(toBig(key), index));
    }
  });
});

describe('keys', () => {
  it('differ for paths that differ anywhere, also above 32 bits', () => {
    const paths = [[], [0], [1], [2 ** 32], [2 ** 53 - 1], [0, 0], [0, 1], [1, 0], [0, 0, 0], [0, 2 ** 31, 0]];
    expect(new Set(paths.map((path) => toBig(deriveKey(...path)))).size).toBe(paths.length);
  });

  it('give seeds that are safe integers', () => {
    for (let k = 0; k < 1000; k++) expect(Number.isSafeInteger(deriveSeed(k))).toBe(true);
  });
});

const N = 200_000;

/** The first four moments around the mean, scaled; and the mean. */
function moments(at: (k: number) => number) {
  const x = Float64Array.from({ length: N }, (_, k) => at(k));
  const mean = x.reduce((a, b) => a + b, 0) / N;
  const central = (p: number) => x.reduce((a, b) => a + (b - mean) ** p, 0) / N;
  const variance = central(2);
  return { mean, variance, skewness: central(3) / variance ** 1.5, kurtosis: central(4) / variance ** 2 };
}

/** Of two variables with mean 0 and variance 1. */
function correlation(a: (k: number) => number, b: (k: number) => number): number {
  let total = 0;
  for (let k = 0; k < N; k++) total += a(k) * b(k);
  return total / N;
}

/** Five standard errors of an estimate whose standard deviation for one draw is `sd`. */
const within = (sd: number) => (5 * sd) / Math.sqrt(N);

describe('distributions', () => {
  const key = deriveKey(42);

  it('uniform: in [0, 1), with the right moments', () => {
    const { mean, variance, skewness, kurtosis } = moments((k) => uniformAt(key, k));
    expect(Math.abs(mean - 1 / 2)).toBeLessThan(within(Math.sqrt(1 / 12)));
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(within(Math.sqrt(1 / 180)));
    expect(Math.abs(skewness)).toBeLessThan(0.02);
    expect(Math.abs(kurtosis - 1.8)).toBeLessThan(0.02);
    const draws = Array.from({ length: N }, (_, k) => uniformAt(key, k));
    expect(draws.every((u) => u >= 0 && u < 1)).toBe(true);
  });

  it('uniform: every hundredth is hit equally often (chi-square)', () => {
    const bins = new Float64Array(100);
    for (let k = 0; k < N; k++) bins[Math.floor(uniformAt(key, k) * 100)]!++;
    const expected = N / 100;
    const chi2 = bins.reduce((total, n) => total + (n - expected) ** 2 / expected, 0);
    // 99 degrees of freedom: mean 99, standard deviation 14.
    expect(chi2).toBeGreaterThan(99 - 5 * 14);
    expect(chi2).toBeLessThan(99 + 5 * 14);
  });

  it('gaussian: the right moments and tails', () => {
    const { mean, variance, skewness, kurtosis } = moments((k) => gaussianAt(key, k));
    expect(Math.abs(mean)).toBeLessThan(within(1));
    expect(Math.abs(variance - 1)).toBeLessThan(within(Math.SQRT2));
    expect(Math.abs(skewness)).toBeLessThan(within(Math.sqrt(6)));
    expect(Math.abs(kurtosis - 3)).toBeLessThan(within(Math.sqrt(24)));
    for (const [limit, share] of [
      [1, 0.3173105],
      [2, 0.0455003],
      [3, 0.0026998],
    ] as const) {
      let beyond = 0;
      for (let k = 0; k < N; k++) if (Math.abs(gaussianAt(key, k)) > limit) beyond++;
      expect(Math.abs(beyond / N - share)).toBeLessThan(within(Math.sqrt(share * (1 - share))));
    }
  });

  it('are independent of the draw before, of the next step, the next instruction and the next seed', () => {
    const first = deriveKey(5, 9, 2);
    const base = (k: number) => gaussianAt(first, k);
    expect(Math.abs(correlation(base, (k) => base(k + 1)))).toBeLessThan(within(1));
    for (const path of [
      [5, 10, 2],
      [5, 9, 3],
      [6, 9, 2],
    ]) {
      const other = deriveKey(...path);
      expect(Math.abs(correlation(base, (k) => gaussianAt(other, k)))).toBeLessThan(within(1));
    }
    // The first draw of each of many steps: what a random scalar op sees.
    const overSteps = (k: number) => gaussianAt(deriveKey(5, k, 0), 0);
    expect(Math.abs(correlation(overSteps, (k) => overSteps(k + 1)))).toBeLessThan(within(1));
    expect(Math.abs(moments(overSteps).mean)).toBeLessThan(within(1));
  });
});

describe('a stream', () => {
  it('gives the draws of its key in order', () => {
    const stream = new RandomStream(3, 4);
    const key = deriveKey(3, 4);
    expect([stream.uniform(), stream.gaussian(), stream.uniform()]).toEqual([
      uniformAt(key, 0),
      gaussianAt(key, 1),
      uniformAt(key, 2),
    ]);
  });

  it('gives integers in range, all of them', () => {
    const stream = new RandomStream(8);
    const seen = new Set(Array.from({ length: 500 }, () => stream.integer(7)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});
