// Estimates with their uncertainty, as tables of the paper give them. Knows nothing of programs.
import { mean, partInterval, standardError } from '../util/stats.js';

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A part of n, with Wilson's 95 % interval. */
export function estimatePart(found: number, n: number): Estimate {
  const [low, high] = partInterval(found, n);
  return { value: n === 0 ? 0 : found / n, low, high };
}

/** A mean and twice its standard error, as the paper's tables have it. */
export function estimateMean(values: readonly number[]): Estimate {
  const value = mean(values);
  const two = 2 * (standardError(values) ?? 0);
  return { value, low: value - two, high: value + two };
}

/** How much more one mean is than another that was measured apart from it. */
export function estimateDifference(more: Estimate, less: Estimate): Estimate {
  const value = more.value - less.value;
  const half = Math.hypot(more.high - more.value, less.high - less.value);
  return { value, low: value - half, high: value + half };
}

/** `0.703 ± 0.002`, of a symmetric interval. */
export function meanText({ value, high }: Estimate, digits = 3): string {
  return `${value.toFixed(digits)} ± ${(high - value).toFixed(digits)}`;
}

/** `12 of 20 (0.60, 0.39 to 0.78)` */
export function partText(found: number, n: number): string {
  const { value, low, high } = estimatePart(found, n);
  return `${found} of ${n} (${value.toFixed(2)}, ${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/**
 * How often single draws succeed, from groups of `size` draws of which so many had a success: groups with several count once, which the
 * logarithm undoes as long as some have none.
 */
export function estimateRate(groupsWith: number, groups: number, size: number): Estimate {
  const rate = (part: number) => (part < 1 ? -Math.log1p(-part) / size : 1 / size);
  const { value, low, high } = estimatePart(groupsWith, groups);
  return { value: rate(value), low: rate(low), high: rate(high) };
}

/** So many events in so many tries. */
export interface Events {
  readonly found: number;
  readonly tries: number;
}

/** How probable it is that as many of all events or more are among the first tries, if they are as likely in both: rare events only. */
export function rateGreater(first: Events, second: Events): number {
  const events = first.found + second.found;
  const part = first.tries / (first.tries + second.tries);
  let probability = (1 - part) ** events;
  let below = 0;
  for (let k = 0; k < first.found; k++) {
    below += probability;
    probability *= ((events - k) / (k + 1)) * (part / (1 - part));
  }
  return Math.max(0, 1 - below);
}
