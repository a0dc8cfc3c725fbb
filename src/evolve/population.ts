// The population of an evolution: the oldest makes room for the newest, and parents are the best of a few at random. Programs lie
// in a store, with one place more than there are members, for the next program. Must not know mutations or how programs are
// evaluated.
import type { CodeStore } from '../program/flat/code-store.js';
import type { FastRandom } from '../util/fast-random.js';
import type { LineageStep } from './lineage.js';
import { drawSome, Members } from './members.js';
import type { Migrants, SavedMembers } from './search-method.js';

export class Population {
  readonly size: number;
  /** Where the next program is to be written. */
  spare: number;
  readonly members: Members;
  /** The places of the members: a ring, in which the one that comes next is the oldest; and beside it their fitnesses. */
  private readonly placesByTurn: Int32Array;
  private readonly ring: Float64Array;
  private next = 0;
  private count = 0;

  constructor(size: number, store: CodeStore) {
    this.size = size;
    this.spare = size;
    this.members = new Members(store, size + 1);
    this.ring = new Float64Array(size);
    this.placesByTurn = Int32Array.from({ length: size }, (_, k) => k);
  }

  get isFull(): boolean {
    return this.count === this.size;
  }

  /** Makes the spare program a member; the place of the oldest becomes spare. */
  add(id: number, fitness: number, atHurdles: readonly number[], line: LineageStep): void {
    const place = this.spare;
    this.members.set(place, id, fitness, atHurdles, line);
    this.spare = this.placesByTurn[this.next]!;
    this.placesByTurn[this.next] = place;
    this.ring[this.next] = fitness;
    this.next = this.next + 1 === this.size ? 0 : this.next + 1;
    if (this.count < this.size) this.count++;
  }

  /** The place of the best of `tournament` members, each drawn from all; of equals the first drawn. */
  select(tournament: number, random: FastRandom): number {
    const { ring, count } = this;
    let best = random.integer(count);
    for (let k = 1; k < tournament; k++) {
      const other = random.integer(count);
      if (ring[other]! > ring[best]!) best = other;
    }
    return this.placesByTurn[best]!;
  }

  /** The places of the members, from the oldest to the newest. */
  *places(): Generator<number> {
    for (let k = 0; k < this.count; k++) yield this.placesByTurn[(this.first + k) % this.size]!;
  }

  /** Where the oldest stands in the ring. */
  private get first(): number {
    return this.isFull ? this.next : 0;
  }

  save(hurdles: number): SavedMembers {
    return { first: this.first, ...this.members.copyOf([...this.places()], hurdles) };
  }

  /** Some of the members, each drawn at most once. */
  draw(count: number, hurdles: number, random: FastRandom): Migrants {
    const places = drawSome(this.placesByTurn.slice(0, this.count), count, (below) => random.integer(below));
    return this.members.copyOf(places, hurdles);
  }

  /** Fills an empty population. */
  restore({ first, ...saved }: SavedMembers): void {
    this.next = first;
    this.members.restore(
      saved,
      () => this.spare,
      ({ id, fitness, atHurdles, line }) => this.add(id, fitness, atHurdles, line),
    );
  }
}
