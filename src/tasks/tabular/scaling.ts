// Standardizing: numbers as distances from the mean of the training rows, in their deviations. Must not know where numbers come
// from.

export interface Scaling {
  readonly mean: number;
  /** In the population form; 0 if the training rows do not differ. */
  readonly deviation: number;
}

/** Deviations below this part of the largest number, or below the smallest, are rounding. */
const ROUNDING = 1e-10;
const SMALLEST = 1e-140;

/** The squares of larger numbers, or their sums, would overflow: those are made smaller for the while, by a power of two. */
const LARGE = 1e140;
const SMALLER = 2 ** -600;

/** No training row is so many deviations away, as there would have to be 10^12 of them; others are brought back to it. */
const FARTHEST = 1e6;

/** Mean and deviation of `count` numbers, of which those that are not among `values` are at the mean. */
export function fitScaling(values: Float64Array, count = values.length): Scaling {
  if (values.length === 0) return { mean: 0, deviation: 0 };
  const largest = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const unit = largest > LARGE ? SMALLER : 1;
  const average = (of: (x: number) => number) => values.reduce((total, x) => total + of(x * unit), 0) / values.length;
  const rough = average((x) => x);
  const mean = rough + average((x) => x - rough);
  const variance = (average((x) => (x - mean) * (x - mean)) * values.length) / count;
  const deviation = Math.sqrt(variance) / unit;
  return { mean: mean / unit, deviation: deviation > Math.max(SMALLEST, ROUNDING * largest) ? deviation : 0 };
}

/** Of a column that is 1 in a part of the rows and 0 in the others. */
export function scalingOfShare(share: number): Scaling {
  return { mean: share, deviation: Math.sqrt(share * (1 - share)) };
}

export function standardize(x: number, { mean, deviation }: Scaling): number {
  if (deviation === 0) return 0;
  // Halves, because the difference of two large numbers may overflow.
  return Math.max(-FARTHEST, Math.min(FARTHEST, (x / 2 - mean / 2) / (deviation / 2)));
}
