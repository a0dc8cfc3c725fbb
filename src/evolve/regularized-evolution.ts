// Regularized evolution (Real et al. 2019; paper, "Search Method"): the best of a few random members gives a child, which is
// mutated with some probability, and the oldest member dies. Pure: no clock, no global randomness.
import type { CodeStore } from '../program/code-store.js';
import type { Program } from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import { type InitialPrograms, writeInitial } from './initial.js';
import type { LineageStep, Origin } from './lineage.js';
import { type MutationSet, Mutator } from './mutations.js';
import { Population } from './population.js';
import {
  ALONE,
  type Immigrant,
  type Migrants,
  type Numbering,
  type Proposal,
  type SavedSearch,
  type SearchMethod,
  type Told,
} from './search-method.js';

/** What an evolution needs to know. */
export interface EvolutionOptions extends InitialPrograms {
  /** P, T and U of the paper. */
  readonly population: number;
  readonly tournament: number;
  readonly mutationProbability: number;
  readonly mutations: MutationSet;
  /** How many hurdles programs meet. */
  readonly hurdles: number;
  /** Draws every choice: a path of integers. */
  readonly seed: readonly number[];
  readonly numbering?: Numbering;
}

const NO_PARENT = -1;
const NO_HURDLES: readonly number[] = [];

/** Evolution as in the paper: the best of a random few gives a child, and the oldest dies. Proposes and is told; it never evaluates. */
export class RegularizedEvolution implements SearchMethod {
  readonly store: CodeStore;
  proposed = 0;
  private readonly options: EvolutionOptions;
  private readonly mutator: Mutator;
  private readonly random: FastRandom;
  private readonly population: Population;
  /** Of the last proposal: its parent's place, what made it, and where it lies. */
  private parent = NO_PARENT;
  private origin: Origin = 'initial';
  private place = 0;
  /** Whether nothing changed. */
  private isCopy = false;
  private line: LineageStep | undefined;

  constructor(options: EvolutionOptions) {
    this.options = options;
    this.store = options.space.makeStore(options.population + 1);
    this.mutator = new Mutator(options.space, options.mutations);
    this.random = new FastRandom(...options.seed);
    this.population = new Population(options.population, this.store);
  }

  ask(): Proposal {
    const { options, population, random, store } = this;
    const number = this.proposed++;
    const id = this.idOf(number);
    const place = population.spare;
    this.place = place;
    if (!population.isFull) {
      writeInitial(options, number, store, place, random);
      this.parent = NO_PARENT;
      this.origin = 'initial';
      this.isCopy = false;
      return { id, place, origin: 'initial' };
    }
    this.parent = population.select(options.tournament, random);
    store.copy(this.parent, place);
    if (random.uniform() < options.mutationProbability) {
      const mutation = this.mutator.choose(random);
      this.isCopy = !this.mutator.apply(mutation, store, place, random);
      this.origin = mutation;
    } else {
      this.origin = 'copy';
      this.isCopy = true;
    }
    return { id, place, origin: this.origin };
  }

  lastProgram(): Program {
    return this.store.read(this.place);
  }

  known(): Told | undefined {
    if (!this.isCopy) return undefined;
    const { fitnesses, atHurdles } = this.population.members;
    return { fitness: fitnesses[this.parent]!, atHurdles: atHurdles[this.parent]!, isCut: false };
  }

  tell({ fitness, atHurdles = NO_HURDLES, isCut = false }: Told): void {
    const { population, parent } = this;
    const line = parent === NO_PARENT ? undefined : population.members.lines[parent]!;
    const isRecord = line === undefined || (fitness > line.fitness && !isCut && !this.isCopy);
    this.line = isRecord ? this.lengthen(line, fitness) : line;
    population.add(this.lastId, fitness, atHurdles, this.line);
  }

  private idOf(number: number): number {
    const { first, step } = this.options.numbering ?? ALONE;
    return first + step * number;
  }

  private get lastId(): number {
    return this.idOf(this.proposed - 1);
  }

  lastLine(): LineageStep {
    return this.line!;
  }

  *fitnesses(): Generator<number> {
    for (const place of this.population.byAge()) yield this.population.members.fitnesses[place]!;
  }

  *atHurdle(k: number): Generator<number> {
    const { population } = this;
    for (const place of population.byAge()) {
      const fitness = population.members.atHurdles[place]![k];
      if (fitness !== undefined) yield fitness;
    }
  }

  get spare(): number {
    return this.population.spare;
  }

  emigrants(count: number, random: FastRandom): Migrants {
    return this.population.draw(count, this.options.hurdles, random);
  }

  adopt({ id, line }: Immigrant, { fitness, atHurdles = NO_HURDLES }: Told): void {
    this.population.add(id, fitness, atHurdles, line);
  }

  save(): SavedSearch {
    return {
      proposed: this.proposed,
      random: this.random.save(),
      members: this.population.save(this.options.hurdles),
    };
  }

  restore({ proposed, random, members }: SavedSearch): void {
    this.proposed = proposed;
    this.random.restore(random);
    this.population.restore(members);
  }

  /** A line with the last proposal, which is better than all before it. */
  private lengthen(previous: LineageStep | undefined, fitness: number): LineageStep {
    const { store, population, parent, origin } = this;
    return {
      id: this.lastId,
      program: store.read(population.spare),
      fitness,
      origin,
      parent:
        previous === undefined
          ? undefined
          : {
              id: population.members.ids[parent]!,
              fitness: population.members.fitnesses[parent]!,
              program: store.read(parent),
            },
      previous,
    };
  }
}
