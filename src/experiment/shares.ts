// How limits of a whole run are divided over islands. Knows nothing else.

/** A part of what may be used up, so that all parts together are the whole. */
export function share(total: number, island: number, islands: number): number {
  if (total === Number.POSITIVE_INFINITY) return total;
  return Math.floor(total / islands) + (island < total % islands ? 1 : 0);
}
