import { expect, it } from 'vitest';
import { noCounts } from '../evaluate/candidate-evaluator.js';
import { COUNT_NAMES, makeCounts, sumCounts } from './counts.js';

it('sums every count, whatever else comes with them, in the order of their names', () => {
  const first = { ...makeCounts((name) => COUNT_NAMES.indexOf(name)), algorithms: 5 };
  const second = makeCounts((name) => 100 * COUNT_NAMES.indexOf(name));
  const sum = sumCounts([first, second]);
  expect(Object.entries(sum)).toEqual(COUNT_NAMES.map((name, k) => [name, 101 * k]));
  expect(Object.keys(sum)).toEqual(Object.keys(noCounts()));
  expect(sumCounts([])).toEqual(noCounts());
});
