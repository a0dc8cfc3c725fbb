// `npm run soak`: an hour of search on two islands with the dashboard open in a real Chromium; memory, open files and algorithms a second
// must stay flat. `--minutes N` (default 60), `--keep`: the numbers into results/ and the plot into docs/pictures/.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepare, preparePages } from '../setup.js';
import { ensureChromium } from '../system-packages.js';
import { Campaign, check, root } from './report.js';
import { drawSoak } from './soak-plot.js';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, keep: { type: 'boolean', default: false } },
});
const SECONDS = 60 * Number(values.minutes);
const EVERY = Math.max(1, SECONDS / 360);

ensureChromium();
prepare();
preparePages();
const { chromium } = await import('playwright-core');
const { findChromium } = await import('../../dist/bench/chromium.js');
const place = mkdtempSync(join(tmpdir(), 'evozero-soak-'));
const script = join(root, 'bin/evozero.js');
const runs = join(place, 'runs');

// Every experiment is like the one before: what does not stay flat is a leak.
const SEARCH = ['run', 'linear', '--seed', '1', '--islands', '2', '--workers', '2', '--minutes', String(SECONDS / 60)];
const SETTINGS = ['--set', 'stop.fitness=null', '--set', 'stop.experiments=null'];
const stdio = ['ignore', 'pipe', 'pipe'];
const search = spawn(process.execPath, [script, ...SEARCH, ...SETTINGS, '--out', join(runs, 'soak')], { stdio });
search.stdout.resume();
search.stderr.resume();
const ended = new Promise((resolve) => search.on('close', resolve));
// Nothing goes on if this ends too early.
process.on('exit', () => search.kill('SIGKILL'));
while (!readdirSync(place).includes('runs')) await wait(100);
const dashboard = spawn(process.execPath, [script, 'dashboard', runs, '--port', '0', '--json'], { stdio });
dashboard.stderr.resume();
process.on('exit', () => dashboard.kill('SIGKILL'));
const url = await new Promise((resolve) => {
  dashboard.stdout.setEncoding('utf8').once('data', (text) => resolve(JSON.parse(text).url));
});
const browser = await chromium.launch(findChromium());
const page = await browser.newPage();
const complaints = [];
page.on('pageerror', (error) => complaints.push(error.message));
await page.goto(url);
await page.getByRole('link', { name: 'soak', exact: true }).click();

/** Megabytes and open files of a process. */
function look(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
  return { megabytes, files: readdirSync(`/proc/${pid}/fd`).length };
}

/** Algorithms so far, by the last line of the progress table. */
function algorithms() {
  const lines = readFileSync(join(runs, 'soak/progress.csv'), 'utf8').trimEnd().split('\n');
  return Number(lines.at(-1).split(',')[lines[0].split(',').indexOf('algorithms')]) || 0;
}

const campaign = new Campaign('soak');
const rows = [];
const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1000;
let isOver = false;
ended.then(() => {
  isOver = true;
});
await wait(5000);
let before = { seconds: seconds(), algorithms: algorithms() };
while (!isOver) {
  await wait(1000 * EVERY);
  if (isOver) break;
  const now = { seconds: seconds(), algorithms: algorithms() };
  const heap = await page.evaluate('performance.memory?.usedJSHeapSize / 2 ** 20');
  const [ofSearch, ofDashboard] = [look(search.pid), look(dashboard.pid)];
  rows.push({
    minutes: now.seconds / 60,
    rate: (now.algorithms - before.algorithms) / (now.seconds - before.seconds),
    search: ofSearch.megabytes,
    dashboard: ofDashboard.megabytes,
    page: heap,
    files: ofSearch.files,
    dashboardFiles: ofDashboard.files,
  });
  before = now;
  const { rate, search: ofItself, page: ofPage } = rows.at(-1);
  const line = `${rows.at(-1).minutes.toFixed(1)} minutes, ${Math.round(rate).toLocaleString('en-US')} algorithms/s, ${Math.round(ofItself)} MB, page ${ofPage?.toFixed(1)} MB`;
  process.stdout.write(process.stdout.isTTY ? `\r${line} ` : `${line}\n`);
}
// The last look may have been at a search that was ending.
rows.pop();
const status = await ended;
await browser.close();
dashboard.kill();

// --- What came of it ---------------------------------------------------------------------------------------------------

const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
/** The means of the second and of the last quarter: at first, caches fill. */
function quarters(of) {
  const quarter = Math.max(1, Math.floor(rows.length / 4));
  return [mean(rows.slice(quarter, 2 * quarter).map(of)), mean(rows.slice(-quarter).map(of))];
}
async function isFlat(what, of, { least = 0, most = Number.POSITIVE_INFINITY }) {
  await campaign.try(what, () => {
    const [early, late] = quarters(of);
    check(late / early > least && late / early < most, `${early.toFixed(1)}, later ${late.toFixed(1)}`);
    return `${early.toFixed(1)}, later ${late.toFixed(1)}`;
  });
}
await campaign.try('the search ends well', () => {
  check(status === 0, `exit code ${status}`);
  return `${rows.length} looks in ${values.minutes} minutes`;
});
await isFlat('algorithms a second', ({ rate }) => rate, { least: 0.85 });
await isFlat('memory of the search, MB', (row) => row.search, { most: 1.1 });
await isFlat('memory of the dashboard, MB', (row) => row.dashboard, { most: 1.15 });
await isFlat('memory of the page, MB', (row) => row.page, { most: 1.5 });
await isFlat('open files of the search', ({ files }) => files, { most: 1.05 });
await isFlat('open files of the dashboard', (row) => row.dashboardFiles, { most: 1.2 });
await campaign.try('the page has no errors', () => check(complaints.length === 0, complaints[0]));

if (values.keep) writeFileSync(join(root, 'docs/pictures/soak.svg'), drawSoak(rows));
rmSync(place, { recursive: true, force: true });
const round = (row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Math.round(10 * value) / 10]));
campaign.end(
  { minutes: Number(values.minutes), rows: rows.map(round) },
  values.keep ? 'results/campaigns/soak.json' : undefined,
);
