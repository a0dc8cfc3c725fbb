// How fast a search is in Chromium, in the worker of the playground as it was built, beside the same search in this Node. They take
// turns. Nothing is served: the browser's requests are answered from the files. Must not know commands, nor what is on the page.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page, Route } from 'playwright-core';
import { type Config, parseConfig } from '../experiment/config.js';
import { findPreset } from '../experiment/presets.js';
import { Run } from '../experiment/run.js';
import { findChromium } from './chromium.js';
import { measureYardstick } from './clock.js';
import { CannotMeasure, type Measurement, type Workload } from './workloads.js';

const ALGORITHMS = 1_000_000;
const ROUNDS = 3;
const PARTS = 40;

/** The search of demo-search, without an end before the last algorithm. */
function demoConfig(): Config {
  return parseConfig({
    ...findPreset('linear'),
    seed: 1,
    islands: { count: 1 },
    experiment: { algorithms: ALGORITHMS },
    select: { at: 'end' },
    stop: { algorithms: ALGORITHMS },
  });
}

/** How far a search was after so many milliseconds. */
interface Moment {
  readonly algorithms: number;
  readonly milliseconds: number;
}

// --- Node --------------------------------------------------------------------------------------------------------------

/** As many as the worker tries between two messages, about. */
const SLICE = 5000;

async function searchInNode(config: Config): Promise<Moment[]> {
  const run = await Run.start(config);
  const moments: Moment[] = [{ algorithms: 0, milliseconds: 0 }];
  try {
    const startedAt = performance.now();
    while (run.phase === 'search') {
      await run.advance(SLICE);
      moments.push({ algorithms: run.algorithms, milliseconds: performance.now() - startedAt });
    }
    return moments;
  } finally {
    run.dispose();
  }
}

// --- Chromium ----------------------------------------------------------------------------------------------------------

const PAGES = fileURLToPath(new URL('../web/', import.meta.url));
const ORIGIN = 'http://localhost';
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

function findWorker(): string {
  const assets = join(PAGES, 'assets');
  const name = existsSync(assets) ? readdirSync(assets).find((each) => /^search-worker-.*\.js$/.test(each)) : undefined;
  if (name === undefined) throw new CannotMeasure('the pages have not been built: npm run build does it');
  return `${ORIGIN}/assets/${name}`;
}

async function answer(route: Route): Promise<void> {
  const file = join(PAGES, new URL(route.request().url()).pathname);
  const contentType = TYPES[extname(file)];
  if (contentType === undefined || !existsSync(file)) await route.fulfill({ status: 404 });
  else await route.fulfill({ status: 200, contentType, body: readFileSync(file) });
}

/** Playwright comes with a clone of evozero, not with its package. */
async function loadPlaywright() {
  try {
    return await import('playwright-core');
  } catch {
    throw new CannotMeasure('playwright-core is missing, which only a clone of evozero has: npm ci');
  }
}

async function launchBrowser(): Promise<Browser> {
  const found = findChromium();
  if (found === undefined) throw new CannotMeasure('there is no Chromium here: install the package chromium');
  const { chromium } = await loadPlaywright();
  return chromium.launch(found);
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  await context.route('**/*', answer);
  const page = await context.newPage();
  await page.goto(`${ORIGIN}/playground/index.html`);
  return page;
}

/** What the worker tells (web/playground/search/search-session.ts), as far as it is needed. */
interface Told {
  readonly news?: { readonly status: { readonly counts: { readonly algorithms: number } } };
  readonly error?: { readonly message: string };
}

/** The Worker of a browser; this file is compiled for Node. */
interface WebWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  onmessage: (event: { data: Told }) => void;
}
declare const Worker: new (address: string, options: { type: 'module' }) => WebWorker;

/** A search in a new worker. Runs in the page, so that it knows nothing of this file. */
function searchInWorker({ address, config }: { address: string; config: Config }): Promise<Moment[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(address, { type: 'module' });
    const moments: Moment[] = [];
    worker.onmessage = ({ data: { news, error } }) => {
      if (error !== undefined) reject(new Error(error.message));
      if (news !== undefined) {
        const { algorithms } = news.status.counts;
        moments.push({ algorithms, milliseconds: performance.now() });
        if (algorithms < config.stop.algorithms!) return;
      }
      worker.terminate();
      resolve(moments);
    };
    worker.postMessage({ id: 0, name: 'search', request: { config, isPaused: false } });
  });
}

async function searchInChromium(page: Page, address: string, config: Config): Promise<Moment[]> {
  return page.evaluate(searchInWorker, { address, config });
}

// --- Both --------------------------------------------------------------------------------------------------------------

/** When a search had tried so many algorithms, between two moments by proportion. */
function timeAt(moments: readonly Moment[], algorithms: number): number {
  const next = moments.findIndex((moment) => moment.algorithms >= algorithms);
  const [after, before] = [moments[next]!, moments[Math.max(0, next - 1)]!];
  if (after.algorithms === before.algorithms) return after.milliseconds;
  const part = (algorithms - before.algorithms) / (after.algorithms - before.algorithms);
  return before.milliseconds + part * (after.milliseconds - before.milliseconds);
}

/** Algorithms a second of a search whose every part was as fast as in the best of several runs. */
function bestSpeed(runs: readonly (readonly Moment[])[]): number {
  let total = 0;
  for (let part = 1; part <= PARTS; part++) {
    const [from, to] = [(ALGORITHMS * (part - 1)) / PARTS, (ALGORITHMS * part) / PARTS];
    total += Math.min(...runs.map((moments) => timeAt(moments, to) - timeAt(moments, from)));
  }
  return (1000 * ALGORITHMS) / total;
}

async function measure(): Promise<Measurement[]> {
  const config = demoConfig();
  const browser = await launchBrowser();
  const [node, chromium]: [Moment[][], Moment[][]] = [[], []];
  try {
    const address = findWorker();
    const page = await openPage(browser);
    for (let round = 0; round < ROUNDS; round++) {
      measureYardstick();
      node.push(await searchInNode(config));
      chromium.push(await searchInChromium(page, address, config));
    }
  } finally {
    await browser.close();
  }
  const [inNode, inChromium] = [bestSpeed(node), bestSpeed(chromium)];
  const name = 'chromium-search';
  const speed = { metric: 'algorithms/s', vsOriginal: null };
  return [
    { name, value: inChromium, ...speed },
    { name: `${name}/node`, value: inNode, ...speed },
    { name: `${name}/ratio`, metric: "times Node's", value: inChromium / inNode, vsOriginal: null },
  ];
}

export const CHROMIUM_SEARCH: readonly Workload[] = [
  {
    name: 'chromium-search',
    about: `the search of demo-search in Chromium, in a worker of the built playground, and in Node: the best of ${ROUNDS} runs in each fortieth`,
    run: measure,
  },
];
