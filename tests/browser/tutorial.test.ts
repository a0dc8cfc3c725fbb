// The tutorial that uses the library in a browser: its files are built with Vite, served under a strict policy and used in a real Chromium.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openPage, startBrowser } from '../support/browser.js';
import { ROOT } from '../support/cli.js';
import { readPage } from '../support/pages.js';
import { serveFolder } from '../support/static-server.js';
import { makePlace, runTutorial } from '../support/tutorial.js';

const browser = await startBrowser();

/** What the page is said to show in the end. */
const promised = readPage('docs/tutorials/library-browser.md').blocks.find(({ text }) =>
  text.startsWith('final fitness'),
)!;

it('library-browser', async () => {
  const place = makePlace();
  mkdirSync(join(place, 'node_modules/.bin'));
  symlinkSync(join(ROOT, 'node_modules/vite'), join(place, 'node_modules/vite'));
  symlinkSync('../vite/bin/vite.js', join(place, 'node_modules/.bin/vite'));
  runTutorial('library-browser', { place, env: { NODE_ENV: 'production' } });
  const server = await serveFolder(join(place, 'dist'));
  onTestFinished(() => server.close());

  const { page, complaints } = await openPage(browser, `${server.address}/`);
  await page.getByRole('button', { name: 'Search' }).click();
  const status = page.getByRole('status');
  await expect.poll(() => status.textContent()).toBe(promised.text.trim());
  expect(await page.locator('pre').textContent()).toContain('def Learn(v0, s0):');
  expect(complaints).toEqual([]);

  const stopped = await openPage(browser, `${server.address}/`);
  await stopped.page.getByRole('button', { name: 'Search' }).click();
  await expect.poll(() => stopped.page.getByRole('status').textContent()).toMatch(/^\d+ algorithms$/);
  await stopped.page.getByRole('button', { name: 'Stop' }).click();
  await expect
    .poll(() => stopped.page.getByRole('status').textContent())
    .toMatch(/^final fitness [01]\.\d+ after \d+ algorithms$/);
});
