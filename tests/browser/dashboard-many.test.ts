// The dashboard's page in a real Chromium where there is much: five hundred runs, and one of a million events.
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunList, SeriesAnswer } from '../../src/server/api.js';
import { keepScreenshot, openPage, sidewaysScroll, startBrowser } from '../support/browser.js';
import { compiled, evozero } from '../support/cli.js';
import { askJson, type DashboardProcess, launchDashboard } from '../support/dashboard.js';
import { temporaryFolder } from '../support/folders.js';

const RUNS = 500;
const EVENTS = 1_000_000;
/** Algorithms between two events. */
const STEP = 50;
const folder = temporaryFolder();
const log = join(folder, 'long', 'events.jsonl');

let browser: Browser;
let dashboard: DashboardProcess;

/** The k-th of a million progress events. One of them stands out. */
function progressLine(k: number): string {
  const algorithms = k * STEP;
  const best = 1 - 1 / Math.log2(k + 2);
  const mean = k === 654_321 ? 0.99 : 0.5 + 0.1 * Math.sin(k / 30_000);
  const counts = `"overBudget":0,"canonicalHits":${k},"fingerprintHits":${k},"cut":0,"audited":0,"evaluated":${k},"trainSteps":${k},"work":${k}`;
  return `{"type":"progress","experiment":1,"algorithms":${algorithms},"best":${best},"mean":${mean},"hurdles":[],${counts}}\n`;
}

function writeLong(config: string): void {
  mkdirSync(join(folder, 'long'));
  cpSync(config, join(folder, 'long', 'config.json'));
  const file = openSync(log, 'w');
  writeSync(file, '{"type":"experiment","experiment":1,"algorithms":0}\n');
  for (let k = 1; k <= EVENTS; ) {
    let piece = '';
    for (; k <= EVENTS && piece.length < 1 << 22; k++) piece += progressLine(k);
    writeSync(file, piece);
  }
  closeSync(file);
}

beforeAll(async () => {
  compiled('cli/main.js');
  const good = join(folder, 'run-000');
  const flags = ['--seed', '4', '--workers', '1', '--max-algorithms', '20000', '--out', good, '--json'];
  expect(evozero(['run', 'linear', ...flags]).status).toBe(0);
  const config = JSON.parse(readFileSync(join(good, 'config.json'), 'utf8'));
  for (let k = 1; k < RUNS; k++) {
    const run = join(folder, `run-${String(k).padStart(3, '0')}`);
    mkdirSync(run);
    for (const file of ['events.jsonl', 'result.json', 'progress.csv']) cpSync(join(good, file), join(run, file));
    writeFileSync(join(run, 'config.json'), JSON.stringify({ ...config, seed: k }));
  }
  writeLong(join(good, 'config.json'));
  browser = await startBrowser();
  dashboard = await launchDashboard(folder);
});
afterAll(() => dashboard?.end());

it('lists, sorts, filters and compares five hundred runs', async () => {
  const { page, complaints } = await openPage(browser, dashboard.url);
  const rows = page.locator('.runs tbody tr');
  await expect.poll(() => rows.count()).toBe(RUNS + 1);
  await page.getByRole('button', { name: 'Name' }).click();
  expect(await rows.first().locator('th a').textContent()).toBe('long');
  await page.getByRole('searchbox').fill('run-49');
  await expect.poll(() => rows.count()).toBe(10);
  for (const name of ['run-491', 'run-497']) await page.getByLabel(`Compare ${name}`).check();
  await page.getByText('Compared runs').waitFor();
  await page.getByRole('searchbox').fill('');
  await expect.poll(() => rows.count()).toBe(RUNS + 1);
  expect(complaints).toEqual([]);
});

it('shows a run of a million events, thinned out, and goes on with what comes', async () => {
  const { page, complaints } = await openPage(browser, dashboard.url, { viewport: { width: 390, height: 844 } });
  await page.getByRole('searchbox').fill('long');
  await page.getByRole('link', { name: 'long', exact: true }).click();
  const legend = page.locator('.legend');
  const all = (EVENTS * STEP).toLocaleString('en-US');
  await expect.poll(() => legend.textContent(), { timeout: 120_000 }).toContain(`at ${all} algorithms`);
  await page.getByText('The log is still being read').waitFor({ state: 'detached' });
  expect(await sidewaysScroll(page)).toBe(0);
  await keepScreenshot(page, 'dashboard-million');

  const { runs } = await askJson<RunList>(dashboard, '/api/runs');
  const { id, algorithms } = runs.find(({ name }) => name === 'long')!;
  expect(algorithms).toBe(EVENTS * STEP);
  const series = async () => (await askJson<SeriesAnswer>(dashboard, `/api/series?runs=${id}&points=600`)).runs[0]!;
  await expect.poll(async () => (await series()).readPart).toBe(1);
  const [experiment] = (await series()).experiments;
  expect(experiment!.algorithms.length).toBeLessThanOrEqual(600);
  expect(experiment!.algorithms.at(-1)).toBe(EVENTS * STEP);
  // What stands out is still there.
  const place = experiment!.mean.indexOf(0.99);
  expect(experiment!.algorithms[place]).toBe(654_321 * STEP);
  // Of the log, next to nothing is kept.
  const status = readFileSync(`/proc/${dashboard.pid}/status`, 'utf8');
  expect(Number(/VmHWM:\s*(\d+) kB/.exec(status)![1])).toBeLessThan(400_000);

  appendFileSync(log, progressLine(EVENTS + 1));
  const more = ((EVENTS + 1) * STEP).toLocaleString('en-US');
  await expect.poll(() => legend.textContent()).toContain(`at ${more} algorithms`);
  expect(complaints).toEqual([]);
});
