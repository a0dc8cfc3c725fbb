import { describe, expect, it } from 'vitest';
import { comparePaired, differenceText, studentTail } from './paired.js';

describe('studentTail', () => {
  it('is what tables of Student’s t say', () => {
    // Two-sided 5 % and 1 % points.
    for (const [t, degrees, tail] of [
      [12.7062, 1, 0.05],
      [4.3027, 2, 0.05],
      [2.306, 8, 0.05],
      [3.2498, 9, 0.01],
      [2.0452, 29, 0.05],
    ] as const) {
      expect(studentTail(t, degrees)).toBeCloseTo(tail, 4);
      expect(studentTail(-t, degrees)).toBe(studentTail(t, degrees));
    }
    expect(studentTail(0, 5)).toBe(1);
    expect(studentTail(Number.POSITIVE_INFINITY, 5)).toBe(0);
  });
});

describe('comparePaired', () => {
  it('looks at differences, however much the tasks differ', () => {
    const before = [0.1, 0.5, 0.9, 0.3];
    const { mean, half, pValue } = comparePaired(before, [0.11, 0.52, 0.91, 0.32]);
    expect(mean).toBeCloseTo(0.015);
    // Standard error 0.00288675, t of 3 degrees of freedom.
    expect(half).toBeCloseTo(3.1824 * 0.00288675, 5);
    expect(pValue).toBeCloseTo(0.0138, 3);
  });

  it('finds no evidence where nothing differs, and says nothing of one task', () => {
    expect(comparePaired([0.5, 0.6], [0.5, 0.6]).pValue).toBe(1);
    expect(comparePaired([0.5], [0.6])).toEqual({ mean: expect.closeTo(0.1) });
  });
});

it('shows signs', () => {
  expect(differenceText({ mean: -0.01234, half: 0.002 })).toBe('-0.0123 ± 0.0020');
  expect(differenceText({ mean: 0 })).toBe('+0.0000');
});
