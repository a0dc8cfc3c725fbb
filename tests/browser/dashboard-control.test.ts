// Starting, stopping and resuming a search from the dashboard's page, in a real Chromium.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { findBarriers, keepScreenshot, openPage, sidewaysScroll, startBrowser } from '../support/browser.js';
import { compiled } from '../support/cli.js';
import { startDashboard } from '../support/dashboard.js';
import { emptyFolder } from '../support/folders.js';

let browser: Browser;

beforeAll(async () => {
  compiled('cli/main.js');
  browser = await startBrowser();
});

it('offers none of it unless the server allows it', async () => {
  const { url } = await startDashboard(emptyFolder());
  const { page } = await openPage(browser, `${url}#/new`);
  await page.getByText('does not let pages start searches').waitFor();
  expect(await page.getByRole('link', { name: 'New search' }).count()).toBe(0);
});

it('lets in those who have the token, and takes it out of their address', async () => {
  const { url, token, port } = await startDashboard(emptyFolder(), '--host', '0.0.0.0');
  const { page, complaints } = await openPage(browser, url);
  await page.getByText('There are no runs').waitFor();
  expect(page.url()).not.toContain(token);
  await page.reload();
  await page.getByText('There are no runs').waitFor();
  expect(complaints).toEqual([]);
  const stranger = await openPage(browser, `http://localhost:${port}/`);
  expect(await stranger.page.textContent('body')).toContain('open the address with the token');
});

it('starts, stops and resumes a search', async () => {
  const runs = emptyFolder();
  const lock = join(runs, 'from-the-page', 'lock');
  // Searches outlive the dashboard, and must not outlive a test that fails.
  onTestFinished(() => {
    if (existsSync(lock)) process.kill(JSON.parse(readFileSync(lock, 'utf8')).pid, 'SIGKILL');
  });
  const { url } = await startDashboard(runs, '--allow-control');
  const { page, complaints } = await openPage(browser, url);
  await page.getByRole('link', { name: 'New search' }).click();
  await page.getByRole('radio', { name: /^linear-paper/ }).check();
  await page.getByLabel('name of the run').fill('from-the-page');
  await page.getByLabel('threads').fill('1');
  await page.getByLabel('seed').first().fill('9');
  await page.locator('summary', { hasText: /^space$/ }).click();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
    await keepScreenshot(page, `dashboard-start-${colorScheme}`);
  }
  const usualSize = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await sidewaysScroll(page)).toBe(0);
  await keepScreenshot(page, 'dashboard-start-390');
  await page.setViewportSize(usualSize);

  // What is wrong is said beside its field, and nothing is started.
  await page.locator('summary', { hasText: /^search$/ }).click();
  const population = page.getByLabel('population', { exact: true });
  const usual = await population.inputValue();
  await population.fill('0');
  await population.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('search.population');
  await keepScreenshot(page, 'dashboard-start-refused');
  await population.fill(usual);

  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { level: 1, name: 'from-the-page' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.badge', { hasText: 'stopped' }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('.badge', { hasText: 'running' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.badge', { hasText: 'stopped' }).waitFor();
  expect(complaints).toEqual([]);
});
