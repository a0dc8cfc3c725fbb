import { beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../experiment/config.js';
import type { RunEvent } from '../experiment/events.js';
import { findPreset } from '../experiment/presets.js';
import { Run } from '../experiment/run.js';
import { type ReportData, renderReport } from './run-page.js';

/** A real run, and a small one. */
async function runLinear(): Promise<ReportData> {
  const preset = findPreset('linear');
  const config = parseConfig({ ...preset, seed: 4, stop: { ...preset.stop, algorithms: 5000 } });
  const run = await Run.start(config);
  const events: RunEvent[] = [];
  while (!run.isDone) events.push(...(await run.advance(1000)));
  const result = { run: '/runs/linear-4', ...run.result(), seconds: 2.5, cpuSeconds: 3.25 };
  run.dispose();
  return { result, config, events, version: '1.2.3' };
}

let data: ReportData;

beforeAll(async () => {
  data = await runLinear();
});

/** The same run with another result. */
function withResult(changes: Partial<ReportData['result']>): ReportData {
  return { ...data, result: { ...data.result, ...changes } };
}

function textOf(page: string): string {
  const body = page.slice(page.indexOf('<body>'));
  return body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

test('says what was found, how well, and how to find it again', () => {
  const page = renderReport(data);
  const text = textOf(page);
  expect(page).toContain('<title>linear, seed 4 - evozero</title>');
  expect(text).toContain('which does not suffice: 0.9999 was asked for.');
  expect(text).toContain(
    'The search ended at its limit of algorithms, after 5,000 algorithms in 1 experiment and 2.5 s.',
  );
  expect(text).toContain('evozero run linear --seed 4 --max-algorithms 5000');
  expect(text).toContain('2.5 s, 3.3 s of processor time');
  expect(text).toContain('evozero 1.2.3. /runs/linear-4');
  expect(text).toContain(`Select ${data.result.selectFitness!.toFixed(6)} 100 linear-select tasks`);
  expect(page).toContain('As it was found, with what has no effect');
  expect(page).toContain('class="plot"');
  expect(text).toContain('How it came about');
});

test('the verdict follows success', () => {
  expect(textOf(renderReport(withResult({ success: true, selectFitness: 0.99995 })))).toContain(
    'The program reached 0.999950 on 100 linear-select tasks, which suffices: 0.9999 was asked for.',
  );
  expect(textOf(renderReport(withResult({ success: null })))).toContain('no fitness was asked for.');
});

test('a search that the clock ended says that it may end elsewhere', () => {
  expect(renderReport(data)).not.toContain('The clock ended');
  expect(renderReport(withResult({ reason: 'minutes' }))).toContain('The clock ended this search');
});

test('a run without a program has a report too', () => {
  const none = { program: null, simplified: null, searchFitness: null, selectFitness: null, finalFitness: null };
  const { counts } = data.result;
  const result = { ...data.result, ...none, lineage: [], algorithms: 0, counts: { ...counts, algorithms: 0 } };
  const text = textOf(renderReport({ ...data, result, events: [] }));
  expect(text).toContain('No program was found.');
  expect(text).not.toMatch(/NaN|undefined|null/);
});

test('needs nothing from outside, and forbids it', () => {
  const page = renderReport(data);
  expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|https?:/);
  expect(page).toContain(`content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"`);
  expect(page).toContain('prefers-color-scheme: dark');
});

test('every reference to a heading has its heading, and tags are closed', () => {
  const page = renderReport(data);
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const references = [...page.matchAll(/aria-labelledby="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(references.length).toBeGreaterThan(5);
  expect(ids).toEqual(expect.arrayContaining(references));
  for (const tag of [
    'section',
    'table',
    'tr',
    'td',
    'th',
    'details',
    'pre',
    'svg',
    'path',
    'div',
    'ul',
    'li',
    'span',
  ]) {
    const opened = [...page.matchAll(new RegExp(`<${tag}(?=[ >])[^>]*>`, 'g'))].filter(
      ([text]) => !text.endsWith('/>'),
    );
    expect([tag, page.split(`</${tag}>`).length - 1]).toEqual([tag, opened.length]);
  }
});

test('nothing that users or programs wrote becomes markup', () => {
  const hostile = `</style></title></pre>"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\u202E`;
  const program = `def Setup():\n  ${hostile}\ndef ${hostile}\n# ${hostile}\n`;
  // Every text of the run, wherever it stands, is replaced; what decides the page's form stays.
  const keep = new Set(['type', 'reason', 'method', 'constants', 'at']);
  const poison = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return keep.has(key) ? value : /program|simplified/.test(key) ? program : hostile;
    if (Array.isArray(value)) return value.map((item) => poison(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poison(inner, name)]));
  };
  const { result, config, events } = data;
  const weights = { ...config.search.mutations.weights, [hostile]: 1 };
  const search = { ...config.search, initial: [program], mutations: { ...config.search.mutations, weights } };
  const space = { ...config.space, base: program };
  const hostileConfig = { ...config, about: hostile, search, space };
  const page = renderReport(poison({ result, config: hostileConfig, events, version: hostile }) as ReportData);
  const plain = renderReport(data);
  const tagsOf = (text: string) => new Set([...text.matchAll(/<\/?([a-z!]\w*)/gi)].map(([, tag]) => tag));
  // Comments, which no evolved program has, are in italics.
  expect([...tagsOf(page)].filter((tag) => !tagsOf(plain).has(tag))).toEqual(['i']);
  expect(page.split('&lt;script&gt;alert(1)&lt;/script&gt;').length).toBeGreaterThan(20);
  expect(page).not.toContain('\u202E');
  expect(page.split('</style>')).toHaveLength(2);
  expect(page).not.toMatch(/<[^>]* on\w+=/);
});

test('is a pure function', () => {
  expect(renderReport(data)).toBe(renderReport(structuredClone(data)));
});

test('stays small for a long run', () => {
  const best = data.events.filter((event) => event.type === 'best');
  const events = Array.from({ length: 2000 }, (_, k) => ({ ...best[k % best.length]!, algorithms: 1 + k * k }));
  const entry = data.result.lineage.at(-1)!;
  const lineage = Array.from({ length: 500 }, (_, k) => ({ ...entry, id: k * k }));
  const page = renderReport({ ...data, events, result: { ...data.result, lineage } });
  expect(page.length).toBeLessThan(500_000);
});
