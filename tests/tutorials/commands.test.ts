// Tutorials that need nothing but the command: what they say to type is typed, and what they say comes out of it does.
import { expect, it } from 'vitest';
import { applyDiff, makePlace, runTutorial } from '../support/tutorial.js';

it.each(['first-search', 'your-data', 'interpret', 'library-node'])('%s', (name) => {
  expect(runTutorial(name, { place: makePlace() }).length).toBeGreaterThan(2);
});

it('a change is made where it belongs, or not at all', () => {
  expect(applyDiff('a\nb\nc\n', ' b\n+x')).toBe('a\nb\nx\nc\n');
  expect(applyDiff('a\nb\nc\n', '-b\n+x')).toBe('a\nx\nc\n');
  expect(() => applyDiff('a\nb\nc\n', ' d\n+x')).toThrow('0 places');
  expect(() => applyDiff('b\nb\n', ' b\n+x')).toThrow('2 places');
});
