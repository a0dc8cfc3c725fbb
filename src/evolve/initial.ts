// The first programs of a search: empty, random, or given, in turn (paper, "Search Method"). Must not know fitness.
import type { Program } from '../program/program.js';
import type { FastRandom } from '../util/fast-random.js';
import type { SearchSpace } from './search-space.js';

export type InitialProgram = 'empty' | 'random' | Program;

export function makeInitial(
  initial: readonly InitialProgram[],
  k: number,
  space: SearchSpace,
  random: FastRandom,
): Program {
  const kind = initial[k % initial.length]!;
  if (kind === 'random') return space.randomProgram(random);
  if (kind === 'empty') return space.emptyProgram(random);
  return space.program((name) => kind[name]);
}
