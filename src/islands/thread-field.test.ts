import { expect, test } from 'vitest';
import { threadCount } from './thread-field.js';

test.each([
  // As many as islands, as cores, and where the islands cannot be shared evenly.
  { islands: 2, cores: 2, threads: 2 },
  { islands: 2, cores: 8, threads: 2 },
  { islands: 6, cores: 2, threads: 2 },
  { islands: 3, cores: 2, threads: 3 },
  { islands: 9, cores: 8, threads: 9 },
  { islands: 32, cores: 8, threads: 8 },
  { islands: 33, cores: 8, threads: 8 },
  { islands: 5, cores: 1, threads: 1 },
])('$islands islands on $cores cores: $threads threads', ({ islands, cores, threads }) => {
  expect(threadCount(islands, cores)).toBe(threads);
});
