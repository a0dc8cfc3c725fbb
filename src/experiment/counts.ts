// What is counted of the programs that a search judges: the names, in one order, and sums. Must not know where they are counted.
import { type EvaluationCounts, noCounts } from '../evaluate/candidate-evaluator.js';

export type CountName = keyof EvaluationCounts;

export const COUNT_NAMES: readonly CountName[] = Object.keys(noCounts()) as CountName[];

/** Every count, by its name. */
export function makeCounts(count: (name: CountName) => number): EvaluationCounts {
  const counts = noCounts();
  for (const name of COUNT_NAMES) counts[name] = count(name);
  return counts;
}

export function sumCounts(all: readonly Readonly<EvaluationCounts>[]): EvaluationCounts {
  return makeCounts((name) => all.reduce((total, counts) => total + counts[name], 0));
}
