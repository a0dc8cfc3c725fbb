import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../tests/support/arbitraries.js';
import { splitGroups } from './split.js';

/** Groups of such sizes, whose items are numbered through. */
function groupsOf(sizes: readonly number[]): number[][] {
  let next = 0;
  return sizes.map((size) => Array.from({ length: size }, () => next++));
}

const sizes = fc.array(fc.nat(60), { minLength: 1, maxLength: 10 });
const fraction = fc.double({ min: 0.01, max: 0.99, noNaN: true });

describe('splits', () => {
  it('have every row in one part', () => {
    fc.assert(
      fc.property(sizes, fraction, fc.nat(), (counts, part, seed) => {
        const groups = groupsOf(counts);
        const { train, valid } = splitGroups(groups, part, seed);
        expect([...train, ...valid].sort((a, b) => a - b)).toEqual(groups.flat());
      }),
    );
  });

  it('keep the proportions of groups, and have each of two or more in both parts', () => {
    fc.assert(
      fc.property(sizes, fraction, fc.nat(), (counts, part, seed) => {
        const groups = groupsOf(counts);
        const valid = new Set(splitGroups(groups, part, seed).valid);
        for (const group of groups) {
          const inValid = group.filter((item) => valid.has(item)).length;
          if (group.length < 2) expect(inValid).toBe(0);
          else {
            expect(inValid).toBeGreaterThan(0);
            expect(inValid).toBeLessThan(group.length);
            expect(Math.abs(inValid - part * group.length)).toBeLessThan(1);
          }
        }
      }),
    );
  });

  it('are mixed, the same for the same seed and others for another', () => {
    const groups = groupsOf([50, 50]);
    const { train } = splitGroups(groups, 0.2, 1);
    expect(splitGroups(groups, 0.2, 1).train).toEqual(train);
    expect(splitGroups(groups, 0.2, 2).train).not.toEqual(train);
    expect(train.slice(0, 20).some((item) => item < 50)).toBe(true);
    expect(train.slice(0, 20).some((item) => item >= 50)).toBe(true);
  });
});
