import { expect, it } from 'vitest';
import { printable, quote, shorten } from './quote.js';

it('shows what somebody else wrote on one short line', () => {
  expect(shorten('x'.repeat(1000))).toBe(`${'x'.repeat(40)}...`);
  expect(printable('a\nb\u001b[31m')).toBe('a\uFFFDb\uFFFD[31m');
  expect(['a\n', 3, null, undefined, [[]], {}].map(quote)).toEqual([
    '"a\uFFFD"',
    '3',
    'null',
    'undefined',
    'an array',
    'an object',
  ]);
});
