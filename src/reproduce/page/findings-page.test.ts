import { expect, test } from 'vitest';
import type { Findings } from '../findings.js';
import { renderFindingsPage } from './findings-page.js';

const FINDINGS: Findings = {
  name: 'difficulty',
  title: 'Evolution & <random> search',
  paper: 'Figure 4',
  question: 'Is it <better>?',
  scale: 'quick',
  seed: 7,
  command: "evozero reproduce difficulty --seed 7 --note '<x>'",
  version: '1.2.3',
  machine: 'a <machine>',
  date: '2026-01-02',
  seconds: 75,
  claims: [
    { claim: 'It <wins>', paper: '5<6', ours: '6>5', verdict: 'reproduced' },
    { claim: 'By far', paper: '9', ours: '1', verdict: 'not-reproduced', note: 'A <small> scale.' },
  ],
  figures: [{ kind: 'bars', title: 'Bars', caption: '', y: { label: 'y' }, bars: [{ name: '<bar>', value: 1 }] }],
  tables: [
    {
      name: 'tasks',
      title: 'Tasks <all>',
      columns: ['task <name>', 'value', 'interval'],
      rows: [
        ['a <cell>', 0.5, '0.5 ± 0.1'],
        ['b', null, '–'],
      ],
    },
  ],
  programs: [{ name: '<best>', about: 'Of <seed> 7.', text: 'def Setup():\n  s1 = 0.5 # <comment>\n' }],
  notes: ['Less than <the paper>.'],
};

test('no text of the findings is markup', () => {
  const page = renderFindingsPage(FINDINGS);
  expect(page).not.toMatch(/<(random|better|x|machine|wins|small|bar|all|name|cell|best|seed|comment|the paper)>/);
  expect(page).toContain('<h1>Evolution &amp; &lt;random&gt; search</h1>');
  expect(page).toContain('5&lt;6');
});

test('needs nothing else, and forbids scripts', () => {
  const page = renderFindingsPage(FINDINGS);
  expect(page).toContain('http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;');
  expect(page).not.toMatch(/<script|<link|<img|src=|href=|https?:/);
});

test('claims have a verdict in words with a symbol, and their note below', () => {
  const page = renderFindingsPage(FINDINGS);
  expect(page).toContain('<p class="verdict bad">2 claims of the paper: 1 reproduced, 1 not reproduced.</p>');
  expect(page).toContain('<td class="judged reproduced"><span aria-hidden="true">✓</span>reproduced</td>');
  expect(page).toContain('<td class="judged not-reproduced"><span aria-hidden="true">✗</span>not reproduced</td>');
  expect(page.match(/<tr class="why">/g)).toHaveLength(1);
  const [first] = FINDINGS.claims;
  expect(renderFindingsPage({ ...FINDINGS, claims: [first!] })).toContain('<p class="verdict good">1 claim of');
});

test('figures of tables stand at their right, unknown ones are dashes', () => {
  const page = renderFindingsPage(FINDINGS);
  expect(page).toContain(
    '<th scope="row" class="word">a &lt;cell&gt;</th><td class="figure">0.5</td><td class="figure">0.5 ± 0.1</td>',
  );
  expect(page).toContain('<th scope="row" class="word">b</th><td class="figure">–</td>');
});

test('long tables are folded, and end where their CSV file goes on', () => {
  const rows = Array.from({ length: 700 }, (_, k) => [k, k / 700]);
  const page = renderFindingsPage({
    ...FINDINGS,
    tables: [{ name: 'runs', title: 'Runs', columns: ['a', 'b'], rows }],
  });
  expect(page).toContain('<summary>700 rows</summary>');
  expect(page).toContain('200 more rows in runs.csv.');
  expect(page.match(/<tr><td/g)).toHaveLength(500);
});

test('programs are coloured; of many, all but the first are folded away', () => {
  expect(renderFindingsPage(FINDINGS)).toContain('<span class="s">s1</span> = <span class="number">0.5</span>');
  expect(renderFindingsPage(FINDINGS)).not.toContain('<details>');
  const programs = Array.from({ length: 5 }, (_, k) => ({ name: `p${k}`, about: '', text: '' }));
  expect(renderFindingsPage({ ...FINDINGS, programs }).match(/<details>/g)).toHaveLength(4);
});

test('says how to run it again, where and how long', () => {
  const page = renderFindingsPage(FINDINGS);
  for (const [name, text] of [
    ['Seed', '7'],
    ['Machine', 'a &lt;machine&gt;'],
    ['Time', '75.0 s'],
    ['Date', '2026-01-02'],
    ['Version', 'evozero 1.2.3'],
  ]) {
    expect(page).toContain(`<dt>${name}</dt><dd>${text}</dd>`);
  }
});

test('what there is nothing of has no heading', () => {
  const page = renderFindingsPage({ ...FINDINGS, claims: [], figures: [], tables: [], programs: [], notes: [] });
  expect([...page.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title]) => title)).toEqual(['Run it again']);
});
