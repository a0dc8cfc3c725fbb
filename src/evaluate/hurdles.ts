// How high hurdles are: a percentile of the unique fitnesses of the population, so that the part of programs that is cut stays the
// same however fitnesses shift (paper, supplement, "Hurdles"). Must not know populations.

/** The smallest of the different values that at least `percentile` percent of them do not exceed; nothing if there are none. */
export function percentileOfUnique(values: Iterable<number>, percentile: number): number | undefined {
  const unique = [...new Set(values)].sort((a, b) => a - b);
  if (unique.length === 0) return undefined;
  return unique[Math.max(0, Math.ceil((percentile / 100) * unique.length) - 1)]!;
}
