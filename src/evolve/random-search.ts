// Random search on the same space: every program is made anew, as the first ones of an evolution are (paper, section "Finding
// Simple Neural Nets in a Difficult Space"). Pure: no clock, no global randomness.
import type { CodeStore } from '../program/flat/code-store.js';
import { packPrograms } from '../program/flat/packed-programs.js';
import type { Program } from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import { type LineageStep, saveLines } from './lineage.js';
import {
  ALONE,
  type Numbering,
  type Proposal,
  type SavedSearch,
  type SearchMethod,
  type Told,
} from './search-method.js';
import type { SearchSpace } from './search-space.js';

export interface RandomSearchOptions {
  readonly space: SearchSpace;
  /** Draws every choice: a path of integers. */
  readonly seed: readonly number[];
  readonly numbering?: Numbering;
}

/** Proposes random programs that do not depend on each other: what evolution has to beat. */
export class RandomSearch implements SearchMethod {
  readonly store: CodeStore;
  proposed = 0;
  private readonly space: SearchSpace;
  private readonly random: FastRandom;
  private fitness = 0;

  private readonly numbering: Numbering;

  constructor({ space, seed, numbering = ALONE }: RandomSearchOptions) {
    this.space = space;
    this.numbering = numbering;
    this.store = space.makeStore(1);
    this.random = new FastRandom(...seed);
  }

  ask(): Proposal {
    this.space.randomProgram(this.store, 0, this.random);
    this.proposed++;
    return { id: this.lastId, place: 0, origin: 'initial' };
  }

  lastProgram(): Program {
    return this.store.read(0);
  }

  known(): undefined {
    return undefined;
  }

  tell({ fitness }: Told): void {
    this.fitness = fitness;
  }

  private get lastId(): number {
    const { first, step } = this.numbering;
    return first + step * (this.proposed - 1);
  }

  lastLine(): LineageStep {
    const { fitness } = this;
    const program = this.store.read(0);
    return { id: this.lastId, program, fitness, origin: 'initial', parent: undefined, previous: undefined };
  }

  // No program is made of another, so nothing says what to expect.

  fitnesses(): Iterable<number> {
    return [];
  }

  atHurdle(): Iterable<number> {
    return [];
  }

  readonly spare = 0;

  emigrants(): undefined {
    return undefined;
  }

  adopt(): void {
    throw new Error('random search has no population');
  }

  save(): SavedSearch {
    const none = new Float64Array(0);
    const { saved, lineOf } = saveLines([]);
    const members = {
      first: 0,
      ids: none,
      fitnesses: none,
      atHurdles: none,
      lines: saved,
      lineOf,
      programs: packPrograms([]),
    };
    return { proposed: this.proposed, random: this.random.save(), members };
  }

  restore({ proposed, random }: SavedSearch): void {
    this.proposed = proposed;
    this.random.restore(random);
  }
}
