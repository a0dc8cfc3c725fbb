// The playground as it was built, on a static server, and what tests read from its views. Must not know what is tested.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { writeLink } from '../../web/playground/share/share-link.js';
import { type OpenPage, openPage, startBrowser } from './browser.js';
import { compiled } from './cli.js';
import { type StaticServer, serveFolder } from './static-server.js';

type Shared = Parameters<typeof writeLink>[0];

export interface Playground {
  /** A page at a view, such as `program`. Closed at the end of the test. */
  readonly open: (view: string, options?: BrowserContextOptions) => Promise<OpenPage>;
  /** A page at a link to something, which may be anything: links come from strangers. */
  readonly openShared: (shared: unknown) => Promise<OpenPage>;
  readonly addressOf: (view: string) => string;
  readonly server: () => StaticServer;
  readonly browser: () => Browser;
}

/** For the tests of a file. */
export function usePlayground(): Playground {
  let browser: Browser;
  let server: StaticServer;
  beforeAll(async () => {
    browser = await startBrowser();
    server = await serveFolder(compiled('web'));
  });
  afterAll(() => server?.close());
  const addressOf = (view: string) => `${server.address}/playground/#/${view}`;
  const open: Playground['open'] = (view, options) => openPage(browser, addressOf(view), options);
  return {
    open,
    openShared: async (shared) => open(`share/${await writeLink(shared as Shared)}`),
    addressOf,
    server: () => server,
    browser: () => browser,
  };
}

/** The lines of a program on the page, without comments. */
export async function readProgram(page: Page, label: string): Promise<string> {
  const lines = await page.getByRole('region', { name: label, exact: true }).locator('.line code').allTextContents();
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** A number of the page, as it is written, by what stands above it. */
export async function readFigure(page: Page, label: string): Promise<string> {
  const figure = page.locator('.figures > div').filter({ has: page.getByText(label, { exact: true }) });
  return (await figure.locator('dd').textContent()) ?? '';
}

export async function readCount(page: Page, label: string): Promise<number> {
  return Number.parseInt((await readFigure(page, label)).replaceAll(',', ''), 10);
}
