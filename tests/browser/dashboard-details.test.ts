// The dashboard's page in a real Chromium where something is unusual: a run with a large memory, an even number of final tasks, a
// browser without a clipboard, and a server that refuses once.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { median } from '../../src/util/stats.js';
import { openPage, startBrowser } from '../support/browser.js';
import { compiled, evozero } from '../support/cli.js';
import { type DashboardProcess, launchDashboard, startDashboard } from '../support/dashboard.js';
import { temporaryFolder } from '../support/folders.js';

const folder = temporaryFolder();

/** Linear regression, with its learning rate where the usual memory ends before. */
const FAR_AWAY = `def Setup():
  s12 = 0.01

def Predict(v0):
  s1 = dot(v0, v1)

def Learn(v0, s0):
  s3 = s0 - s1
  s3 = s12 * s3
  v2 = s3 * v0
  v1 = v1 + v2
`;

let browser: Browser;
let dashboard: DashboardProcess;

beforeAll(async () => {
  compiled('cli/main.js');
  const program = join(temporaryFolder(), 'far-away.alg');
  writeFileSync(program, FAR_AWAY);
  const settings = ['space.memory.scalars=20', `search.initial=${program}`, 'stop.fitness=0.5', 'tasks.final.count=10'];
  const flags = ['--seed', '4', '--workers', '1', '--out', join(folder, 'large'), '--json'];
  const { status, stderr } = evozero(['run', 'linear', ...flags, ...settings.flatMap((each) => ['--set', each])]);
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  cpSync(join(folder, 'large'), join(folder, 'another'), { recursive: true });
  browser = await startBrowser();
  dashboard = await launchDashboard(folder);
});
afterAll(() => dashboard?.end());

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'large', exact: true }).click();
  await page.getByRole('tab', { name }).click();
}

it.each(['Program', 'Lineage'])('draws a program that uses more memory than is usual, in %s', async (name) => {
  const { page, complaints } = await openPage(browser, dashboard.url);
  await openTab(page, name);
  await page.locator('.flow svg').waitFor();
  expect((await page.locator('.flow svg').textContent()) ?? '').toContain('s12');
  // What the search calls it, which takes an explanation.
  await expect.poll(() => page.locator('.flow svg').textContent()).toContain('learning rate');
  expect(complaints).toEqual([]);
});

it('draws the median of an even number of tasks between the two in the middle', async () => {
  const { page } = await openPage(browser, dashboard.url);
  await openTab(page, 'Evaluation');
  const line = await page.locator('.score-strip .median').getAttribute('d');
  const xs = await page
    .locator('.score-strip circle')
    .evaluateAll((dots) => dots.map((dot) => Number(dot.getAttribute('cx'))));
  expect(xs).toHaveLength(10);
  expect(Number(/^M([\d.]+) /.exec(line!)![1])).toBeCloseTo(median(xs), 0);
  expect(xs[4]).not.toBeCloseTo(xs[5]!, 0);
});

it('says so where a browser gives it no clipboard', async () => {
  const { port, token } = await startDashboard(folder, '--host', '0.0.0.0');
  // Plain http, and no name that browsers trust: as from another machine.
  const { page, complaints } = await openPage(browser, `http://0.0.0.0:${port}/?token=${token}`);
  expect(await page.evaluate('isSecureContext')).toBe(false);
  await openTab(page, 'Program');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Select and copy it yourself' }).waitFor();
  // A header that browsers ignore here.
  expect(complaints.filter((complaint) => !complaint.includes('Cross-Origin-Opener-Policy'))).toEqual([]);
});

it('puts a program on the clipboard where there is one', async () => {
  const { page } = await openPage(browser, dashboard.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await openTab(page, 'Program');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe(readFileSync(join(folder, 'large', 'best.simplified.alg'), 'utf8'));
});

it('compares runs again when the server no longer refuses', async () => {
  const { page } = await openPage(browser, 'about:blank');
  await page.route('**/api/series?**', (route) => route.fulfill({ status: 400, json: { error: 'not now' } }));
  await page.goto(dashboard.url);
  await page.getByText('not now').waitFor();
  await page.unroute('**/api/series?**');
  // One of the two that it showed before.
  await page.getByLabel('Compare large').check();
  await page.locator('.chart canvas').waitFor();
  expect(await page.getByText('not now').count()).toBe(0);
});
