import { expect, test } from 'vitest';
import type { Motif } from './find-motifs.js';
import { rankMotifs } from './rank-motifs.js';

function motif(programs: readonly number[], controls: readonly number[], nodes: readonly number[]): Motif {
  return { size: nodes.length, programs, controls, example: { program: programs[0]!, nodes } };
}

const upTo = (n: number) => Array.from({ length: n }, (_, k) => k);

test('what is rare by chance comes first, with p-values alone and for the number of motifs', () => {
  const motifs = [motif(upTo(30), upTo(30), [1, 2]), motif(upTo(8), [], [3, 4, 5]), motif(upTo(9), [2], [6, 7])];
  const ranked = rankMotifs(motifs, 30, 30);
  expect(ranked.map(({ programs }) => programs.length)).toEqual([8, 9, 30]);
  expect(ranked[0]!.p).toBeCloseTo(0.0022875, 7);
  expect(ranked[0]!.corrected).toBeCloseTo(3 * 0.0022875, 6);
  expect(ranked[2]).toMatchObject({ p: 1, corrected: 1 });
});

test('without a control the most frequent come first, then the largest, and nothing is tested', () => {
  const ranked = rankMotifs(
    [motif([0, 1], [], [1, 2]), motif([0, 1], [], [3, 4, 5]), motif([0, 1, 2], [], [1, 2])],
    3,
    0,
  );
  expect(ranked.map(({ programs, size }) => [programs.length, size])).toEqual([
    [3, 2],
    [2, 3],
    [2, 2],
  ]);
  expect(ranked.every(({ p, corrected }) => p === null && corrected === null)).toBe(true);
});

test('most of an earlier one of the same runs is an overlap, of other runs it is not', () => {
  const same = [motif([0, 1], [], [1, 2, 3]), motif([0, 1], [], [2, 3, 4]), motif([0, 1], [], [3, 5, 6])];
  const ranked = rankMotifs([...same, motif([0, 2], [], [1, 2, 3])], 3, 0);
  expect(ranked.map(({ isOverlap }) => isOverlap)).toEqual([false, true, false, false]);
});
