import { expect, test } from 'vitest';
import { histogram } from './scores.js';

test('a histogram has the worst at its left end and the best at its right', () => {
  const bars = histogram([0, 0, 0, 0, 1, 1], 0, 1);
  expect(bars).toHaveLength(24);
  expect(bars[0]).toBe('█');
  expect(bars[23]).toBe('▄');
  expect(bars.slice(1, 23).trim()).toBe('');
});

test('one fitness among thousands is still seen', () => {
  expect(histogram([...new Array<number>(5000).fill(0.2), 0.7, 1], 0.2, 1)).toMatch(/^█ +▁ +▁$/);
});
