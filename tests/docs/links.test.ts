// Every link in a Markdown file leads somewhere: to a page, to a heading of it, or to a file of the repository; and every page of docs/ is found
// by following links from the README.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/cli.js';
import { allPages } from '../support/pages.js';

const pages = allPages();
const byPath = new Map(pages.map((page) => [page.path, page]));

/** What is wrong with a link on a page; nothing if it leads somewhere. */
function problem(from: string, address: string): string | undefined {
  if (/^(https?|mailto):/.test(address)) return undefined;
  const [to = '', anchor] = address.split('#');
  const target = to === '' ? from : posix.join(posix.dirname(from), to);
  if (target.startsWith('..') || !existsSync(join(ROOT, target))) return `${address}: there is no ${target}`;
  if (anchor === undefined) return undefined;
  const page = byPath.get(target);
  if (page === undefined) return `${address}: ${target} has no headings`;
  return page.anchors.includes(anchor) ? undefined : `${address}: ${target} has no heading ${anchor}`;
}

it.each(pages.map(({ path }) => path))('%s', (path) => {
  const problems = byPath.get(path)!.links.map((address) => problem(path, address));
  expect(problems.filter((each) => each !== undefined)).toEqual([]);
});

it('lead from the README to every page of docs/', () => {
  const found = new Set(['README.md']);
  for (const from of found) {
    for (const address of byPath.get(from)?.links ?? []) {
      if (!/^https?:/.test(address)) found.add(posix.join(posix.dirname(from), address.split('#')[0]!));
    }
  }
  const pagesOfDocs = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
  expect(pagesOfDocs.filter((path) => !found.has(path))).toEqual([]);
});

it('finds what is wrong', () => {
  expect(problem('docs/tasks.md', 'nowhere.md')).toContain('there is no docs/nowhere.md');
  expect(problem('docs/tasks.md', 'search.md#nothing')).toContain('has no heading nothing');
  expect(problem('docs/tasks.md', '#nothing')).toContain('has no heading nothing');
  expect(problem('docs/tasks.md', '../../elsewhere.md')).toContain('there is no');
  expect(problem('docs/tasks.md', 'search.md#islands')).toBeUndefined();
});
