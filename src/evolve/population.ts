// The population of an evolution: the oldest makes room for the newest, and parents are the best of a few at random. Must not
// know mutations or how programs are evaluated.
import type { Program } from '../program/program.js';
import type { FastRandom } from '../util/fast-random.js';
import type { LineageStep } from './lineage.js';

export interface Individual {
  /** How many programs the search had proposed before this one. */
  readonly id: number;
  readonly program: Program;
  readonly fitness: number;
  /** The fitness at each hurdle that it came to. */
  readonly atHurdles: readonly number[];
  /** The last step of its line that was better than all before. */
  readonly line: LineageStep;
}

/** A ring: the place that comes next holds the oldest. */
export class Population {
  readonly size: number;
  private readonly members: Individual[] = [];
  /** Beside the members, because tournaments look at nothing else. */
  private readonly fitnesses: Float64Array;
  private next = 0;

  constructor(size: number) {
    this.size = size;
    this.fitnesses = new Float64Array(size);
  }

  get count(): number {
    return this.members.length;
  }

  get isFull(): boolean {
    return this.members.length === this.size;
  }

  add(individual: Individual): void {
    this.members[this.next] = individual;
    this.fitnesses[this.next] = individual.fitness;
    this.next = this.next + 1 === this.size ? 0 : this.next + 1;
  }

  /** The best of `tournament` members, each drawn from all; of equals the first drawn. */
  select(tournament: number, random: FastRandom): Individual {
    const { fitnesses } = this;
    const { length } = this.members;
    let best = random.integer(length);
    for (let k = 1; k < tournament; k++) {
      const other = random.integer(length);
      if (fitnesses[other]! > fitnesses[best]!) best = other;
    }
    return this.members[best]!;
  }

  /** From the oldest to the newest. */
  *[Symbol.iterator](): Generator<Individual> {
    const { length } = this.members;
    const first = this.isFull ? this.next : 0;
    for (let k = 0; k < length; k++) yield this.members[(first + k) % length]!;
  }
}
