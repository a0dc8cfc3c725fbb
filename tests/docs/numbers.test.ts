// The numbers in the README's table of results are those of the pages that say how they were found, so that they cannot drift apart.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ORIGINAL } from '../../src/bench/workloads.js';
import { ROOT } from '../support/cli.js';

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

it('docs/benchmarks.md has the figures of the original that ratios are made with', () => {
  const page = read('docs/benchmarks.md');
  const { networkStep, demoSearch, fullSpaceSearch, discoveryLinear } = ORIGINAL;
  const units = [...Object.values(networkStep), demoSearch, fullSpaceSearch].map((each) =>
    each.toLocaleString('en-US'),
  );
  for (const text of [...units, `${discoveryLinear / 1e6} million`]) expect(page).toContain(text);
});
