import { expect, test } from 'vitest';
import type { Findings } from './findings.js';
import { renderResults } from './results-table.js';

const FINDINGS: Findings = {
  name: 'difficulty',
  title: 'Evolution | *random* search',
  paper: 'Figure 4',
  question: 'Is `it` <b>better</b>?',
  scale: 'quick',
  seed: 7,
  command: 'evozero reproduce difficulty --seed 7',
  version: '1.2.3',
  machine: 'some_cpu, 2 cores',
  date: '2026-01-02',
  seconds: 3725,
  searchCpuSeconds: 7200,
  claims: [
    { claim: 'It wins', paper: 'a|b', ours: 'two\nlines', verdict: 'reproduced' },
    { claim: 'By far', paper: '9', ours: '1', verdict: 'open', note: 'Too *few*.' },
  ],
  figures: [],
  tables: [
    {
      name: 'tasks',
      title: 'Tasks',
      columns: ['task', 'value'],
      rows: [
        ['a|b', 0.5],
        ['c', null],
      ],
    },
    { name: 'more', title: 'More', columns: ['second'], rows: [[1]] },
  ],
  programs: [],
  notes: ['# no heading', '1. no list', '- nor this', 'a [link](x) &lt; ~b~ \\ `'],
};

function linesOf(all: readonly Findings[]): string[] {
  return renderResults(all).split('\n');
}

test('the overview has a row for each experiment, which leads to its part', () => {
  const { searchCpuSeconds: _, ...unsearched } = FINDINGS;
  const lines = linesOf([FINDINGS, { ...unsearched, name: 'other', title: 'Other', claims: [] }]);
  expect(lines).toContain(
    '| [Evolution \\| \\*random\\* search](#difficulty) | Figure 4 | 1 reproduced, 1 open | 62 min 5 s | 2 h 0 min | some\\_cpu, 2 cores |',
  );
  expect(lines).toContain('| [Other](#other) | Figure 4 | no claims | 62 min 5 s |  | some\\_cpu, 2 cores |');
  expect(lines).toContain('<a id="other"></a>');
});

test('claims stand in a table in which nothing is markup but what is ours', () => {
  const lines = linesOf([FINDINGS]);
  expect(lines).toContain('| It wins | a\\|b | two lines | ✓ reproduced |');
  expect(lines).toContain('| By far<br><sub>Too \\*few\\*.</sub> | 9 | 1 | ? open |');
  expect(lines).toContain('*Figure 4.* Is \\`it\\` \\<b\\>better\\</b\\>?');
});

test('all rows of a table have as many cells', () => {
  const tables = renderResults([FINDINGS]).match(/(?:^\|.*\n)+/gm)!;
  expect(tables).toHaveLength(3);
  for (const table of tables) {
    const cells = table
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll('\\|', '').split('|').length);
    expect(new Set(cells).size).toBe(1);
  }
});

test('notes are a list, whatever they begin with', () => {
  const notes = linesOf([FINDINGS]).filter((line) => line.startsWith('- '));
  expect(notes).toEqual([
    '- \\# no heading',
    '- 1\\. no list',
    '- \\- nor this',
    '- a \\[link\\](x) \\&lt; \\~b\\~ \\\\ \\`',
  ]);
});

test('the first table is there if it is short, with its figures at the right', () => {
  const lines = linesOf([FINDINGS]);
  expect(lines).toContain('| --- | ---: |');
  expect(lines).toContain('| a\\|b | 0.5 |');
  expect(lines).toContain('| c | – |');
  expect(lines).not.toContain('**More**');
  const rows = Array.from({ length: 16 }, (_, k) => [k]);
  const long = { ...FINDINGS, tables: [{ name: 'long', title: 'Long', columns: ['k'], rows }] };
  expect(linesOf([long])).not.toContain('**Long**');
});

test('says how to run it again, and the same each time', () => {
  const lines = linesOf([FINDINGS]);
  expect(lines).toContain('    evozero reproduce difficulty --seed 7');
  expect(lines).toContain(
    'Scale quick, seed 7, 2026-01-02: 62 min 5 s on some\\_cpu, 2 cores, with evozero 1.2.3. Again:',
  );
  expect(renderResults([FINDINGS])).toBe(renderResults([structuredClone(FINDINGS)]));
  expect(renderResults([FINDINGS])).not.toMatch(/\n\n\n|[^\n]$/);
});

test('says so where there is nothing yet', () => {
  expect(renderResults([])).toContain('There are none yet.');
});
