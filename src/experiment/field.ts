// Where a run's experiments happen: in this thread, or on islands elsewhere. A run asks a field to go on and is told what was found;
// everything else about a run is the same. Types only.
import type { EvaluationCounts } from '../evaluate/candidate-evaluator.js';
import type { HallOfFame } from '../evolve/hall-of-fame.js';
import type { LineageStep } from '../evolve/lineage.js';
import type { EndReason, MigrationCounts } from './events.js';

/** A program that is better than all before it in its group of islands. */
export interface NewBest {
  readonly line: LineageStep;
  readonly hash: string;
  /** From 0 on. */
  readonly island: number;
  readonly group: number;
}

/** How far an island is. */
export interface IslandStatus {
  readonly island: number;
  readonly group: number;
  readonly algorithms: number;
  readonly best: number | null;
  /** Of the population; random search has none. */
  readonly mean: number | null;
  readonly migration: MigrationCounts;
}

export interface Findings {
  /** In the order in which they were found. */
  readonly bests: readonly NewBest[];
  /** Why the experiment ended, if it did: by its own limits. */
  readonly ended: EndReason | undefined;
  /** Somebody has stopped the islands, so that nothing more will be found. */
  readonly isStopped?: boolean;
}

/** What an experiment may still take in the whole run. */
export interface Allowance {
  readonly algorithms: number;
  readonly trainSteps: number;
}

/** How far to go at most. */
export interface Stretch {
  readonly algorithms: number;
  /** Of the experiment, from its beginning. */
  readonly work: number;
}

export interface Field {
  readonly isOpen: boolean;
  /** Of the current experiment. */
  readonly algorithms: number;
  readonly counts: Readonly<EvaluationCounts>;
  readonly rescued: number;
  /** The best programs of each group that has any; the first is that of the first group. */
  readonly bests: readonly LineageStep[];
  /** Of the first island: the fitness to reach at each hurdle; -Infinity while there is none. */
  readonly hurdles: readonly number[];
  /** Over all populations. */
  readonly mean: number | null;
  readonly islands: readonly IslandStatus[];
  /** Algorithms since the last best one was found. */
  readonly sinceBest: number;
  /** Draws the tasks of an experiment, from 1 on, and begins it. */
  begin(experiment: number, allowance: Allowance): Promise<void>;
  /** Goes on for at most so long, or until something is found. What is good enough enters the hall of fame. */
  advance(stretch: Stretch, hall: HallOfFame): Findings | Promise<Findings>;
  /** Ends the experiment, and perhaps the whole search. */
  end(isLast: boolean): void;
  /** Nothing if there is nothing to keep between two experiments. */
  save(): Promise<unknown>;
  restore(saved: unknown, experiment: number, allowance: Allowance): Promise<void>;
  dispose(): void;
}
