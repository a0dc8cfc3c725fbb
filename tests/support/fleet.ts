// Experiments that are spread over real processes by a real Redis: coordinators, workers, and what must be true of a run directory
// however much went wrong. Must not know what is done to them.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { MigrationEvent, RunEvent } from '../../src/experiment/events.js';
import type { RecordedResult } from '../../src/runs/recorded-run.js';
import { type Run, startEvozero } from './cli.js';
import { emptyFolder } from './folders.js';
import { type RedisSettings, startRedis, type TestRedis } from './redis.js';

/** Islands of dead workers are taken over after a second or two. */
const TIMING = '1000,500,50';

export interface Started {
  readonly child: ChildProcess;
  readonly done: Promise<Run>;
  /** What it has said on standard error so far. */
  said(): string;
  /** Resolves when it has said something that matches, so many times. */
  saying(pattern: RegExp, times?: number): Promise<void>;
}

export interface Fleet {
  readonly redis: TestRedis;
  readonly url: string;
  start(args: readonly string[], env?: NodeJS.ProcessEnv): Started;
  /** With one slot. */
  startWorker(env?: NodeJS.ProcessEnv): Started;
  /** A search that ends after so many algorithms, unless it is told otherwise. */
  startRun(name: string, directory: string, algorithms: number, ...more: readonly string[]): Started;
}

/** Waits for something that must come soon. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what: string | (() => string),
  seconds = 60,
): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited in vain: ${typeof what === 'string' ? what : what()}`);
    await setTimeout(25);
  }
}

function start(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const { child, done } = startEvozero(args, { env: { ...process.env, ...env } });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await done;
  });
  let text = '';
  child.stderr!.on('data', (more: string) => {
    text += more;
  });
  const count = (pattern: RegExp) => [...text.matchAll(new RegExp(pattern, 'g'))].length;
  const saying = (pattern: RegExp, times = 1) =>
    until(
      () => {
        if (count(pattern) >= times) return true;
        if (child.exitCode !== null) throw new Error(`ended without having said ${pattern}: ${text}`);
        return false;
      },
      () => `${pattern} in ${text}`,
    );
  return { child, done, said: () => text, saying };
}

/** Small populations and few tasks to select on; programs migrate many times a second; nothing but the limits ends it. */
const SETTINGS = [
  'search.population=100',
  'tasks.select.count=3',
  'tasks.final.count=3',
  'islands.migration.every=[500, 5000]',
  'stop.fitness=null',
  'stop.experiments=null',
].flatMap((setting) => ['--set', setting]);

export const ISLANDS = 3;

/** A Redis with its append-only file, for commands that find its address in their environment. */
export async function startFleet(settings: RedisSettings = {}, env: NodeJS.ProcessEnv = {}): Promise<Fleet> {
  const redis = await startRedis({ appendOnly: 'everysec', ...settings });
  onTestFinished(() => redis.stop());
  const common = { EVOZERO_REDIS: redis.url, EVOZERO_WORKER_TIMING: TIMING, ...env };
  const fleet: Fleet = {
    redis,
    url: redis.url,
    start: (args, more = {}) => start(args, { ...common, ...more }),
    startWorker: (more) => fleet.start(['worker', '--slots', '1'], more),
    startRun: (name, directory, algorithms, ...more) => {
      const flags = ['--islands', String(ISLANDS), '--max-algorithms', String(algorithms), ...SETTINGS, ...more];
      return fleet.start(['run', 'linear', '--name', name, '--out', directory, ...flags]);
    },
  };
  return fleet;
}

/** Where a run directory can be made. */
export function runFolder(): string {
  return join(emptyFolder(), 'run');
}

export async function expectSuccess({ done }: Started): Promise<Run> {
  const run = await done;
  expect(run.stderr).not.toMatch(/ at .*:\d+:\d+|this is a bug/);
  expect(run.status).toBe(0);
  return run;
}

// --- What a run must have left -----------------------------------------------------------------------------------------

export interface Outcome {
  readonly events: readonly RunEvent[];
  readonly result: RecordedResult;
  /** Of the last words of all islands on all experiments. */
  readonly sum: (name: 'algorithms' | 'migrations' | 'sent' | 'received' | 'judged' | 'refused') => number;
}

function readEvents(directory: string): RunEvent[] {
  const lines = readFileSync(join(directory, 'events.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RunEvent);
}

/** Everything in a finished run directory fits together. */
export function expectSound(directory: string): Outcome {
  const events = readEvents(directory);
  const result = JSON.parse(readFileSync(join(directory, 'result.json'), 'utf8')) as RecordedResult;
  const count = (type: RunEvent['type']) => events.filter((event) => event.type === type).length;
  expect(events.at(-1)!.type).toBe('end');
  expect({ ends: count('end'), finals: count('final') }).toEqual({ ends: 1, finals: 1 });
  expect(count('experiment')).toBe(result.experiments);
  expect(count('experiment-end')).toBe(result.experiments);

  const islands = new Map<string, MigrationEvent>();
  for (const event of events) {
    if (event.type === 'migration') islands.set(`${event.experiment} ${event.island}`, event);
  }
  const sum: Outcome['sum'] = (name) => [...islands.values()].reduce((total, event) => total + event[name], 0);
  const { overBudget, canonicalHits, fingerprintHits, cut, audited, evaluated, algorithms } = result.counts;
  expect(sum('algorithms')).toBe(algorithms);
  // Every program that was proposed was judged once, and so was every one that came.
  expect(overBudget + canonicalHits + fingerprintHits + (cut - audited) + evaluated).toBe(algorithms + sum('judged'));
  expect(sum('received')).toBe(sum('judged'));
  expect(sum('received')).toBeLessThanOrEqual(sum('sent'));
  expect(result.selectFitness).toBeGreaterThan(0);
  expect(result.finalFitness).toBeLessThanOrEqual(1);
  return { events, result, sum };
}

/** The same, and nothing was lost or done twice: it ended by its limit, to the last algorithm. */
export function expectExact(directory: string, algorithms: number): Outcome {
  const outcome = expectSound(directory);
  const { result, sum } = outcome;
  expect({ reason: result.reason, algorithms: result.algorithms }).toEqual({ reason: 'algorithms', algorithms });
  expect(sum('migrations')).toBeGreaterThan(ISLANDS);
  expect(sum('received')).toBeGreaterThan(0);
  return outcome;
}

/** The keys of the queue itself, which stay while a worker serves it. */
const BOOKKEEPING = /^evozero:queue:\{format-\d+\}:(tidied|stalled-check|stalled|meta|id|events|marker)$/;

/** What is left in Redis, but for the bookkeeping. */
export async function leftovers({ redis }: Fleet): Promise<string[]> {
  return (await redis.client.keys('*')).filter((key) => !BOOKKEEPING.test(key)).sort();
}
