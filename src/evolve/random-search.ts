// Random search on the same space: every program is made anew, as the first ones of an evolution are (paper, section "Finding
// Simple Neural Nets in a Difficult Space"). Pure: no clock, no global randomness.
import { FastRandom } from '../util/fast-random.js';
import type { Individual } from './population.js';
import type { Proposal, SearchMethod, SearchState, Told } from './search-method.js';
import type { SearchSpace } from './search-space.js';

export interface RandomSearchOptions {
  readonly space: SearchSpace;
  /** Draws every choice: a path of integers. */
  readonly seed: readonly number[];
}

export class RandomSearch implements SearchMethod {
  private readonly space: SearchSpace;
  private readonly random: FastRandom;
  readonly members: Iterable<Individual> = [];
  proposed = 0;

  constructor({ space, seed }: RandomSearchOptions) {
    this.space = space;
    this.random = new FastRandom(...seed);
  }

  ask(): Proposal {
    const program = this.space.randomProgram(this.random);
    return { id: this.proposed++, program, parent: undefined, origin: 'initial' };
  }

  tell({ id, program, origin }: Proposal, { fitness, atHurdles }: Told): Individual {
    const line = { id, program, fitness, origin, parent: undefined, previous: undefined };
    return { id, program, fitness, atHurdles, line };
  }

  save(): SearchState {
    return { proposed: this.proposed, random: this.random.save(), members: [] };
  }

  restore({ proposed, random }: SearchState): void {
    this.proposed = proposed;
    this.random.restore(random);
  }
}
