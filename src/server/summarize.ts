// What the list shows of one run, from a few small files and a scan of its log. What cannot be read becomes a run that says so: one corrupt
// directory must not hide the good ones. Must not know lists or requests.
import { join } from 'node:path';
import { describeSystemError, isSystemError } from '../data/system-error.js';
import { parseConfig } from '../experiment/config.js';
import { ConfigError } from '../experiment/config-error.js';
import { type RecordedResult, ResultError, readRecordedResult } from '../reports/recorded-result.js';
import { RunError } from '../runs/run-error.js';
import { describeRun, FILES } from '../runs/run-files.js';
import { printable } from '../util/quote.js';
import type { RunSummary } from './api.js';
import type { FoundRun } from './find-runs.js';
import { finite } from './numbers.js';
import { readPace } from './progress-tail.js';
import { openIfPlain, statOf } from './safe-file.js';
import type { Scan } from './scan-events.js';

const DIED = 'its process has ended without saving; resume goes on from its last checkpoint';

/** Changes whenever the summary may. */
export function signatureOf({ directory, notPlain }: FoundRun): string {
  const files = ['.', FILES.config, FILES.result, FILES.events, FILES.lock].map((file) => {
    const stat = statOf(join(directory, file));
    return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size}`;
  });
  return [...files, notPlain].join('|');
}

interface Times {
  readonly startedAt: number | null;
  readonly changedAt: number | null;
}

function timesOf(directory: string): Times {
  const [folder, config, events, result] = ['.', FILES.config, FILES.events, FILES.result].map((file) =>
    statOf(join(directory, file)),
  );
  // Not every file system knows when something was made.
  const starts = [folder?.birthtimeMs, config?.mtimeMs].filter((time) => time !== undefined && time > 0) as number[];
  const changes = [config, events, result].map((stat) => stat?.mtimeMs ?? 0);
  const changedAt = Math.max(...changes);
  return { startedAt: starts.length === 0 ? null : Math.min(...starts), changedAt: changedAt > 0 ? changedAt : null };
}

/** What goes wrong with the files of a run, in one line; bugs are thrown on. */
export function problemOf(error: unknown): string {
  if (isSystemError(error)) return printable(`it cannot be read: ${describeSystemError(error)}`);
  const isExpected = [RunError, ConfigError, ResultError].some((kind) => error instanceof kind);
  if (!isExpected) throw error;
  const file =
    error instanceof ConfigError ? `${FILES.config}: ` : error instanceof ResultError ? `${FILES.result}: ` : '';
  return printable(`${file}${(error as Error).message}`);
}

function describe(directory: string) {
  const run = describeRun(directory, openIfPlain);
  const { name, seed } = parseConfig(run.config);
  const result = run.result && readRecordedResult(run.result);
  // A process that ends in order takes its lock away.
  const hasDied = run.status === 'stopped' && statOf(join(directory, FILES.lock)) !== undefined;
  return { status: hasDied ? ('failed' as const) : run.status, preset: name, seed, result };
}

const UNREADABLE = {
  preset: null,
  seed: null,
  success: null,
  bestFitness: null,
  selectFitness: null,
  finalFitness: null,
  algorithms: 0,
  algorithmsPerSecond: null,
  seconds: null,
} as const;

type Numbers = Omit<RunSummary, 'id' | 'name' | 'status' | 'preset' | 'seed' | 'startedAt' | 'changedAt'>;

function finishedNumbers(result: RecordedResult, { bestFitness }: Scan): Numbers {
  const { success, searchFitness, selectFitness, finalFitness, algorithms, seconds } = result;
  return {
    success,
    bestFitness: bestFitness ?? finite(searchFitness),
    selectFitness: finite(selectFitness),
    finalFitness: finite(finalFitness),
    algorithms,
    algorithmsPerSecond: seconds > 0 ? finite(algorithms / seconds) : null,
    seconds: finite(seconds),
  };
}

function numbersSoFar(directory: string, { bestFitness, selectFitness, algorithms }: Scan): Numbers {
  const pace = readPace(directory);
  return {
    success: null,
    bestFitness,
    selectFitness,
    finalFitness: null,
    algorithms: Math.max(algorithms, pace?.algorithms ?? 0),
    algorithmsPerSecond: pace?.algorithmsPerSecond ?? null,
    seconds: pace?.seconds ?? null,
  };
}

/** The summary; `scan` reads the log. */
export async function summarize(run: FoundRun, scan: () => Promise<Scan>): Promise<RunSummary> {
  const { id, name, directory, notPlain } = run;
  const corrupt = (problem: string): RunSummary => ({
    id,
    name,
    status: 'corrupt',
    problem,
    ...UNREADABLE,
    ...timesOf(directory),
  });
  if (notPlain !== undefined) return corrupt(`${printable(notPlain)} is no plain file, and nothing of it is read`);
  try {
    const { status, preset, seed, result } = describe(directory);
    const problem = status === 'failed' ? { problem: DIED } : {};
    const scanned = await scan();
    const numbers = result === undefined ? numbersSoFar(directory, scanned) : finishedNumbers(result, scanned);
    return { id, name, status, ...problem, preset, seed, ...numbers, ...timesOf(directory) };
  } catch (error) {
    return corrupt(problemOf(error));
  }
}
