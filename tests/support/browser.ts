// A real Chromium, for tests that look at pages as people do.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { source as axeSource } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { findChromium } from '../../src/bench/chromium.js';
import { ROOT } from './cli.js';

/** Milliseconds. What another program does on this machine must not make a test fail. */
const PATIENCE = 120_000;

/** A browser until the tests of the file are done. */
export async function startBrowser(): Promise<Browser> {
  const found = findChromium();
  if (found === undefined) throw new Error('these tests need Chromium on PATH');
  const browser = await chromium.launch(found);
  afterAll(() => browser.close());
  return browser;
}

export interface OpenPage {
  readonly page: Page;
  /** What the page complained about: errors of scripts, and what its Content-Security-Policy forbade. */
  readonly complaints: string[];
}

/** A page that is closed at the end of the test. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A server that is away is no fault of the page.
    if (message.type() === 'error' && !/net::ERR_|Failed to load resource/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  await page.goto(address);
  return { page, complaints };
}

/** Keeps what a page looks like, for people. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = join(ROOT, 'test-results/screenshots');
  mkdirSync(folder, { recursive: true });
  // What sticks to an edge of the window is drawn where the window is.
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What axe-core says is wrong with the page as it is, of what is serious or worse; one line each. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
      ),
    );
}

/** By how many pixels a page is wider than its window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
