// The pages about the library and about events are what the compiled declarations and their comments say.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error: a plain JavaScript file without types
import { apiPage, undocumented } from '../../scripts/reference/api.js';
// @ts-expect-error: a plain JavaScript file without types
import { eventsPage } from '../../scripts/reference/events.js';
import { compiled, ROOT } from '../support/cli.js';

const library = dirname(compiled('index.d.ts'));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

it('everything that the library exports has a comment', () => {
  expect(undocumented(library)).toEqual([]);
});

it('docs/reference/api.md is what the declarations say (npm run docs)', () => {
  expect(read('docs/reference/api.md')).toBe(apiPage(library));
});

it('docs/reference/events.md is what the types say (npm run docs)', () => {
  const page: string = eventsPage(library);
  expect(read('docs/reference/events.md')).toBe(page);
  expect(page.split('\n').filter((line) => /\|\s+\|/.test(line))).toEqual([]);
});
