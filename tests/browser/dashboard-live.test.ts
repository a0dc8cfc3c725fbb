// The dashboard's page in a real Chromium while a search goes on: it follows, misses nothing while the server is away, and sees the end.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { shortFitness } from '../../web/shared/format.js';
import { keepScreenshot, openPage, startBrowser } from '../support/browser.js';
import { compiled, startEvozero } from '../support/cli.js';
import { startDashboard } from '../support/dashboard.js';
import { emptyFolder } from '../support/folders.js';

let browser: Browser;

beforeAll(async () => {
  compiled('cli/main.js');
  browser = await startBrowser();
});

/** How far the chart goes. */
async function algorithmsOn(page: Page): Promise<number> {
  return Number(((await page.locator('.legend .at').textContent()) ?? '').replaceAll(/\D/g, ''));
}

it('follows a search over a restart of the server to its end', async () => {
  const runs = emptyFolder();
  const first = await startDashboard(runs);
  const { page, complaints } = await openPage(browser, first.url);
  await page.getByText('There are no runs').waitFor();
  // Such a fitness is never reached: it goes on until it is told to stop.
  const args = [
    'run',
    'linear',
    '--seed',
    '6',
    '--workers',
    '1',
    '--set',
    'stop.fitness=1',
    '--set',
    'experiment.algorithms=1000000000',
  ];
  const search = startEvozero([...args, '--out', join(runs, 'live')]);
  onTestFinished(() => void search.child.kill('SIGKILL'));
  await page.getByText('running', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'live', exact: true }).click();
  await page.locator('.chart canvas').waitFor();
  const before = await algorithmsOn(page);
  await expect.poll(() => algorithmsOn(page)).toBeGreaterThan(before);
  for (const tab of ['Lineage', 'Evaluation', 'Settings and files', 'Program']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tabpanel', { name: tab }).waitFor();
  }
  await keepScreenshot(page, 'dashboard-live');
  // Something moves to say so, unless the reader wants nothing to move.
  const moving = () => page.evaluate<number>('document.getAnimations().length');
  await expect.poll(moving).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(moving).toBe(0);

  await first.kill();
  await page.getByRole('alert').waitFor();
  await keepScreenshot(page, 'dashboard-lost');
  const atLoss = await algorithmsOn(page);
  await startDashboard(runs, '--port', String(first.port));
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await expect.poll(() => algorithmsOn(page)).toBeGreaterThan(atLoss);

  search.child.kill('SIGINT');
  await search.done;
  await page.locator('.badge', { hasText: 'stopped' }).waitFor();
  // What it has put together piece by piece is what a new page is given at once, and what the run has logged.
  const fresh = await openPage(browser, page.url());
  await fresh.page.locator('.legend b').first().waitFor();
  const shown = async (of: Page) => (await of.locator('.legend').allTextContents()).join();
  await expect.poll(async () => (await shown(page)) === (await shown(fresh.page))).toBe(true);
  const logged = readFileSync(join(runs, 'live', 'events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const fitnesses = logged.map((line) => JSON.parse(line).fitness ?? 0);
  const best = page.locator('.figures > div', { hasText: 'Best in the search' });
  await expect.poll(() => best.locator('dd').textContent()).toContain(shortFitness(Math.max(...fitnesses)));
  expect(complaints).toEqual([]);
});
