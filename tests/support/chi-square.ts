// Whether counts of random draws fit the distribution they should have: Pearson's chi-square test. Seeds in tests are fixed, so
// a test that passes once passes always. Must not know what is drawn.
import { expect } from 'vitest';
import { inverseNormal } from '../../src/util/normal.js';

/** How likely draws of the right distribution are to fail. */
const FALSE_ALARM = 1e-6;
/** Below this expected count the statistic is not distributed as chi-square. */
const FEWEST_EXPECTED = 5;

/** What chi-square exceeds with that probability (Wilson and Hilferty 1931). */
function criticalValue(degrees: number): number {
  const variance = 2 / (9 * degrees);
  return degrees * (1 - variance + inverseNormal(1 - FALSE_ALARM) * Math.sqrt(variance)) ** 3;
}

/** Draws cells by their numbers, and counts how often each came. */
export function countCells(cells: number, draws: number, draw: () => number): number[] {
  const counts = new Array<number>(cells).fill(0);
  for (let k = 0; k < draws; k++) {
    const cell = draw();
    if (!Number.isInteger(cell) || cell < 0 || cell >= cells)
      throw new Error(`drew ${cell}, not one of ${cells} cells`);
    counts[cell]!++;
  }
  return counts;
}

/** So many cells, each as likely as any other. */
export function evenly(cells: number): number[] {
  return new Array<number>(cells).fill(1 / cells);
}

/** Fails if the counts do not fit; cells of probability 0 must be empty. */
export function expectDistribution(counts: readonly number[], probabilities: readonly number[]): void {
  expect(counts).toHaveLength(probabilities.length);
  const total = probabilities.reduce((sum, p) => sum + p, 0);
  if (Math.abs(total - 1) > 1e-9) throw new Error(`the probabilities add up to ${total}`);
  const draws = counts.reduce((sum, count) => sum + count, 0);
  let statistic = 0;
  let possible = 0;
  for (const [k, p] of probabilities.entries()) {
    if (p === 0) {
      expect(counts[k], `draws of the impossible cell ${k}`).toBe(0);
      continue;
    }
    if (p * draws < FEWEST_EXPECTED) throw new Error(`${draws} draws are too few for cell ${k} of probability ${p}`);
    statistic += (counts[k]! - p * draws) ** 2 / (p * draws);
    possible++;
  }
  if (possible > 1) expect(statistic, `chi-square of ${counts.join(' ')}`).toBeLessThan(criticalValue(possible - 1));
}
