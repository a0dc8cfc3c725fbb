// Somebody's own table in the page: what was found in it, and how far its model is. The work is done by data-worker.ts; nothing leaves
// the page. Must not know how it is shown.
import { batch, signal } from '@preact/signals';
import type { TableReport } from '../../../src/tasks/tabular/tabular.js';
import type { FitnessPoint } from '../../shared/chart-data.js';
import { connectWorker, type WorkerCalls } from '../connection/worker-calls.js';
import { addPoint } from '../search/chart-points.js';
import type { DataHandlers } from './data-worker.js';
import type { ExampleTable } from './example-tables.js';
import type { FitNews, FitResult, TableSummary } from './fit-data.js';
import { MAX_BYTES } from './read-csv.js';

export const table = signal<TableSummary | undefined>(undefined);
export const target = signal('');
export const report = signal<TableReport | undefined>(undefined);
export const problem = signal<string | undefined>(undefined);
export const stage = signal<string | undefined>(undefined);
export const points = signal<readonly FitnessPoint[]>([]);
export const algorithms = signal(0);
export const milliseconds = signal(0);
export const best = signal<(FitNews & { type: 'best' }) | undefined>(undefined);
export const result = signal<FitResult | undefined>(undefined);

/** How long the search may take, in seconds. */
export const seconds = signal(15);
/** Otherwise it begins with a linear model and a network, as `evozero fit` does. */
export const fromScratch = signal(false);

/** The same table is always searched in the same way. */
const SEED = 1;

let worker: WorkerCalls<DataHandlers> | undefined;

function calls(): WorkerCalls<DataHandlers> {
  worker ??= connectWorker<DataHandlers>(
    new Worker(new URL('./data-worker.ts', import.meta.url), { type: 'module', name: 'data' }),
  );
  return worker;
}

function clearResult(): void {
  batch(() => {
    stage.value = undefined;
    points.value = [];
    algorithms.value = 0;
    milliseconds.value = 0;
    best.value = undefined;
    result.value = undefined;
  });
}

/** Forgets the table and all that was done with it. */
export function closeTable(): void {
  worker?.dispose();
  worker = undefined;
  clearResult();
  batch(() => {
    table.value = undefined;
    target.value = '';
    report.value = undefined;
    problem.value = undefined;
  });
}

async function fetchBytes({ name, address }: ExampleTable): Promise<ArrayBuffer> {
  const answer = await fetch(address).catch(() => undefined);
  if (answer === undefined) throw new Error(`${name}: could not be loaded; is there a connection?`);
  if (!answer.ok) throw new Error(`${name}: could not be loaded; the server answered ${answer.status}`);
  return answer.arrayBuffer();
}

/** One of the page's own. */
export async function openExample(example: ExampleTable): Promise<void> {
  await openTable(example.name, () => fetchBytes(example));
}

export async function openFile(file: File): Promise<void> {
  await openTable(file.name, () => {
    if (file.size <= MAX_BYTES) return file.arrayBuffer();
    const most = `${MAX_BYTES / 2 ** 20} MB`;
    throw new Error(`${file.name}: has more than ${most}; take some of its rows, or use evozero fit`);
  });
}

/** Opens the table that `load` brings, or says why there is none. */
async function openTable(name: string, load: () => Promise<ArrayBuffer>): Promise<void> {
  closeTable();
  try {
    const bytes = new Uint8Array(await load());
    const read = await calls().call('read', { name, bytes });
    table.value = read;
    // Most files have what is to be predicted in the last column.
    await chooseTarget(read.columns.at(-1)!);
  } catch (error) {
    problem.value = (error as Error).message;
  }
}

export async function chooseTarget(column: string): Promise<void> {
  clearResult();
  target.value = column;
  const found = await calls()
    .call('inspect', { target: column })
    .catch((error: Error) => error);
  if (target.value !== column) return;
  batch(() => {
    report.value = found instanceof Error ? undefined : found;
    problem.value = found instanceof Error ? found.message : undefined;
  });
}

function noteNews(news: FitNews): void {
  if (news.type === 'stage') stage.value = news.stage;
  else if (news.type === 'best') {
    best.value = news;
    points.value = addPoint(points.value, { x: news.algorithms, best: news.fitness });
  } else {
    algorithms.value = news.algorithms;
    milliseconds.value = news.milliseconds;
    points.value = addPoint(points.value, { x: news.algorithms, best: news.best });
  }
}

export async function startFit(): Promise<void> {
  clearResult();
  problem.value = undefined;
  stage.value = 'searching';
  const own = calls();
  const options = {
    target: target.value,
    seconds: seconds.value,
    seed: SEED,
    fromScratch: fromScratch.value,
  };
  const fitted = await own.call('fit', options, (news) => batch(() => noteNews(news))).catch((error: Error) => error);
  if (worker !== own) return;
  batch(() => {
    stage.value = undefined;
    if (fitted instanceof Error) problem.value = fitted.message;
    else result.value = fitted;
  });
}

export function stopFit(): void {
  void worker?.call('stop', undefined);
}
