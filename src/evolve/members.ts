// What is known of the members of a population, by the places of a store in which their programs lie, and how it is saved. Must not know
// who lives, who dies and who has children.
import type { CodeStore } from '../program/flat/code-store.js';
import { packPlaces, unpackPrograms } from '../program/flat/packed-programs.js';
import { type LineageStep, restoreLines, saveLines } from './lineage.js';
import type { Migrants } from './search-method.js';

/** A member that was saved. */
export interface SavedMember {
  readonly id: number;
  readonly fitness: number;
  readonly atHurdles: readonly number[];
  readonly line: LineageStep;
}

export class Members {
  readonly ids: Float64Array;
  readonly fitnesses: Float64Array;
  readonly atHurdles: (readonly number[])[] = [];
  readonly lines: LineageStep[] = [];
  private readonly store: CodeStore;

  constructor(store: CodeStore, places: number) {
    this.store = store;
    this.ids = new Float64Array(places);
    this.fitnesses = new Float64Array(places);
  }

  set(place: number, id: number, fitness: number, atHurdles: readonly number[], line: LineageStep): void {
    this.ids[place] = id;
    this.fitnesses[place] = fitness;
    // To look is cheaper than to write what a collector of garbage must know of.
    if (this.atHurdles[place] !== atHurdles) this.atHurdles[place] = atHurdles;
    if (this.lines[place] !== line) this.lines[place] = line;
  }

  copyOf(places: ArrayLike<number>, hurdles: number): Migrants {
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

  /** Writes each program that was saved to the place that is asked for, and says what is known of it. */
  restore(saved: Migrants, place: () => number, add: (member: SavedMember) => void): void {
    const { ids, fitnesses, atHurdles, lines, lineOf, programs } = saved;
    const steps = restoreLines(lines);
    const hurdles = ids.length === 0 ? 0 : atHurdles.length / ids.length;
    for (const [k, program] of unpackPrograms(programs).entries()) {
      const reached = Array.from(atHurdles.subarray(k * hurdles, (k + 1) * hurdles)).filter((x) => !Number.isNaN(x));
      this.store.write(place(), program);
      add({ id: ids[k]!, fitness: fitnesses[k]!, atHurdles: reached, line: steps[lineOf[k]!]! });
    }
  }
}

/** Some of the places, each drawn at most once. Changes their order. */
export function drawSome(places: Int32Array, count: number, integer: (below: number) => number): Int32Array {
  const drawn = Math.min(count, places.length);
  for (let k = 0; k < drawn; k++) {
    const other = k + integer(places.length - k);
    [places[k], places[other]] = [places[other]!, places[k]!];
  }
  return places.subarray(0, drawn);
}
