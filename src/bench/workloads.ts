// What a benchmark is and what it reports, and the figures of the C++ original to compare with. Must not know commands.

export interface Measurement {
  /** The workload's name; if it has several measurements, a slash and which. */
  readonly name: string;
  /** What the value is, with its unit. */
  readonly metric: string;
  readonly value: number;
  /** How many times faster than the original, on this machine; nothing where the original has no such figure. */
  readonly vsOriginal: number | null;
  /** A word for people. */
  readonly note?: string;
}

export interface Workload {
  readonly name: string;
  /** What it measures, in a line. */
  readonly about: string;
  /** It takes so long that it runs only if somebody asks for it by name. */
  readonly isLong?: true;
  readonly run: () => Measurement[] | Promise<Measurement[]>;
}

/** Something that a workload needs is not on this machine. The message says what, and how to get it. */
export class CannotMeasure extends Error {
  override readonly name = 'CannotMeasure';
}

/**
 * The cost of the original (f64, one core, -O3 -march=native) in units of the yardstick, measured beside it on one machine:
 * nanoseconds divided by the yardstick's.
 */
export const ORIGINAL = {
  networkStep: { 4: 0.187, 8: 0.281, 16: 0.464, 32: 1.38 } as Readonly<Record<number, number>>,
  /** One algorithm of a search. */
  demoSearch: 77.3,
  fullSpaceSearch: 3190,
  /** Until a program passes. */
  discoveryLinear: 217_000_000,
} as const;

/** How many times faster than something that costs `units` of the yardstick. */
export function ratioToOriginal(units: number, { ns, yardstick }: { ns: number; yardstick: number }): number {
  return (units * yardstick) / ns;
}
