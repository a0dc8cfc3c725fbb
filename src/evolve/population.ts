// The population of an evolution: the oldest makes room for the newest, and parents are the best of a few at random. Programs lie
// in a store, with one place more than there are members, for the next program. Must not know mutations or how programs are
// evaluated.
import type { CodeStore } from '../program/code-store.js';
import { packPlaces, unpackPrograms } from '../program/packed-programs.js';
import type { FastRandom } from '../util/fast-random.js';
import { type LineageStep, restoreLines, saveLines } from './lineage.js';
import type { Migrants, SavedMembers } from './search-method.js';

export class Population {
  readonly size: number;
  /** Where the next program is to be written. */
  spare: number;
  // By place.
  readonly ids: Float64Array;
  readonly fitnesses: Float64Array;
  readonly atHurdles: (readonly number[])[] = [];
  readonly lines: LineageStep[] = [];
  private readonly store: CodeStore;
  /** The places of the members: a ring, in which the one that comes next is the oldest; and beside it their fitnesses. */
  private readonly places: Int32Array;
  private readonly ring: Float64Array;
  private next = 0;
  private members = 0;

  constructor(size: number, store: CodeStore) {
    this.size = size;
    this.store = store;
    this.spare = size;
    this.ids = new Float64Array(size + 1);
    this.fitnesses = new Float64Array(size + 1);
    this.ring = new Float64Array(size);
    this.places = Int32Array.from({ length: size }, (_, k) => k);
  }

  get isFull(): boolean {
    return this.members === this.size;
  }

  /** Makes the spare program a member; the place of the oldest becomes spare. */
  add(id: number, fitness: number, atHurdles: readonly number[], line: LineageStep): void {
    const place = this.spare;
    this.ids[place] = id;
    this.fitnesses[place] = fitness;
    // To look is cheaper than to write what a collector of garbage must know of.
    if (this.atHurdles[place] !== atHurdles) this.atHurdles[place] = atHurdles;
    if (this.lines[place] !== line) this.lines[place] = line;
    this.spare = this.places[this.next]!;
    this.places[this.next] = place;
    this.ring[this.next] = fitness;
    this.next = this.next + 1 === this.size ? 0 : this.next + 1;
    if (this.members < this.size) this.members++;
  }

  /** The place of the best of `tournament` members, each drawn from all; of equals the first drawn. */
  select(tournament: number, random: FastRandom): number {
    const { ring, members } = this;
    let best = random.integer(members);
    for (let k = 1; k < tournament; k++) {
      const other = random.integer(members);
      if (ring[other]! > ring[best]!) best = other;
    }
    return this.places[best]!;
  }

  /** The places of the members, from the oldest to the newest. */
  *byAge(): Generator<number> {
    for (let k = 0; k < this.members; k++) yield this.places[(this.first + k) % this.size]!;
  }

  /** Where the oldest stands in the ring. */
  private get first(): number {
    return this.isFull ? this.next : 0;
  }

  save(hurdles: number): SavedMembers {
    return { first: this.first, ...this.copyOf([...this.byAge()], hurdles) };
  }

  /** Some of the members, each drawn at most once. */
  draw(count: number, hurdles: number, random: FastRandom): Migrants {
    const places = this.places.slice(0, this.members);
    const drawn = Math.min(count, this.members);
    for (let k = 0; k < drawn; k++) {
      const other = k + random.integer(this.members - k);
      const place = places[other]!;
      places[other] = places[k]!;
      places[k] = place;
    }
    return this.copyOf(places.subarray(0, drawn), hurdles);
  }

  private copyOf(places: ArrayLike<number>, hurdles: number): Migrants {
    const count = places.length;
    const ids = new Float64Array(count);
    const fitnesses = new Float64Array(count);
    const atHurdles = new Float64Array(hurdles * count).fill(Number.NaN);
    const lines: LineageStep[] = [];
    for (let k = 0; k < count; k++) {
      const place = places[k]!;
      ids[k] = this.ids[place]!;
      fitnesses[k] = this.fitnesses[place]!;
      lines.push(this.lines[place]!);
      if (hurdles > 0) atHurdles.set(this.atHurdles[place]!, k * hurdles);
    }
    const { saved, lineOf } = saveLines(lines);
    return { ids, fitnesses, atHurdles, lines: saved, lineOf, programs: packPlaces(this.store, places) };
  }

  /** Fills an empty population. */
  restore({ first, ids, fitnesses, atHurdles, lines, lineOf, programs }: SavedMembers): void {
    const steps = restoreLines(lines);
    this.next = first;
    const hurdles = ids.length === 0 ? 0 : atHurdles.length / ids.length;
    for (const [k, program] of unpackPrograms(programs).entries()) {
      const reached = Array.from(atHurdles.subarray(k * hurdles, (k + 1) * hurdles)).filter((x) => !Number.isNaN(x));
      this.store.write(this.spare, program);
      this.add(ids[k]!, fitnesses[k]!, reached, steps[lineOf[k]!]!);
    }
  }
}
