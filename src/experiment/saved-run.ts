// What is saved of a run, so that it can go on from there to the same end. Types only.
import type { EvaluationCounts } from '../evaluate/candidate-evaluator.js';
import type { SavedHall } from '../evolve/hall-of-fame.js';
import type { SavedLines } from '../evolve/lineage.js';
import type { EndReason } from './events.js';

export type Phase = 'search' | 'select' | 'final' | 'done';

/** Everything that a run remembers, but for what its configuration says. */
export interface SavedRun {
  readonly phase: Phase;
  readonly experiment: number;
  readonly finished: EvaluationCounts & { readonly algorithms: number; readonly rescued: number };
  readonly nextProgress: number;
  /** NaN where a group has none yet; empty without groups. */
  readonly bestOfGroup: Float64Array;
  readonly endReason: EndReason | null;
  readonly hall: SavedHall;
  /** What the field saved of the current experiment. */
  readonly field: unknown;
  readonly selected: { line: SavedLines; experiment: number; selectFitness: number } | null;
  /** The line of the program that is being scored, and its fitnesses so far. */
  readonly scored: { line: SavedLines; fitnesses: Float64Array } | null;
  /** The lines of the programs that are to be scored after it. */
  readonly toScore: readonly SavedLines[];
  readonly finalFitness: number | null;
}
