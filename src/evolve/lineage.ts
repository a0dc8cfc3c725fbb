// Where a program comes from: the steps of its line, back to an initial program, at which it became better than all its
// ancestors. The many steps between, which changed nothing or lost something again, are left out. Must not know populations.
import type { Program } from '../program/program.js';
import type { MutationName } from './mutations.js';

/** What made a program: a mutation, or how the first ones were made. */
export type Origin = MutationName | 'initial' | 'copy';

export interface LineageStep {
  readonly id: number;
  readonly program: Program;
  readonly fitness: number;
  readonly origin: Origin;
  /** The program that was changed, if it was not an initial one. */
  readonly parent: { readonly id: number; readonly fitness: number; readonly program: Program } | undefined;
  /** The step before. */
  readonly previous: LineageStep | undefined;
}

/** From the beginning to this step. */
export function stepsTo(last: LineageStep): LineageStep[] {
  const steps: LineageStep[] = [];
  for (let step: LineageStep | undefined = last; step !== undefined; step = step.previous) steps.push(step);
  return steps.reverse();
}
