// Regularized evolution (Real et al. 2019; paper, "Search Method"): the best of a few random members gives a child, which is
// mutated with some probability, and the oldest member dies. Pure: no clock, no global randomness.
import { FastRandom } from '../util/fast-random.js';
import { type InitialProgram, makeInitial } from './initial.js';
import { type MutationSet, Mutator } from './mutations.js';
import { type Individual, Population } from './population.js';
import type { Proposal, SearchMethod, SearchState, Told } from './search-method.js';
import type { SearchSpace } from './search-space.js';

export interface EvolutionOptions {
  readonly space: SearchSpace;
  /** P, T and U of the paper. */
  readonly population: number;
  readonly tournament: number;
  readonly mutationProbability: number;
  readonly mutations: MutationSet;
  readonly initial: readonly InitialProgram[];
  /** Draws every choice: a path of integers. */
  readonly seed: readonly number[];
}

export class RegularizedEvolution implements SearchMethod {
  private readonly options: EvolutionOptions;
  private readonly mutator: Mutator;
  private readonly random: FastRandom;
  private readonly population: Population;
  proposed = 0;

  constructor(options: EvolutionOptions) {
    this.options = options;
    this.mutator = new Mutator(options.space, options.mutations);
    this.random = new FastRandom(...options.seed);
    this.population = new Population(options.population);
  }

  get members(): Iterable<Individual> {
    return this.population;
  }

  ask(): Proposal {
    const { options, population, random } = this;
    const id = this.proposed++;
    if (!population.isFull) {
      const program = makeInitial(options.initial, id, options.space, random);
      return { id, program, parent: undefined, origin: 'initial' };
    }
    const parent = population.select(options.tournament, random);
    if (random.uniform() >= options.mutationProbability) return { id, program: parent.program, parent, origin: 'copy' };
    const origin = this.mutator.choose(random);
    return { id, program: this.mutator.apply(origin, parent.program, random), parent, origin };
  }

  tell({ id, program, parent, origin }: Proposal, { fitness, atHurdles }: Told): Individual {
    const isRecord = parent === undefined || fitness > parent.line.fitness;
    const line = isRecord
      ? {
          id,
          program,
          fitness,
          origin,
          parent: parent && { id: parent.id, fitness: parent.fitness, program: parent.program },
          previous: parent?.line,
        }
      : parent.line;
    const individual = { id, program, fitness, atHurdles, line };
    this.population.add(individual);
    return individual;
  }

  save(): SearchState {
    return { proposed: this.proposed, random: this.random.save(), members: [...this.population] };
  }

  /** Goes on from a saved state. Nothing must have been proposed yet. */
  restore({ proposed, random, members }: SearchState): void {
    this.proposed = proposed;
    this.random.restore(random);
    for (const member of members) this.population.add(member);
  }
}
