import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../tests/support/arbitraries.js';
import { rankSumGreater } from './rank-sum.js';

/** By trying every way to divide the values. */
function byCounting(first: readonly number[], second: readonly number[]): number {
  const values = [...first, ...second];
  const rank = (value: number) =>
    values.filter((other) => other < value).length + values.filter((other) => other === value).length / 2;
  const reached = first.reduce((sum, value) => sum + rank(value), 0);
  let [as, all] = [0, 0];
  for (let bits = 0; bits < 2 ** values.length; bits++) {
    const group = values.filter((_, k) => ((bits >> k) & 1) === 1);
    if (group.length !== first.length) continue;
    all++;
    if (group.reduce((sum, value) => sum + rank(value), 0) >= reached) as++;
  }
  return as / all;
}

describe('the rank-sum test', () => {
  it('has the values of tables', () => {
    // One of the 20 ways to choose three of six.
    expect(rankSumGreater([4, 5, 6], [1, 2, 3])).toBeCloseTo(1 / 20, 12);
    expect(rankSumGreater([1, 2, 3], [4, 5, 6])).toBe(1);
    // U = 2 of 25: 4 of the 252 ways reach it.
    expect(rankSumGreater([3, 7, 8, 9, 10], [1, 2, 4, 5, 6])).toBeCloseTo(
      byCounting([3, 7, 8, 9, 10], [1, 2, 4, 5, 6]),
      12,
    );
    const groups = [
      [11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ] as const;
    expect(rankSumGreater(...groups)).toBeCloseTo(1 / 184_756, 15);
  });

  it('counts values that are the same as neither larger nor smaller', () => {
    expect(rankSumGreater([1, 1], [1, 1, 1])).toBe(1);
    expect(rankSumGreater([2, 2, 2], [1, 1])).toBeCloseTo(1 / 10, 12);
  });

  it('is what counting all ways gives', () => {
    const group = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(group, group, (a, b) => {
        expect(rankSumGreater(a, b)).toBeCloseTo(byCounting(a, b), 12);
      }),
    );
  });
});
