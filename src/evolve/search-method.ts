// What the ways to search have in common: programs are asked for, and what became of them is told (ask and tell). Must not
// know how programs are evaluated.
import type { CodeStore } from '../program/flat/code-store.js';
import type { PackedPrograms } from '../program/flat/packed-programs.js';
import type { Program } from '../program/program.js';
import type { FastRandom, RandomState } from '../util/fast-random.js';
import type { LineageStep, Origin, SavedLines } from './lineage.js';

/** How programs are numbered, so that those of all islands have different numbers. */
export interface Numbering {
  readonly first: number;
  readonly step: number;
}

/** The numbering of a search that has no others beside it. */
export const ALONE: Numbering = { first: 0, step: 1 };

/** A proposed program, until the next `ask`. */
export interface Proposal {
  /** How many programs were proposed before it; of several islands, each counts in steps of their number. */
  readonly id: number;
  /** Where its code lies in the method's store. */
  readonly place: number;
  readonly origin: Origin;
}

/** A program from another population, written to a method's store. */
export interface Immigrant {
  readonly id: number;
  readonly line: LineageStep;
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

/** Members of a population, in arrays. */
export interface Migrants {
  readonly ids: Float64Array;
  readonly fitnesses: Float64Array;
  /** As many for each as there are hurdles; NaN for those that it did not come to. */
  readonly atHurdles: Float64Array;
  readonly lines: SavedLines;
  /** For each, the number of its line's last step. */
  readonly lineOf: Int32Array;
  readonly programs: PackedPrograms;
}

/** All members, in the order in which `restore` takes them. */
export interface SavedMembers extends Migrants {
  /** Where the oldest stands in the ring of the population, by whose places parents are drawn. */
  readonly first: number;
}

/** A way to search, by ask and tell: `ask` proposes a program, `tell` says how good it was. */
export interface SearchMethod {
  readonly store: CodeStore;
  /** How many programs were proposed. */
  readonly proposed: number;
  ask(): Proposal;
  /** The last proposal's program. */
  lastProgram(): Program;
  /** What is known of the last proposal if it need not be judged: it is an unchanged copy, or it cannot learn. */
  known(): Told | undefined;
  /** The fitness that the last proposal must reach at each hurdle, where the method knows better than the whole population. */
  hurdles?(): readonly number[] | undefined;
  /** What became of the last proposal. */
  tell(told: Told): void;
  /** The line of the last program that was told. */
  lastLine(): LineageStep;
  /** The fitness of the programs that later ones are made of: in the end, and at a hurdle. */
  fitnesses(): Iterable<number>;
  atHurdle(k: number): Iterable<number>;
  /** Some of the programs that later ones are made of, at random; none if there are no such programs. */
  emigrants(count: number, random: FastRandom): Migrants | undefined;
  /** Where a program from elsewhere is to be written, before it is told of by `adopt`. */
  readonly spare: number;
  /** Takes in the program that was written to the spare place; whom the method lets go makes room. */
  adopt(immigrant: Immigrant, told: Told): void;
  save(): SavedSearch;
  /** Goes on from a saved state. Nothing must have been proposed yet. */
  restore(saved: SavedSearch): void;
}
