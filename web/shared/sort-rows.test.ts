import { expect, it } from 'vitest';
import { compareCells, matchesWords, type SortKey } from './sort-rows.js';

const sort = (keys: SortKey[], direction: 'ascending' | 'descending') =>
  keys.toSorted((a, b) => compareCells(a, b, direction));

it('puts what is missing last, whatever the direction', () => {
  expect(sort([2, null, 10, 1], 'ascending')).toEqual([1, 2, 10, null]);
  expect(sort([2, null, 10, 1], 'descending')).toEqual([10, 2, 1, null]);
});

it('sorts names as people do', () => {
  expect(sort(['run-10', 'Run-2', 'run-1'], 'ascending')).toEqual(['run-1', 'Run-2', 'run-10']);
});

it('wants every word', () => {
  expect(matchesWords('linear-seed-7 finished', 'FIN lin')).toBe(true);
  expect(matchesWords('linear-seed-7 finished', 'fin digits')).toBe(false);
  expect(matchesWords('anything', '  ')).toBe(true);
});
