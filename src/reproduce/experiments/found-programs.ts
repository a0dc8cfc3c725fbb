// What searches have found: the best programs, with what they are.
import { explain } from '../../analysis/explain/explain.js';
import { TECHNIQUES, type TechniqueName } from '../../analysis/explain/explanation.js';
import { parseSource } from '../../program/parse.js';
import type { FoundProgram } from '../findings.js';
import type { FinishedSearch } from '../laboratory.js';

/** The techniques of a program by `explain`. */
export function techniquesOf(text: string, isClassification: boolean): TechniqueName[] {
  const { program, labels } = parseSource(text);
  const loss = labels === 'scalar' && isClassification ? 'accuracy' : undefined;
  return explain(program, labels, loss).techniques.map(({ name }) => name);
}

export function describeTechniques(names: readonly TechniqueName[]): string {
  return names.length === 0 ? 'no known technique' : names.map((name) => TECHNIQUES[name]).join(', ');
}

/** The best so many by their fitness on the tasks to select on. */
export function bestOf(runs: readonly FinishedSearch[], count: number, isClassification = true): FoundProgram[] {
  return runs
    .filter(({ result }) => result.simplified !== null)
    .sort((a, b) => (b.result.selectFitness ?? 0) - (a.result.selectFitness ?? 0))
    .slice(0, count)
    .map(({ key, result }) => ({
      name: key,
      about: `Select fitness ${result.selectFitness?.toFixed(4)}, from ${result.algorithms.toLocaleString('en-US')} algorithms with seed ${result.seed}: ${describeTechniques(techniquesOf(result.simplified!, isClassification))}.`,
      text: result.simplified!,
    }));
}
