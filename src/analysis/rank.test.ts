import { expect, test } from 'vitest';
import { RandomStream } from '../util/random.js';
import { rankContenders } from './rank.js';

/** Fitnesses of a candidate on tasks of which some are harder for everyone. */
function fitnesses(skill: number, noise: number, seed: number, count = 20): number[] {
  const tasks = new RandomStream(1);
  const own = new RandomStream(2, seed);
  return Array.from({ length: count }, () => 0.5 + 0.3 * tasks.uniform() + skill + noise * own.gaussian());
}

test('the best comes first, and small differences on the same tasks are seen', () => {
  const ranked = rankContenders(
    [
      { of: 'worse', fitnesses: fitnesses(0, 0.001, 1) },
      { of: 'best', fitnesses: fitnesses(0.01, 0.001, 2) },
    ],
    'mean',
  );
  expect(ranked.map(({ of, isTied }) => [of, isTied])).toEqual([
    ['best', true],
    ['worse', false],
  ]);
  expect(ranked[1]!.behind).toBeCloseTo(0.01, 2);
  // Far less than the tasks differ among themselves.
  expect(ranked[1]!.behindInterval!).toBeLessThan(ranked[1]!.interval! / 10);
});

test('what chance explains is a tie, in about 19 of 20 cases', () => {
  let ties = 0;
  for (let k = 0; k < 400; k++) {
    const both = [1, 2].map((n) => ({ of: n, fitnesses: fitnesses(0, 0.02, 10 * k + n) }));
    if (rankContenders(both, 'mean')[1]!.isTied) ties++;
  }
  expect(ties / 400).toBeGreaterThan(0.9);
  expect(ties / 400).toBeLessThan(0.98);
});

test('with one task nothing can be told apart', () => {
  const ranked = rankContenders(
    [
      { of: 1, fitnesses: [0.2] },
      { of: 2, fitnesses: [0.9] },
    ],
    'median',
  );
  expect(ranked.map(({ of, isTied, interval }) => [of, isTied, interval])).toEqual([
    [2, true, undefined],
    [1, true, undefined],
  ]);
});
