import { expect, it } from 'vitest';
import { readTokens } from './program-tokens.js';

it('tells ops, addresses and numbers apart', () => {
  const kinds = readTokens('  v1 = uniform(-0.5, 2e-3) # noise').filter(({ kind }) => kind !== 'plain');
  expect(kinds).toEqual([
    { kind: 'v', text: 'v1' },
    { kind: 'op', text: 'uniform' },
    { kind: 'number', text: '-0.5' },
    { kind: 'number', text: '2e-3' },
    { kind: 'comment', text: '# noise' },
  ]);
});

it('loses nothing of a text that is no program', () => {
  for (const line of ['def Setup():', '<img src=x onerror=alert(1)>', '', '#', '-1--1 s1s m2(']) {
    expect(
      readTokens(line)
        .map(({ text }) => text)
        .join(''),
    ).toBe(line);
  }
});
