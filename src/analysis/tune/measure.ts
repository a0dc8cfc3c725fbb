// What a method of tuning may do: measure candidates, on all or on a part of the tasks and examples. Must not know programs.

export interface Measure {
  /** Of candidates: numbers of constants. */
  readonly dimensions: number;
  /** The fitness of the program as it is, all exponents 0. */
  readonly before: number;
  readonly seed: number;
  /** Full evaluations that are left. */
  readonly left: () => number;
  /** The parts of a full evaluation that can be had, from the smallest on; the last is 1. */
  readonly parts: readonly number[];
  /** Fitnesses of candidates (powers of ten) on a part; those of the whole are remembered. Spends part times candidates. */
  readonly measure: (exponents: readonly (readonly number[])[], part: number) => Promise<number[]>;
}
