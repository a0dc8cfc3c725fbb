// Numbers out of files that anybody may have written: what should be one and is none becomes something harmless. Knows nothing of runs.

/** The value if it is a finite number. */
export function finiteOr<T>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** What JSON can say of a number. */
export function finite(value: unknown): number | null {
  return finiteOr(value, null);
}
