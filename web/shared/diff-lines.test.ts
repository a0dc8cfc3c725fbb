import { expect, it } from 'vitest';
import { diffLines } from './diff-lines.js';

const show = (before: string, after: string) =>
  diffLines(before.split(''), after.split(''))
    .map(({ kind, text }) => ({ same: ' ', removed: '-', added: '+' })[kind] + text)
    .join('');

it('keeps what both have, in order', () => {
  expect(show('abc', 'abc')).toBe(' a b c');
  expect(show('abc', 'axc')).toBe(' a-b+x c');
  expect(show('abcd', 'bd')).toBe('-a b-c d');
  expect(show('bd', 'abcd')).toBe('+a b+c d');
});

it('is all removed or all added beside nothing', () => {
  expect(diffLines(['a'], [])).toEqual([{ kind: 'removed', text: 'a' }]);
  expect(diffLines([], ['a'])).toEqual([{ kind: 'added', text: 'a' }]);
});
