// Regularized evolution (Real et al. 2019; paper, "Search Method"): the best of a few random members gives a child, which is
// mutated with some probability, and the oldest member dies. Pure: no clock, no global randomness.
import { type CommonOptions, Evolution, NO_HURDLES, NO_PARENT } from './evolution.js';
import { type InitialPrograms, writeInitial } from './initial.js';
import { type MutationSet, Mutator } from './mutations.js';
import { Population } from './population.js';
import type { Immigrant, Proposal, Told } from './search-method.js';

/** What an evolution needs to know. */
export interface EvolutionOptions extends InitialPrograms, CommonOptions {
  /** P, T and U of the paper. */
  readonly population: number;
  readonly tournament: number;
  readonly mutationProbability: number;
  readonly mutations: MutationSet;
}

/** Evolution as in the paper: the best of a random few gives a child, and the oldest dies. Proposes and is told; it never evaluates. */
export class RegularizedEvolution extends Evolution<Population> {
  private readonly options: EvolutionOptions;
  private readonly mutator: Mutator;
  /** Whether nothing changed. */
  private isCopy = false;

  constructor(options: EvolutionOptions) {
    const store = options.space.makeStore(options.population + 1);
    super(options, store, new Population(options.population, store));
    this.options = options;
    this.mutator = new Mutator(options.space, options.mutations);
  }

  ask(): Proposal {
    const { options, population, random, store } = this;
    const number = this.proposed++;
    const id = this.lastId;
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

  known(): Told | undefined {
    if (!this.isCopy) return undefined;
    const { fitnesses, atHurdles } = this.population.members;
    return { fitness: fitnesses[this.parent]!, atHurdles: atHurdles[this.parent]!, isCut: false };
  }

  tell({ fitness, atHurdles = NO_HURDLES, isCut = false }: Told): void {
    const line = this.parentLine();
    const isRecord = line === undefined || (fitness > line.fitness && !isCut && !this.isCopy);
    this.line = isRecord ? this.lengthen(line, fitness) : line;
    this.population.add(this.lastId, fitness, atHurdles, this.line);
  }

  adopt({ id, line }: Immigrant, { fitness, atHurdles = NO_HURDLES }: Told): void {
    this.population.add(id, fitness, atHurdles, line);
  }
}
