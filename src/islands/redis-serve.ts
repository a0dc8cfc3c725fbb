// Running islands from a queue: which jobs are taken, what happens to those that fail or are interrupted, and how a worker
// leaves. Must not know BullMQ beyond `JobWorker`, nor what a run does.
import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../util/quote.js';
import type { IslandJob, NewExperiment, ServeOptions, ServeTiming } from './redis-api.js';
import type { RedisCommands } from './redis-commands.js';
import { RedisMistake, RedisOutage } from './redis-errors.js';
import { isIslandDone, isStopped, listExperiments, openExperiment } from './redis-experiment.js';
import { parseJobId } from './redis-keys.js';
import { type JobQueue, tidyQueue } from './redis-queue.js';

const DEFAULT_TIMING: ServeTiming = { lock: 10_000, stalled: 5_000, retry: 1_000 };
/** In milliseconds: how often a worker looks for experiments of other formats. */
const FORMAT_CHECK_INTERVAL = 60_000;
/** In milliseconds: how long a leaving worker waits for Redis. Its locks expire without it too. */
const LEAVE_TIMEOUT = 5_000;
/** In milliseconds, before an island that could not go on without Redis is given back. */
const OUTAGE_DELAY = 1_000;

interface TakenJob {
  readonly id: string;
  /** How many runs have failed. */
  readonly attempt: number;
  readonly isLast: boolean;
}

/** Starts taking jobs. A job is over when `process` resolves, and gets another attempt if it rejects and this was not the last. */
export type JobWorker = (settings: {
  readonly format: number;
  readonly slots: number;
  readonly timing: ServeTiming;
  readonly process: (job: TakenJob) => Promise<'over' | 'again'>;
  readonly onError: (error: Error) => void;
}) => { close(): Promise<void> };

interface Place {
  readonly commands: RedisCommands;
  readonly queue: JobQueue;
}

/** Whether this worker may run the island. */
async function isRunnable(place: Place, job: IslandJob, options: ServeOptions): Promise<boolean> {
  const { signal, warn } = options;
  try {
    const experiment = await openExperiment(place, job.experiment, { timeout: Number.POSITIVE_INFINITY, signal });
    const other = formatRefusal(experiment, options) ?? versionRefusal(experiment, options);
    if (other !== undefined) warn(other);
    if (other !== undefined || job.island >= experiment.islands) return false;
    // One that never began has nothing to tell.
    return !(await isStopped(place, job.experiment, { timeout: Number.POSITIVE_INFINITY, signal }));
  } catch (error) {
    // Removed, or damaged: the coordinator queues its islands again once it has mended it.
    if (error instanceof RedisMistake) return false;
    throw error;
  }
}

/** Why islands of an experiment are not for this worker; nothing if they are. */
function formatRefusal(
  { name, format }: Pick<NewExperiment, 'name' | 'format'>,
  own: Pick<ServeOptions, 'format'>,
): string | undefined {
  if (format === own.format) return undefined;
  return `the experiment ${name} has program format ${format}, this worker has format ${own.format}: its islands are left to others`;
}

/** Another version may search otherwise, although it can read the programs. */
function versionRefusal({ name, evozero }: NewExperiment, own: ServeOptions): string | undefined {
  if (evozero === own.evozero) return undefined;
  return `the experiment ${name} is of evozero ${printable(evozero)}, this worker is of ${own.evozero}: its islands are left to others`;
}

async function runJob(
  place: Place,
  taken: TakenJob,
  options: ServeOptions,
  timing: ServeTiming,
): Promise<'over' | 'again'> {
  const { signal, run, warn } = options;
  const job = parseJobId(taken.id);
  if (job === undefined) {
    place.commands.rubbish++;
    return 'over';
  }
  try {
    if (!(await isRunnable(place, job, options))) return 'over';
    if (signal.aborted) return 'again';
    await run(job, signal);
    const isInterrupted = signal.aborted && !(await isIslandDone(place, job, { timeout: LEAVE_TIMEOUT }));
    return isInterrupted ? 'again' : 'over';
  } catch (error) {
    if (signal.aborted) return 'again';
    const what = `island ${job.island + 1} of ${job.experiment}`;
    if (error instanceof RedisOutage) {
      warn(`${what}: ${error.message}`);
      await sleep(OUTAGE_DELAY);
      return 'again';
    }
    warn(`${what} failed: ${error instanceof Error ? error.message : error}`);
    // Here and not in the queue, where it would go by the clocks of different machines.
    if (!taken.isLast) await sleep(timing.retry * 2 ** taken.attempt, undefined, { signal }).catch(() => {});
    throw error;
  }
}

/** Experiments whose islands this worker will never see. */
async function warnOfOtherFormats(place: Place, options: ServeOptions): Promise<void> {
  const { experiments } = await listExperiments(place);
  for (const experiment of experiments) {
    const { waiting, active } = experiment.islands;
    const other = formatRefusal(experiment, options);
    if (other !== undefined && waiting + active > 0) options.warn(other);
  }
}

/** Does something now and then until it is told to stop. It may fail: the next time will do. */
function repeat(interval: number, work: () => Promise<void>): () => void {
  const attempt = () => void work().catch(() => {});
  const timer = setInterval(attempt, interval);
  attempt();
  return () => clearInterval(timer);
}

export async function serveIslands(place: Place, startWorker: JobWorker, options: ServeOptions): Promise<void> {
  const { format, slots, signal, warn, timing = DEFAULT_TIMING } = options;
  if (signal.aborted) return;
  const tidy = () => tidyQueue(place.commands, format, { interval: timing.stalled });
  const stops = [repeat(timing.stalled, tidy), repeat(FORMAT_CHECK_INTERVAL, () => warnOfOtherFormats(place, options))];
  const runs = new Set<Promise<unknown>>();
  const worker = startWorker({
    format,
    slots,
    timing,
    process: (job) => {
      const run = runJob(place, job, options, timing);
      runs.add(run);
      const forget = () => runs.delete(run);
      run.then(forget, forget);
      return run;
    },
    onError: (error) => warn(`the queue: ${error.message}`),
  });
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  for (const stop of stops) stop();
  const closed = worker.close();
  await Promise.allSettled(runs);
  // Without Redis, closing would wait until it is back.
  await Promise.race([closed, sleep(LEAVE_TIMEOUT, undefined, { ref: false })]);
  await tidyQueue(place.commands, format, { timeout: LEAVE_TIMEOUT }).catch(() => {});
}
