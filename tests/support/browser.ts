// A real Chromium, and the real dashboard on real runs, for tests that look at pages as people do.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { source as axeSource } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { ROOT, startEvozero } from './cli.js';

// --- Chromium ----------------------------------------------------------------------------------------------------------

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser until the tests of the file are done. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error(`these tests need Chromium, as ${PLACES.join(' or ')}`);
  const browser = await chromium.launch({ executablePath, args: FLAGS });
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

// --- The dashboard -----------------------------------------------------------------------------------------------------

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface Dashboard {
  readonly address: string;
  readonly child: ChildProcess;
  /** Ends it as a crash would, and waits until its port is free. */
  readonly kill: () => Promise<void>;
}

const START_MS = 120_000;

async function waitForAnswer(address: string, child: ChildProcess, output: () => string): Promise<void> {
  const end = Date.now() + START_MS;
  for (;;) {
    try {
      await fetch(`${address}/api/info`);
      return;
    } catch {
      if (child.exitCode !== null) throw new Error(`evozero dashboard ended: ${output()}`);
      if (Date.now() > end) throw new Error(`evozero dashboard does not answer: ${output()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** `evozero dashboard` on a directory of runs. Ends with the test, or with those of the file if it is called outside of one. */
export async function startDashboard(
  directory: string,
  { port, args = [], ends }: { port?: number; args?: readonly string[]; ends: 'with test' | 'with file' },
): Promise<Dashboard> {
  const usedPort = port ?? (await freePort());
  const { child } = startEvozero(['dashboard', directory, '--port', String(usedPort), ...args]);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (text: string) => {
      output += text;
    });
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  if (ends === 'with test') onTestFinished(kill);
  else afterAll(kill);
  const address = `http://127.0.0.1:${usedPort}`;
  await waitForAnswer(address, child, () => output);
  return { address, child, kill };
}
