// What the ways to search have in common: programs are asked for, and what became of them is told (ask and tell). Must not
// know how programs are evaluated.
import type { CodeStore } from '../program/code-store.js';
import type { PackedPrograms } from '../program/packed-programs.js';
import type { Program } from '../program/program.js';
import type { RandomState } from '../util/fast-random.js';
import type { LineageStep, Origin, SavedLines } from './lineage.js';

/** A proposed program, until the next `ask`. */
export interface Proposal {
  /** How many programs were proposed before it. */
  readonly id: number;
  /** Where its code lies in the method's store. */
  readonly place: number;
  readonly origin: Origin;
}

/** What became of a program. */
export interface Told {
  readonly fitness: number;
  /** The fitness at each hurdle that it came to. */
  readonly atHurdles?: readonly number[];
  /** It failed a hurdle: the fitness is what it had there, not that of a full evaluation. */
  readonly isCut?: boolean;
}

export interface SavedSearch {
  readonly proposed: number;
  readonly random: RandomState;
  readonly members: SavedMembers;
}

/** The members of a population, from the oldest to the newest. */
export interface SavedMembers {
  /** Where the oldest stands in the ring of the population, by whose places parents are drawn. */
  readonly first: number;
  readonly ids: Float64Array;
  readonly fitnesses: Float64Array;
  /** As many for each as there are hurdles; NaN for those that it did not come to. */
  readonly atHurdles: Float64Array;
  readonly lines: SavedLines;
  /** For each, the number of its line's last step. */
  readonly lineOf: Int32Array;
  readonly programs: PackedPrograms;
}

export interface SearchMethod {
  readonly store: CodeStore;
  /** How many programs were proposed. */
  readonly proposed: number;
  ask(): Proposal;
  /** The last proposal's program. */
  lastProgram(): Program;
  /** What is known of the last proposal if it is an unchanged copy. */
  known(): Told | undefined;
  /** What became of the last proposal. */
  tell(told: Told): void;
  /** The line of the last program that was told. */
  lastLine(): LineageStep;
  /** The fitness of the programs that later ones are made of: in the end, and at a hurdle. */
  fitnesses(): Iterable<number>;
  atHurdle(k: number): Iterable<number>;
  save(): SavedSearch;
  /** Goes on from a saved state. Nothing must have been proposed yet. */
  restore(saved: SavedSearch): void;
}
