import { expect, test } from 'vitest';
import { diffPrograms } from './program-diff.js';

function program(setup: string, predict = '', learn = ''): string {
  const body = (lines: string) => [...lines].map((line) => `  ${line}\n`).join('');
  return `def Setup():\n${body(setup)}\ndef Predict(v0):\n${body(predict)}\ndef Learn(v0, s0):\n${body(learn)}`;
}

/** The changes of one function, as `-b +x`. */
function changes(before: string, after: string): string {
  const [change, ...others] = diffPrograms(program(before), program(after));
  expect(others).toEqual([]);
  return (change?.lines ?? []).map(({ kind, text }) => (kind === 'added' ? '+' : '-') + text).join(' ');
}

test('a line that was changed, inserted or removed', () => {
  expect(changes('abc', 'axc')).toBe('-b +x');
  expect(changes('abc', 'abxc')).toBe('+x');
  expect(changes('abc', 'ac')).toBe('-b');
  expect(changes('', 'ab')).toBe('+a +b');
  expect(changes('aaa', 'aa')).toBe('-a');
});

test('the fewest lines, also where several changed', () => {
  expect(changes('abcdef', 'xbcdyf')).toBe('-a +x -e +y');
  expect(changes('abcabba', 'cbabac').split(' ')).toHaveLength(5);
});

test('each function by itself, and only those that changed', () => {
  const before = program('a', 'b', 'c');
  expect(diffPrograms(before, before)).toEqual([]);
  expect(diffPrograms(before, program('a', 'x', 'cd'))).toEqual([
    {
      name: 'Predict',
      lines: [
        { kind: 'removed', text: 'b' },
        { kind: 'added', text: 'x' },
      ],
    },
    { name: 'Learn', lines: [{ kind: 'added', text: 'd' }] },
  ]);
});
