// What is saved of a run, so that it can go on from there to the same end. Types only.
import type { EvaluationCounts } from '../evaluate/candidate-evaluator.js';
import type { SavedHall } from '../evolve/hall-of-fame.js';
import type { SavedLines } from '../evolve/lineage.js';
import type { EndReason } from './events.js';
import type { SavedExperiment } from './experiment.js';

export type Phase = 'search' | 'select' | 'final' | 'done';

/** Everything that a run remembers, but for what its configuration says. */
export interface SavedRun {
  readonly phase: Phase;
  readonly experiment: number;
  readonly finished: EvaluationCounts & { readonly algorithms: number; readonly rescued: number };
  readonly nextProgress: number;
  readonly lastBestAt: number;
  readonly endReason: EndReason | null;
  readonly hall: SavedHall;
  readonly current: SavedExperiment | null;
  readonly selected: { line: SavedLines; experiment: number; selectFitness: number } | null;
  /** The line of the program that is being scored, and its fitnesses so far. */
  readonly scored: { line: SavedLines; fitnesses: Float64Array } | null;
  readonly finalFitness: number | null;
}
