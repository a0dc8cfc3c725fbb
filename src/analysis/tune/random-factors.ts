// The paper's tuning: joint random search, each constant scaled by a factor between 0.001 and 1000, uniform in the logarithm. Must not
// know programs.
import { RandomStream } from '../../util/random.js';
import type { Measure } from './measure.js';

/** Powers of ten that constants are scaled by, at most. */
export const LARGEST_EXPONENT = 3;

/** Exponents of candidate number `index`: the same whatever came before. */
export function drawExponents(seed: number, index: number, dimensions: number): number[] {
  const random = new RandomStream(seed, index);
  return Array.from({ length: dimensions }, () => LARGEST_EXPONENT * (2 * random.uniform() - 1));
}

/** Candidates that are measured before progress is looked at. */
const AT_ONCE = 64;

export async function drawFactors({ dimensions, seed, left, measure }: Measure): Promise<void> {
  for (let index = 0; left() >= 1; ) {
    const count = Math.min(AT_ONCE, Math.floor(left()));
    await measure(
      Array.from({ length: count }, (_, k) => drawExponents(seed, index + k, dimensions)),
      1,
    );
    index += count;
  }
}
