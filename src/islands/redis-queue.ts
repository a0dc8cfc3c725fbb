// Where the islands of an experiment are in the queue of their format, for those who put them there and watch them. What adds
// and removes jobs is BullMQ, given as `JobQueue`. Must not run islands.
import type { Patience } from './redis-api.js';
import type { RedisCommands } from './redis-commands.js';
import { jobId, LIFETIME, MAX_REASON_LENGTH, queueKey } from './redis-keys.js';
import { FIND_LOST, SURVEY, TIDY, tidyKeys } from './redis-queue-scripts.js';
import { asArray, asCount, asText, textToCount } from './redis-replies.js';

/** BullMQ, as far as islands need it. */
export interface JobQueue {
  /** Jobs that exist stay as they are. */
  add(format: number, ids: readonly string[], patience?: Patience): Promise<void>;
  /** Leaves jobs alone that are being run. */
  remove(format: number, ids: readonly string[], patience?: Patience): Promise<void>;
}

export interface Survey {
  readonly waiting: ReadonlySet<number>;
  readonly active: ReadonlySet<number>;
  readonly failed: ReadonlySet<number>;
}

interface Queued {
  readonly name: string;
  readonly format: number;
}

function listKeys(format: number): string[] {
  return ['wait', 'active', 'failed'].map((part) => queueKey(format, part));
}

function toIslands(reply: unknown): Set<number> {
  const numbers = asArray(reply).map((island) => textToCount(asText(island) ?? ''));
  return new Set(numbers.filter((island) => island !== undefined));
}

export async function surveyQueue(commands: RedisCommands, queued: Queued, patience?: Patience): Promise<Survey> {
  const reply = await commands.run(SURVEY, listKeys(queued.format), [`${queued.name}/`], patience);
  const [rubbish, waiting, active, failed] = asArray(reply);
  commands.rubbish += asCount(rubbish);
  return { waiting: toIslands(waiting), active: toIslands(active), failed: toIslands(failed) };
}

/** Deletes garbage that stands in BullMQ's way and renews lifetimes, unless a worker did within `interval` milliseconds. */
export async function tidyQueue(
  commands: RedisCommands,
  format: number,
  { interval = 0, ...patience }: { interval?: number } & Patience = {},
): Promise<void> {
  const reply = await commands.run(TIDY, tidyKeys(format), [interval, LIFETIME, queueKey(format, '')], patience);
  commands.rubbish += asCount(asArray(reply)[0]);
}

/** The islands that are in no list, of whose jobs nothing is left then; renews the lifetime of the others. */
async function findLost(
  commands: RedisCommands,
  { name, format }: Queued,
  islands: readonly number[],
  patience?: Patience,
): Promise<Set<number>> {
  // BullMQ's own scripts would stumble over keys of a wrong type.
  await tidyQueue(commands, format, patience);
  const args = [`${name}/`, queueKey(format, ''), LIFETIME, ...islands];
  const [rubbish, ...lost] = asArray(await commands.run(FIND_LOST, listKeys(format), args, patience));
  commands.rubbish += asCount(rubbish);
  return toIslands(lost);
}

/** Leaves islands alone that are being run. */
export async function removeIslands(
  commands: RedisCommands,
  queue: JobQueue,
  queued: Queued,
  islands: readonly number[],
  patience?: Patience,
): Promise<void> {
  await findLost(commands, queued, islands, patience);
  await queue.remove(
    queued.format,
    islands.map((island) => jobId(queued.name, island)),
    patience,
  );
  await tidyQueue(commands, queued.format, patience);
}

/** Queues those of the islands that are in no list, and renews the lifetime of all. */
export async function queueIslands(
  commands: RedisCommands,
  queue: JobQueue,
  { name, format }: Queued,
  islands: readonly number[],
  patience?: Patience,
): Promise<void> {
  const jobs = queueKey(format, '');
  const lost = await findLost(commands, { name, format }, islands, patience);
  const ids = [...lost].map((island) => jobId(name, island));
  if (ids.length === 0) return;
  await queue.add(format, ids, patience);
  await Promise.all(ids.map((id) => commands.command('PEXPIRE', [`${jobs}${id}`, LIFETIME], patience)));
  await tidyQueue(commands, format, patience);
}

/** Why islands failed, by what BullMQ remembers. */
export async function readFailures(
  commands: RedisCommands,
  { name, format }: Queued,
  islands: readonly number[],
  patience?: Patience,
): Promise<{ island: number; reason: string }[]> {
  const failures = islands.map(async (island) => {
    const key = queueKey(format, jobId(name, island));
    // An unreadable reason must not hide the failure.
    const reply = await commands.command('HGET', [key, 'failedReason'], patience).catch(() => undefined);
    return { island, reason: asText(reply)?.slice(0, MAX_REASON_LENGTH) ?? 'unknown' };
  });
  return Promise.all(failures);
}
