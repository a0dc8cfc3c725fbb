// What the two ways to search have in common: programs are asked for, and what became of them is told (ask and tell). Must not
// know how programs are evaluated.
import type { Program } from '../program/program.js';
import type { RandomState } from '../util/fast-random.js';
import type { Origin } from './lineage.js';
import type { Individual } from './population.js';

export interface Proposal {
  readonly id: number;
  readonly program: Program;
  readonly parent: Individual | undefined;
  readonly origin: Origin;
}

export interface Told {
  readonly fitness: number;
  readonly atHurdles: readonly number[];
}

/** All that a search method remembers, between a `tell` and the next `ask`. */
export interface SearchState {
  readonly proposed: number;
  readonly random: RandomState;
  /** From the oldest to the newest. */
  readonly members: readonly Individual[];
}

export interface SearchMethod {
  /** How many programs were proposed. */
  readonly proposed: number;
  /** The programs that later ones are made of, from the oldest to the newest; none in random search. */
  readonly members: Iterable<Individual>;
  ask(): Proposal;
  /** What became of the last proposal. Gives the individual that it is. */
  tell(proposal: Proposal, told: Told): Individual;
  save(): SearchState;
  restore(state: SearchState): void;
}
