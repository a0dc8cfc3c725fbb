// What searches with a population have in common: numbers and lines of programs, migration, saving. Must not know who has children, how
// they are changed, and who dies.
import type { CodeStore } from '../program/flat/code-store.js';
import type { Program } from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import type { LineageStep, Origin } from './lineage.js';
import type { Members } from './members.js';
import {
  ALONE,
  type Immigrant,
  type Migrants,
  type Numbering,
  type Proposal,
  type SavedMembers,
  type SavedSearch,
  type SearchMethod,
  type Told,
} from './search-method.js';

/** The programs that later ones are made of. */
export interface LivingPrograms {
  readonly members: Members;
  /** Where the next program is to be written. */
  readonly spare: number;
  /** The places of the members. */
  places(): Iterable<number>;
  /** Some of the members, each drawn at most once. */
  draw(count: number, hurdles: number, random: FastRandom): Migrants;
  save(hurdles: number): SavedMembers;
  restore(saved: SavedMembers): void;
}

export interface CommonOptions {
  /** How many hurdles programs meet. */
  readonly hurdles: number;
  /** Draws every choice: a path of integers. */
  readonly seed: readonly number[];
  readonly numbering?: Numbering;
}

export const NO_PARENT = -1;
export const NO_HURDLES: readonly number[] = [];

export abstract class Evolution<P extends LivingPrograms> implements SearchMethod {
  readonly store: CodeStore;
  proposed = 0;
  protected readonly random: FastRandom;
  protected readonly population: P;
  /** Of the last proposal: where it lies, its parent's place, and what made it. */
  protected place = 0;
  protected parent = NO_PARENT;
  protected origin: Origin = 'initial';
  /** Of the last program that was told. */
  protected line: LineageStep | undefined;
  private readonly common: CommonOptions;

  constructor(common: CommonOptions, store: CodeStore, population: P) {
    this.common = common;
    this.store = store;
    this.population = population;
    this.random = new FastRandom(...common.seed);
  }

  abstract ask(): Proposal;
  abstract known(): Told | undefined;
  abstract tell(told: Told): void;
  abstract adopt(immigrant: Immigrant, told: Told): void;

  lastProgram(): Program {
    return this.store.read(this.place);
  }

  lastLine(): LineageStep {
    return this.line!;
  }

  *fitnesses(): Generator<number> {
    for (const place of this.population.places()) yield this.population.members.fitnesses[place]!;
  }

  *atHurdle(k: number): Generator<number> {
    const { population } = this;
    for (const place of population.places()) {
      const fitness = population.members.atHurdles[place]![k];
      if (fitness !== undefined) yield fitness;
    }
  }

  get spare(): number {
    return this.population.spare;
  }

  emigrants(count: number, random: FastRandom): Migrants {
    return this.population.draw(count, this.common.hurdles, random);
  }

  save(): SavedSearch {
    const members = this.population.save(this.common.hurdles);
    return { proposed: this.proposed, random: this.random.save(), members };
  }

  restore({ proposed, random, members }: SavedSearch): void {
    this.proposed = proposed;
    this.random.restore(random);
    this.population.restore(members);
  }

  /** The number of the last proposal. */
  protected get lastId(): number {
    const { first, step } = this.common.numbering ?? ALONE;
    return first + step * (this.proposed - 1);
  }

  /** The line that the last proposal continues; nothing if it was made anew. */
  protected parentLine(): LineageStep | undefined {
    return this.parent === NO_PARENT ? undefined : this.population.members.lines[this.parent]!;
  }

  /** A line with the last proposal, which is better than all before it. */
  protected lengthen(previous: LineageStep | undefined, fitness: number): LineageStep {
    const { store, population, parent, origin, place } = this;
    const { ids, fitnesses } = population.members;
    return {
      id: this.lastId,
      program: store.read(place),
      fitness,
      origin,
      parent:
        previous === undefined
          ? undefined
          : { id: ids[parent]!, fitness: fitnesses[parent]!, program: store.read(parent) },
      previous,
    };
  }
}
