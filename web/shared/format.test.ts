import { expect, it } from 'vitest';
import { agoText, shortFitness, shortNumber } from './format.js';

it('shortens numbers to three digits', () => {
  expect([0, 7, 999, 1000, 12_345, 999_999, 1_050_000, 2.5e9, 0.12345].map(shortNumber)).toEqual([
    '0',
    '7',
    '999',
    '1k',
    '12.3k',
    '1M',
    '1.05M',
    '2.5G',
    '0.123',
  ]);
});

it('says how long ago something was', () => {
  const now = Date.UTC(2026, 10, 16, 20);
  expect([1, 60, 3600, 7200, 3 * 86_400].map((seconds) => agoText(now - 1000 * seconds, now))).toEqual([
    'now',
    '1 min ago',
    '1 h ago',
    '2 h ago',
    '2026-11-13',
  ]);
});

it('tells a fitness near 1 by its distance', () => {
  expect([0.5, 0.999977, 1 - 2e-9, 1 - 2 ** -53, 1].map(shortFitness)).toEqual([
    '0.500000',
    '0.999977',
    '1 − 2e-9',
    '1 − 1e-16',
    '1',
  ]);
});
