// The fitness of a program over many tasks, in a few numbers. The paper says median, its released configurations use the
// mean; both are given. Must not know how the fitnesses came about.
import { mean, median, standardDeviation } from '../util/stats.js';

/** Fitnesses on several tasks, in brief. */
export interface Summary {
  readonly mean: number;
  readonly median: number;
  /** Standard deviation over the tasks, population form. */
  readonly std: number;
  readonly fitnesses: readonly number[];
}

/** Mean, median and deviation of fitnesses. */
export function summarize(fitnesses: readonly number[]): Summary {
  return { mean: mean(fitnesses), median: median(fitnesses), std: standardDeviation(fitnesses), fitnesses };
}

/** Over tasks: the paper says median, the released configurations use the mean. */
export const FITNESS_KINDS = ['mean', 'median'] as const;
/** How the fitness of a program is made of its fitnesses on several tasks. */
export type FitnessKind = (typeof FITNESS_KINDS)[number];

/** One number from the fitnesses on all tasks. */
export function combine(kind: FitnessKind, fitnesses: ArrayLike<number>): number {
  if (kind === 'median') return median(Array.from(fitnesses));
  let total = 0;
  for (let k = 0; k < fitnesses.length; k++) total += fitnesses[k]!;
  return total / fitnesses.length;
}
