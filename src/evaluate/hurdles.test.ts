import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../tests/support/arbitraries.js';
import { percentileOfUnique } from './hurdles.js';

describe('percentileOfUnique', () => {
  it('is the smallest value that so many percent do not exceed', () => {
    expect(percentileOfUnique([4, 1, 3, 2], 75)).toBe(3);
    expect(percentileOfUnique([5, 4, 1, 3, 2], 75)).toBe(4);
    expect(percentileOfUnique([4, 1, 3, 2], 50)).toBe(2);
    expect(percentileOfUnique([4, 1, 3, 2], 51)).toBe(3);
    // By number, not by text.
    expect(percentileOfUnique([10, 9, 100, 1e-7], 75)).toBe(10);
  });

  it('counts equal values once', () => {
    expect(percentileOfUnique([0, 0, 0, 0, 0, 0, 0, 0.2, 0.5, 0.9], 75)).toBe(0.5);
    expect(percentileOfUnique([0.9, 0.9, 0.9, 0.9, 0.9, 0, 0.2, 0.5], 75)).toBe(0.5);
    expect(percentileOfUnique([0, -0], 75)).toBe(0);
  });

  it('is the value itself if there is one, and nothing if there is none', () => {
    for (const percentile of [0, 0.1, 50, 100]) {
      expect(percentileOfUnique([0.3, 0.3], percentile)).toBe(0.3);
      expect(percentileOfUnique([], percentile)).toBeUndefined();
    }
  });

  it('is the least at 0 and the greatest at 100', () => {
    expect(percentileOfUnique([3, 1, 2], 0)).toBe(1);
    expect(percentileOfUnique([3, 1, 2], 100)).toBe(3);
  });

  it('reads what can be gone through only once, and changes nothing', () => {
    const values = [2, 1, 3, 1];
    expect(percentileOfUnique(values.values(), 60)).toBe(2);
    expect(percentileOfUnique(values, 60)).toBe(2);
    expect(values).toEqual([2, 1, 3, 1]);
  });

  it('follows its definition on any values', () => {
    const values = fc.array(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.25, 0.5, 1)), {
      minLength: 1,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 100 }), (given, percentile) => {
        const found = percentileOfUnique(given, percentile)!;
        const unique = [...new Set(given)];
        /** Percent of the different values that do not exceed `limit`, times their number. */
        const reached = (limit: number) => 100 * unique.filter((value) => value <= limit).length;
        expect(given).toContain(found);
        expect(reached(found)).toBeGreaterThanOrEqual(percentile * unique.length);
        for (const smaller of unique.filter((value) => value < found)) {
          expect(reached(smaller)).toBeLessThan(percentile * unique.length);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
