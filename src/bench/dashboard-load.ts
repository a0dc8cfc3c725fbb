// Whether looking at a search slows it: its speed with ten open pages of a dashboard, each of which asks and listens as the real one
// does (web/dashboard/open-run.ts), beside its speed when nobody looks. They take turns. Must not know commands, nor how either works.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LIMITS, ROUTES, type RunList, type RunMessage, type SeriesAnswer } from '../server/api.js';
import type { Measurement, Workload } from './workloads.js';

const COMMAND = fileURLToPath(new URL('../../bin/evozero.js', import.meta.url));
const PAGES = 10;
/** Of each kind, in turns; the best counts. */
const ROUNDS = 3;
/** Of each thread: a good ten seconds. */
const ALGORITHMS = 3_000_000;

function startCommand(...args: string[]): ChildProcess {
  return spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
}

/** What a command prints as JSON; `isAll` if it ends with it. */
async function readJson<T>(child: ChildProcess, isAll: boolean): Promise<T> {
  let text = '';
  child.stdout!.setEncoding('utf8');
  child.stdout!.on('data', (piece: string) => {
    text += piece;
  });
  if (isAll) await once(child, 'close');
  else while (!text.trimEnd().endsWith('}') && child.exitCode === null) await sleep(20);
  return JSON.parse(text) as T;
}

// --- A page ------------------------------------------------------------------------------------------------------------

/** As the page: no more often than this, in milliseconds. */
const PROGRAMS_EVERY = 1500;
const DETAIL_EVERY = 3000;

class Page {
  private readonly address: string;
  private readonly signal: AbortSignal;

  constructor(address: string, signal: AbortSignal) {
    this.address = address;
    this.signal = signal;
  }

  /** Looks at the first run that there is, until it is aborted. */
  async look(): Promise<void> {
    let id: string | undefined;
    while (id === undefined) {
      id = (await this.ask<RunList>(ROUTES.runs)).runs[0]?.id;
      if (id === undefined) await sleep(100, undefined, { signal: this.signal });
    }
    const run = id;
    await this.ask(ROUTES.run(run));
    const askPrograms = async () => {
      await this.ask(ROUTES.program(run));
      await this.ask(`${ROUTES.lineage(run)}?from=0&count=${LIMITS.lineageSteps}`);
    };
    await askPrograms();
    const { runs } = await this.ask<SeriesAnswer>(`${ROUTES.series}?runs=${run}&scale=log`);
    let [programsAt, detailAt] = [performance.now(), performance.now()];
    for await (const message of this.listen(`${ROUTES.stream(run)}?cursor=${runs[0]?.cursor}`)) {
      if (message.type !== 'update') continue;
      const now = performance.now();
      if (message.bests.length > 0 && now - programsAt > PROGRAMS_EVERY) {
        programsAt = now;
        await askPrograms();
      }
      if (message.hasNews && now - detailAt > DETAIL_EVERY) {
        detailAt = now;
        await this.ask(ROUTES.run(run));
      }
    }
  }

  private async ask<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.address}${path}`, { signal: this.signal });
    return (await answer.json()) as T;
  }

  private async *listen(path: string): AsyncGenerator<RunMessage> {
    const { body } = await fetch(`${this.address}${path}`, { signal: this.signal });
    let rest = '';
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) yield JSON.parse(data) as RunMessage;
      }
    }
  }
}

/** Opens the pages on a directory. Resolves with what closes them and ends the dashboard. */
async function openPages(directory: string): Promise<() => Promise<void>> {
  const dashboard = startCommand('dashboard', directory, '--port', '0', '--json');
  const { port } = await readJson<{ readonly port: number }>(dashboard, false);
  const stop = new AbortController();
  const pages = Array.from({ length: PAGES }, () => new Page(`http://127.0.0.1:${port}`, stop.signal).look());
  // A page that fails before it is closed would make the figure too good.
  const failed = pages.map((page) =>
    page.catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    }),
  );
  const all = Promise.all(failed);
  all.catch(() => undefined);
  return async () => {
    stop.abort();
    dashboard.kill('SIGKILL');
    await all;
  };
}

// --- Both --------------------------------------------------------------------------------------------------------------

/** Algorithms a second of one search. */
async function searchOnce(workers: number, isWatched: boolean): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'evozero-bench-'));
  const close = isWatched ? await openPages(directory) : async () => {};
  try {
    const count = String(ALGORITHMS * workers);
    const limits = ['--max-algorithms', count, '--set', `experiment.algorithms=${count}`, '--set', 'stop.fitness=1'];
    const flags = ['--seed', '1', '--workers', String(workers), ...limits, '--out', join(directory, 'run'), '--json'];
    const search = startCommand('run', 'linear', ...flags);
    const { algorithms, seconds } = await readJson<{ algorithms: number; seconds: number }>(search, true);
    return algorithms / seconds;
  } finally {
    await close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(name: string, workers: number): Promise<Measurement[]> {
  const best = { alone: 0, watched: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    best.alone = Math.max(best.alone, await searchOnce(workers, false));
    best.watched = Math.max(best.watched, await searchOnce(workers, true));
  }
  const speed = { metric: 'algorithms/s', vsOriginal: null };
  return [
    { name: `${name}/alone`, value: best.alone, ...speed },
    { name: `${name}/watched`, value: best.watched, ...speed },
    { name: `${name}/ratio`, metric: 'watched to alone', value: best.watched / best.alone, vsOriginal: null },
  ];
}

const PLACES = [
  { name: 'dashboard-load-one', about: 'on one core', workers: 1 },
  {
    name: 'dashboard-load-all',
    about: 'on all cores, which pages and server must share',
    workers: availableParallelism(),
  },
];

export const DASHBOARD_LOAD: readonly Workload[] = PLACES.map(({ name, about, workers }) => ({
  name,
  about: `a search ${about}, with ${PAGES} open pages of a dashboard and with none: the best of ${ROUNDS}`,
  run: () => measure(name, workers),
}));
