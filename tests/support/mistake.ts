// What every mistake of a user looks like.
import { expect } from 'vitest';
import { evozero } from './cli.js';

/** A user's mistake: exit code 2, nothing on standard output, and one line that matches, perhaps with the place shown. */
export function expectMistake(args: readonly string[], message: string | RegExp, lines = 1): void {
  const { status, stdout, stderr } = evozero(args);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^evozero: /);
  expect(stderr.trimEnd().split('\n')).toHaveLength(lines);
  expect(stderr).not.toContain('    at ');
  expect(stdout).toBe('');
  expect(status).toBe(2);
}
