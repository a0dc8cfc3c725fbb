// `evozero worker`: runs islands of experiments that others have put up on a Redis, as many at once as it has slots, each in a thread.
// SIGTERM and Ctrl-C let it save them and give them back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { parseConfig } from '../experiment/config.js';
import { IslandRunner } from '../islands/island-runner.js';
import { ISLAND_FORMAT } from '../islands/migrant-bytes.js';
import type { Experiment, IslandJob, RedisServer, ServeTiming } from '../islands/redis-api.js';
import { RedisMistake } from '../islands/redis-errors.js';
import { coreCount } from '../islands/thread-field.js';
import { ThreadHost } from '../islands/thread-host.js';
import { UserError } from './errors.js';
import { directory, integer } from './options.js';
import { count, duration, note, printJson } from './output.js';
import { connect, redisUrl } from './redis-options.js';
import { explainRunErrors, openerOf, type WorkOptions } from './run-work.js';
import { version } from './version.js';

interface WorkerOptions extends Omit<WorkOptions, 'workers'> {
  readonly redis?: string;
  readonly slots?: number;
}

const seconds = () => performance.now() / 1000;

function say(text: string): void {
  process.stderr.write(`evozero: ${text}\n`);
}

/** Nothing if the experiment has been removed in the meantime. */
async function claimIsland(server: RedisServer, name: string, island: number) {
  try {
    const experiment = await server.openExperiment(name);
    const config = parseConfig(JSON.parse(experiment.config));
    return { config, experiment, claim: await experiment.claim(island) };
  } catch (error) {
    if (error instanceof RedisMistake) return undefined;
    throw error;
  }
}

const ENDS = { done: 'is done', taken: 'is no longer ours', saved: 'is given back' };

/** Milliseconds until a job is out of the queue, once its island was given back. */
const END_OF_JOB = 200;
const STATUS_PATIENCE = 2000;

/** Puts an island that has made room for others behind them. If this fails, the coordinator does it, some seconds later. */
async function queueAgain(experiment: Experiment): Promise<void> {
  await sleep(END_OF_JOB);
  await experiment.enqueue().catch(() => {});
}

async function runIsland(
  server: RedisServer,
  { experiment: name, island }: IslandJob,
  signal: AbortSignal,
  workerOptions: WorkerOptions,
): Promise<void> {
  const claimed = await claimIsland(server, name, island);
  if (claimed === undefined) return;
  const { config, experiment, claim } = claimed;
  const host = new ThreadHost();
  const startedAt = seconds();
  say(`${name}: island ${island + 1} ${claim.checkpoint === undefined ? 'begins' : 'goes on'}`);
  try {
    const openTasks = openerOf(workerOptions);
    const doOthersWait = async () => (await experiment.status({ timeout: STATUS_PATIENCE })).islands.waiting > 0;
    const options = { config, island, claim, host, openTasks, doOthersWait, signal, now: seconds, warn: say };
    const end = await new IslandRunner(options).run();
    say(`${name}: island ${island + 1} ${ENDS[end]}, after ${duration(seconds() - startedAt)}`);
    if (end === 'saved' && !signal.aborted) void queueAgain(experiment);
  } finally {
    host.dispose();
  }
}

/**
 * How soon islands of dead workers are taken over, in milliseconds: EVOZERO_WORKER_TIMING=LOCK,STALLED,RETRY. For tests, which kill
 * many; all workers of a Redis should have the same.
 */
function readTiming(): ServeTiming | undefined {
  const text = process.env.EVOZERO_WORKER_TIMING;
  if (text === undefined) return undefined;
  const [, lock, stalled, retry] = /^(\d{2,6}),(\d{2,6}),(\d{2,6})$/.exec(text) ?? [];
  if (lock === undefined) throw new UserError('EVOZERO_WORKER_TIMING: expected LOCK,STALLED,RETRY in milliseconds');
  return { lock: Number(lock), stalled: Number(stalled), retry: Number(retry) };
}

/** Ends when a signal comes; the second ends the process at once. */
function endSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      say('saving the islands and giving them back; once more ends at once');
      controller.abort();
    });
  }
  return controller.signal;
}

async function serve(options: WorkerOptions): Promise<void> {
  const slots = options.slots ?? coreCount();
  const timing = readTiming();
  const signal = endSignal();
  const server = await connect(redisUrl(options.redis));
  const startedAt = seconds();
  let islands = 0;
  say(`waiting for islands on ${server.url}, ${count(slots, 'slot')}`);
  try {
    await server.serve({
      format: ISLAND_FORMAT,
      evozero: version(),
      slots,
      signal,
      warn: note,
      ...(timing !== undefined && { timing }),
      run: async (job, aborted) => {
        islands++;
        await runIsland(server, job, aborted, options);
      },
    });
  } finally {
    await server.close();
  }
  if (options.json) printJson({ islands, seconds: seconds() - startedAt });
}

export function addWorker(cli: Command): void {
  cli
    .command('worker')
    .description('run islands of experiments on a Redis, until it is ended')
    .option('--redis <URL>', 'such as rediss://USER:PASSWORD@HOST (default: $EVOZERO_REDIS)')
    .option('--slots <N>', 'islands at once (default: one for each core)', integer(1, 1024))
    .option('--data <DIR>', 'where the data sets lie (default: $EVOZERO_DATA, then the cache directory)', directory)
    .option('--unverified', 'read data files whose checksum is not the published one')
    .option('--json', 'print one JSON object at the end')
    .action((options: WorkerOptions) => explainRunErrors(() => serve(options)));
}
