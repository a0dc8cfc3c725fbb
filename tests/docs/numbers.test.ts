// The numbers in the README's table of results are those of the pages that say how they were found, so that they cannot drift apart; and
// the page about benchmarks has every one of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WORKLOADS } from '../../src/bench/list.js';
import { ORIGINAL } from '../../src/bench/workloads.js';
import { ROOT } from '../support/cli.js';
import { readPage } from '../support/pages.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Whole numbers such as 12 would be found anywhere. */
const NUMBER = /\d[\d,]*\.\d+|\d{2,3},\d{3}/g;

it('the README has the results of the other pages', () => {
  const section = /## Results\n([\s\S]*?)\n## /.exec(read('README.md'))![1]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  const sources = ['results', 'search', 'engine', 'benchmarks'].map((name) => read(`docs/${name}.md`)).join('\n');
  const numbers = rows.slice(1).flatMap((row) => row.match(NUMBER) ?? []);
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers.filter((number) => !sources.includes(number))).toEqual([]);
});

it('docs/benchmarks.md says how each benchmark is measured', () => {
  const spans = readPage('docs/benchmarks.md').spans.map((span) => span.replace('*', ''));
  const isThere = (name: string) => spans.some((span) => span.length > 3 && name.startsWith(span));
  expect(WORKLOADS.map(({ name }) => name).filter((name) => !isThere(name))).toEqual([]);
});

it('docs/benchmarks.md has the figures of the original that ratios are made with', () => {
  const page = read('docs/benchmarks.md');
  const { networkStep, demoSearch, fullSpaceSearch, discoveryLinear } = ORIGINAL;
  const units = [...Object.values(networkStep), demoSearch, fullSpaceSearch].map((each) =>
    each.toLocaleString('en-US'),
  );
  for (const text of [...units, `${discoveryLinear / 1e6} million`]) expect(page).toContain(text);
});
