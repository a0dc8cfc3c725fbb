// Ranks candidates on the same tasks, and says which of them the winner cannot be told from (paper, supplement "Algorithm Selection and
// Evaluation"). Must not know where candidates come from.
import { combine, type FitnessKind } from '../evaluate/summary.js';
import { mean, meanInterval } from '../util/stats.js';

export interface Contender<T> {
  readonly of: T;
  readonly fitnesses: readonly number[];
}

export interface Ranked<T> extends Contender<T> {
  readonly fitness: number;
  /** Half the width of the 95 % confidence interval of the mean; nothing with one task. */
  readonly interval: number | undefined;
  /** By how much the winner is better, on the average over the same tasks, and the interval of that. */
  readonly behind: number;
  readonly behindInterval: number | undefined;
  /** Whether chance explains that it is behind the winner. */
  readonly isTied: boolean;
}

/** From the best to the worst; of equals the earlier one first. */
export function rankContenders<T>(contenders: readonly Contender<T>[], kind: FitnessKind): Ranked<T>[] {
  const scored = contenders.map((contender) => ({ ...contender, fitness: combine(kind, contender.fitnesses) }));
  scored.sort((a, b) => b.fitness - a.fitness);
  const [winner] = scored;
  return scored.map((contender) => {
    const differences = contender.fitnesses.map((fitness, k) => winner!.fitnesses[k]! - fitness);
    const behind = mean(differences);
    const behindInterval = meanInterval(differences);
    return {
      ...contender,
      interval: meanInterval(contender.fitnesses),
      behind,
      behindInterval,
      isTied: contender === winner || behindInterval === undefined || behind <= behindInterval,
    };
  });
}
