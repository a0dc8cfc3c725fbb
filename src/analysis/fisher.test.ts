import fc from 'fast-check';
import { expect, test } from 'vitest';
import '../../tests/support/arbitraries.js';
import { fisherGreater, fisherTwoSided, tableProbabilities } from './fisher.js';

const of = (having: number, all: number) => ({ with: having, all });

function choose(n: number, k: number): bigint {
  let result = 1n;
  for (let i = 1; i <= k; i++) result = (result * BigInt(n - k + i)) / BigInt(i);
  return result;
}

/** Exact fractions, rounded once at the end. */
function exactGreater(a: number, n: number, c: number, m: number): number {
  let ways = 0n;
  for (let k = a; k <= Math.min(n, a + c); k++) ways += choose(n, k) * choose(m, a + c - k);
  return Number((ways * 10n ** 40n) / choose(n + m, a + c)) / 1e40;
}

test.each([
  // The paper's three adaptations; p-values from exact fractions.
  [8, 0, 0.0022875311953459835, 0.004575062390691967],
  [24, 0, 1.646978304262419e-11, 3.293956608524838e-11],
  [30, 3, 4.6133846057770837e-14, 9.226769211554167e-14],
])('%i of 30 against %i of 30', (runs, control, greater, twoSided) => {
  expect(fisherGreater(of(runs, 30), of(control, 30)) / greater).toBeCloseTo(1, 10);
  expect(fisherTwoSided(of(runs, 30), of(control, 30)) / twoSided).toBeCloseTo(1, 10);
});

test("the lady who tastes tea, and Fisher's criminal twins", () => {
  expect(fisherGreater(of(3, 4), of(1, 4))).toBeCloseTo(17 / 70, 14);
  expect(fisherTwoSided(of(3, 4), of(1, 4))).toBeCloseTo(34 / 70, 14);
  expect(fisherGreater(of(10, 13), of(2, 17))).toBeCloseTo(0.0004652, 7);
});

test('groups that are the same, empty or all alike say nothing', () => {
  for (const [a, b] of [
    [of(0, 30), of(0, 30)],
    [of(30, 30), of(30, 30)],
    [of(0, 0), of(3, 5)],
    [of(4, 9), of(0, 0)],
  ] as const) {
    expect(fisherGreater(a, b)).toBeCloseTo(1, 12);
    expect(fisherTwoSided(a, b)).toBeCloseTo(1, 12);
  }
});

test('what is no share is refused', () => {
  expect(() => fisherGreater(of(5, 4), of(0, 4))).toThrow(RangeError);
  expect(() => fisherTwoSided(of(-1, 4), of(0, 4))).toThrow(RangeError);
  expect(() => fisherGreater(of(1, 4), of(0.5, 4))).toThrow(RangeError);
});

const share = fc.nat(60).chain((all) => fc.nat(all).map((having) => of(having, all)));

test('probabilities sum to 1, exchanged groups agree, and every p-value is exact', () => {
  fc.assert(
    fc.property(share, share, (a, b) => {
      const { probabilities } = tableProbabilities(a, b);
      expect(probabilities.reduce((x, y) => x + y, 0)).toBeCloseTo(1, 10);
      expect(fisherTwoSided(a, b)).toBeCloseTo(fisherTwoSided(b, a), 10);
      const exact = exactGreater(a.with, a.all, b.with, b.all);
      expect(Math.abs(fisherGreater(a, b) / exact - 1)).toBeLessThan(1e-9);
      // More in the first group, or as many as are missing in the second.
      const opposite = fisherGreater(of(b.all - b.with, b.all), of(a.all - a.with, a.all));
      expect(fisherGreater(a, b)).toBeCloseTo(opposite, 10);
    }),
  );
});
