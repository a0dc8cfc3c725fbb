// Summaries of a few numbers. Knows nothing of programs.

export function mean(values: readonly number[]): number {
  let total = 0;
  for (const v of values) total += v;
  return total / values.length;
}

/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** The value below which a part of the values lies, between two of them if need be; infinite ones may be among them. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = part * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low === high ? low : low + (at - Math.floor(at)) * (high - low);
}

/** Standard deviation in the population form. */
export function standardDeviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((v) => (v - centre) * (v - centre))));
}

/** Standard error of the mean; nothing of fewer than two values. */
export function standardError(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  return standardDeviation(values) / Math.sqrt(values.length - 1);
}

/** Half the width of the 95 % confidence interval of the mean, by Student's t; nothing of fewer than two values. */
export function meanInterval(values: readonly number[]): number | undefined {
  const error = standardError(values);
  return error === undefined ? undefined : studentQuantile(values.length - 1) * error;
}

/** The 0.975 quantile of the normal distribution. */
const NORMAL_QUANTILE = 1.959964;

/** Both ends of Wilson's 95 % interval of a part, `found` of `count`, which is right for parts near 0 and 1 too. */
export function partInterval(found: number, count: number): readonly [low: number, high: number] {
  if (count === 0) return [0, 1];
  const part = found / count;
  const square = NORMAL_QUANTILE ** 2 / count;
  const centre = (part + square / 2) / (1 + square);
  const half = Math.sqrt(square * (part * (1 - part) + square / 4)) / (1 + square);
  return [found === 0 ? 0 : centre - half, found === count ? 1 : centre + half];
}

/** 0.975 quantiles of Student's t distribution for 1 to 30 degrees of freedom. */
const STUDENT = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604, 2.1448, 2.1314,
  2.1199, 2.1098, 2.1009, 2.093, 2.086, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
];

function studentQuantile(degrees: number): number {
  const z = NORMAL_QUANTILE;
  // Beyond the table, the first terms of the expansion in 1 / degrees.
  return STUDENT[degrees - 1] ?? z + (z ** 3 + z) / (4 * degrees);
}
