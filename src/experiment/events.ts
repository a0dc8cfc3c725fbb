// What a run tells while it goes on, and what it ends with. Events hold no times: they are the same whenever and wherever a run
// happens, and however often it is interrupted. Must not know how runs work.
import type { EvaluationCounts } from '../evaluate/candidate-evaluator.js';
import type { Origin } from '../evolve/lineage.js';

/** Counts over a whole run. */
export interface RunCounts extends Readonly<EvaluationCounts> {
  /** Every program that was proposed, known or not. */
  readonly algorithms: number;
}

/** Why an experiment or a run ended. */
export type EndReason = 'fitness' | 'experiments' | 'algorithms' | 'steps' | 'no-progress' | 'minutes' | 'stopped';

interface AtPlace {
  /** From 1 on. */
  readonly experiment: number;
  /** Programs proposed in the run so far. */
  readonly algorithms: number;
}

/** An experiment has drawn its tasks and begins. */
export interface ExperimentEvent extends AtPlace {
  readonly type: 'experiment';
}

/** How far a run is, now and then. */
export interface ProgressEvent extends AtPlace, Omit<RunCounts, 'algorithms'> {
  readonly type: 'progress';
  /** The best fitness of this experiment; of several groups of islands, that of the first group that has any. */
  readonly best: number;
  /** The mean fitness of the population; random search has none. */
  readonly mean: number | null;
  /** The fitness to reach at each hurdle; nothing while there is none. */
  readonly hurdles: readonly (number | null)[];
}

/** What islands have sent and received in an experiment so far. */
export interface MigrationCounts {
  /** How often an island sent and received. */
  readonly migrations: number;
  /** Programs that it sent. */
  readonly sent: number;
  /** Programs that it received. */
  readonly received: number;
  /** Of those received, from groups with other tasks, so that they were judged anew. */
  readonly judged: number;
  /** What came and was no program of this search. */
  readonly refused: number;
}

/** Of several islands, each now and then: how far it is in its experiment, and what it sent and received in all. */
export interface MigrationEvent extends MigrationCounts {
  readonly type: 'migration';
  /** From 1 on. */
  readonly experiment: number;
  /** From 1 on. */
  readonly island: number;
  /** Programs that it proposed in this experiment. */
  readonly algorithms: number;
  /** The best fitness that it has found. */
  readonly best: number | null;
  /** The mean fitness of its population. */
  readonly mean: number | null;
}

/** A program that is better than all before it in its experiment; of several groups of islands, in its group. */
export interface BestEvent extends AtPlace {
  readonly type: 'best';
  /** Where it was found, from 1 on; only if there are several. */
  readonly island?: number;
  /** How many programs the experiment had proposed before it; of N islands, each counts in steps of N, from its number on. */
  readonly id: number;
  /** On the tasks of the search. */
  readonly fitness: number;
  /** What made it. */
  readonly origin: Origin;
  /** The program that was changed; null of an initial program. */
  readonly parent: { readonly id: number; readonly fitness: number; readonly program: string } | null;
  /** The last of its ancestors that was better than all before it in its line. */
  readonly ancestor: number | null;
  /** Of its canonical form. */
  readonly hash: string;
  /** Its text, as it was found. */
  readonly program: string;
}

/** The best program of an experiment was tried on the tasks to select on. */
export interface SelectEvent extends AtPlace {
  readonly type: 'select';
  /** Of the program, as in its `best` event. */
  readonly id: number;
  /** On the tasks of the search. */
  readonly searchFitness: number;
  /** On the tasks to select on. */
  readonly selectFitness: number;
  /** No other program of the run did better there so far. */
  readonly isBest: boolean;
}

/** An experiment is over. */
export interface ExperimentEndEvent extends AtPlace {
  readonly type: 'experiment-end';
  /** Which limit ended it. */
  readonly reason: EndReason;
  /** The best fitness of the experiment; of several groups of islands, that of the first group that has any. */
  readonly best: number;
}

/** The selected program was tried on tasks that nothing was chosen by. */
export interface FinalEvent extends AtPlace {
  readonly type: 'final';
  /** Over the final tasks, as `evaluation.fitness` says. */
  readonly finalFitness: number;
  /** On each of them. */
  readonly fitnesses: readonly number[];
}

/** The run is over: always the last event. */
export interface EndEvent extends AtPlace {
  readonly type: 'end';
  /** Which limit ended the search. */
  readonly reason: EndReason;
  /** What `result.json` has. */
  readonly result: RunResult;
}

/** Anything that a run tells; `type` says which. */
export type RunEvent =
  | ExperimentEvent
  | ProgressEvent
  | MigrationEvent
  | BestEvent
  | SelectEvent
  | ExperimentEndEvent
  | FinalEvent
  | EndEvent;

/** One step of the line that led to a program, from an initial program on. */
export interface LineageEntry {
  /** As in its `best` event. */
  readonly id: number;
  /** On the tasks of the search. */
  readonly fitness: number;
  /** What made it. */
  readonly origin: Origin;
  /** The program that was changed; null of an initial program. */
  readonly parent: { readonly id: number; readonly fitness: number; readonly program: string } | null;
  /** Its text. */
  readonly program: string;
}

/** What a run found. */
export interface RunResult {
  /** The name of the configuration. */
  readonly preset: string;
  /** What everything was drawn by. */
  readonly seed: number;
  /** Whether the selected program is as good as was asked for; null if nothing was asked for. */
  readonly success: boolean | null;
  /** Which limit ended the search. */
  readonly reason: EndReason;
  /** Of the selected program on the tasks of its search; null if nothing was found. */
  readonly searchFitness: number | null;
  /** On the tasks to select on. */
  readonly selectFitness: number | null;
  /** On tasks that nothing was chosen by. */
  readonly finalFitness: number | null;
  /** Experiments that were begun. */
  readonly experiments: number;
  /** Every program that was proposed, known or not. */
  readonly algorithms: number;
  /** Training steps of the search, over all tasks. */
  readonly trainSteps: number;
  /** How programs were judged. */
  readonly counts: RunCounts;
  /** Programs that hurdles had cut, that were evaluated in full all the same, and that were better than all before. */
  readonly rescued: number;
  /** The text of the selected program, as it was found. */
  readonly program: string | null;
  /** The same without what has no effect. */
  readonly simplified: string | null;
  /** From an initial program to the selected one. */
  readonly lineage: readonly LineageEntry[];
}
