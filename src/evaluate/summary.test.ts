import { describe, expect, it } from 'vitest';
import { combine, summarize } from './summary.js';

describe('combine', () => {
  it('is the mean or the median over tasks, for arrays of both kinds', () => {
    const fitnesses = [0.9, 0.1, 0.3, 0.2];
    for (const given of [fitnesses, Float64Array.from(fitnesses)]) {
      expect(combine('mean', given)).toBeCloseTo(0.375, 15);
      expect(combine('median', given)).toBeCloseTo(0.25, 15);
    }
    expect(combine('median', [10, 9, 100])).toBe(10);
    expect(combine('mean', [0.3])).toBe(0.3);
  });

  it('leaves the fitnesses in their order: evaluators reuse the array', () => {
    const fitnesses = Float64Array.of(3, 1, 2);
    combine('median', fitnesses);
    expect([...fitnesses]).toEqual([3, 1, 2]);
  });

  it('is, to the bit, what a summary says', () => {
    const fitnesses = Array.from({ length: 11 }, (_, k) => Math.sin(k) ** 2);
    const { mean, median } = summarize(fitnesses);
    expect(combine('mean', fitnesses)).toBe(mean);
    expect(combine('median', fitnesses)).toBe(median);
  });
});
