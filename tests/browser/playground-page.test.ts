// The playground as a page, in a real Chromium: without a network, below the dashboard, by keyboard, on a phone, in the dark, and for those
// who do not see it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBarriers, keepScreenshot, openPage, sidewaysScroll } from '../support/browser.js';
import { ROOT } from '../support/cli.js';
import { startDashboard } from '../support/dashboard.js';
import { readCount, readFigure, usePlayground } from '../support/playground.js';
import { serveFolder } from '../support/static-server.js';

const { open, browser } = usePlayground();

/** Until the service worker has every file. */
async function waitForWorker(page: Page): Promise<void> {
  const state = 'navigator.serviceWorker.getRegistration().then((found) => found?.active?.state)';
  await expect.poll(() => page.evaluate(state)).toBe('activated');
}

const start = (page: Page) => page.getByRole('button', { name: 'Start', exact: true });

it('works without a network once it has been loaded, from any static host', async () => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/setup.js'), '--playground'], { stdio: 'ignore' });
  const server = await serveFolder(join(ROOT, 'dist/playground'));
  onTestFinished(server.close);
  const { page, complaints } = await openPage(browser(), `${server.address}/#/search`);
  await waitForWorker(page);
  await page.context().setOffline(true);
  server.close();
  await page.reload();
  await start(page).click();
  await page.getByText('Discovered', { exact: true }).waitFor();
  await page.getByText('Your data', { exact: true }).click();
  await page.getByRole('button', { name: 'wine.csv' }).click();
  await page.getByText('To predict: one of several classes').waitFor();
  await page.goto(`${server.address}/#/tour/2`);
  await page.getByRole('button', { name: '10 examples' }).click();
  await expect.poll(() => readFigure(page, 'Examples learned')).toBe('10');
  expect(complaints).toEqual([]);
});

it('is also below the dashboard, under its policy', async () => {
  const { url } = await startDashboard(mkdtempSync(join(tmpdir(), 'evozero-playground-')));
  const { page, complaints } = await openPage(browser(), `${url}playground`);
  await page.getByRole('button', { name: 'One algorithm' }).click();
  await expect.poll(() => readCount(page, 'Algorithms tried')).toBe(1);
  await waitForWorker(page);
  await page.reload();
  await page.getByRole('button', { name: 'Until better' }).click();
  await page.getByText('is better than all before.').waitFor();
  expect(complaints).toEqual([]);
});

it('is used by keyboard alone', async () => {
  const { page } = await open('search');
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await start(page).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  for (let k = 0; k < 20 && (await focused()) !== 'One algorithm'; k++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => readCount(page, 'Algorithms tried')).toBe(1);
  // Speeds are one stop, with arrows between them.
  await page.getByLabel('Full speed').focus();
  await page.keyboard.press('ArrowLeft');
  expect(await page.getByLabel('200 per second').isChecked()).toBe(true);
});

it('does not move for those who have asked for that', async () => {
  const { page } = await open('tour/3', { reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Mutate' }).click();
  await page.locator('.badge.live').waitFor();
  const animation = `getComputedStyle(document.querySelector('.badge.live'), '::before').animationName`;
  expect(await page.evaluate(animation)).toBe('none');
});

/** Every view, with something on it. */
const VIEWS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  search: async (page) => {
    await page.getByRole('button', { name: 'Until better' }).click();
    await page.getByText('is better than all before.').waitFor();
    await page.getByText('All settings', { exact: true }).click();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByLabel('Link to this').waitFor();
  },
  program: async (page) => {
    await page.getByRole('button', { name: 'Mutate' }).click();
    await page.getByTestId('mutation').waitFor();
    await page.getByRole('button', { name: '10 examples' }).click();
    await page.getByTestId('score').waitFor();
  },
  data: async (page) => {
    await page.getByRole('button', { name: 'automobile.csv' }).click();
    await page.getByText('To predict: a number').waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('region', { name: 'Text of the best program so far' }).waitFor();
    await page.getByRole('button', { name: 'Another file' }).focus();
  },
  'tour/1': async (page) => {
    await page.getByText(/^1 − /).waitFor();
    await page.getByLabel('error times learning rate').uncheck();
    await page.getByText(/^0\.\d{6}$/).waitFor();
  },
  'tour/2': (page) => page.getByRole('button', { name: '100 examples' }).click(),
  'tour/3': async (page) => {
    await page.getByRole('button', { name: 'Try 500 mutants' }).click();
    await page.getByTestId('tally').waitFor();
  },
  'tour/4': (page) => page.getByRole('list', { name: /^100 programs/ }).waitFor(),
  'tour/5': (page) => page.getByTestId('verdict').waitFor(),
  'tour/6': (page) => page.getByText('of 300').waitFor(),
  'tour/7': (page) =>
    page
      .getByText(/^9\d\.\d%$/)
      .first()
      .waitFor(),
};

describe.each([
  ['on a wide screen, in the light', { colorScheme: 'light', viewport: { width: 1360, height: 900 } }],
  ['on a phone, in the dark', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
] as const)('%s', (where, options) => {
  it.each(Object.keys(VIEWS))('%s can be read by everybody', async (view) => {
    const { page, complaints } = await open(view, options);
    await VIEWS[view]!(page);
    expect(await findBarriers(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await keepScreenshot(page, `playground-${view.replace('/', '-')}-${where.includes('phone') ? 'phone' : 'wide'}`);
    expect(complaints).toEqual([]);
  });
});
