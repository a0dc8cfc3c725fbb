// The first programs of a search: empty, random, or given, in turn (paper, "Search Method"). Must not know fitness.
import type { CodeStore } from '../program/flat/code-store.js';
import type { Program } from '../program/program.js';
import type { FastRandom } from '../util/fast-random.js';
import type { SearchSpace } from './search-space.js';

/** What a population begins with: empty programs, random ones, or a given one. */
export type InitialProgram = 'empty' | 'random' | Program;

export interface InitialPrograms {
  readonly space: SearchSpace;
  readonly initial: readonly InitialProgram[];
}

/** Writes initial program number k into a store. */
export function writeInitial(
  { space, initial }: InitialPrograms,
  k: number,
  store: CodeStore,
  place: number,
  random: FastRandom,
): void {
  const kind = initial[k % initial.length]!;
  if (kind === 'random') space.randomProgram(store, place, random);
  else if (kind === 'empty') space.emptyProgram(store, place, random);
  else store.write(place, space.program(kind));
}
