// Carries out what a reproduction asks for by commands of evozero in processes of their own: each could be typed by hand. Everything is
// kept below one directory, so that a reproduction that was stopped or killed goes on where it was. Must not know experiments.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeAtomic } from '../data/write-atomic.js';
import { FILES, readResult } from '../runs/run-files.js';
import { identifyProcess, isLocked } from '../runs/run-lock.js';
import { runCommand } from './child-command.js';
import type { FinishedSearch, Laboratory, MeasureJob, Scale, SearchJob } from './laboratory.js';

export interface LaboratoryOptions {
  /** Of the reproduction. */
  readonly name: string;
  readonly scale: Scale;
  readonly seed: number;
  readonly directory: string;
  /** What starts evozero, such as node and its script. */
  readonly command: readonly string[];
  /** Jobs at once; jobs that have threads get so many instead. */
  readonly workers: number;
  /** Where islands run, if not here. */
  readonly redis?: string;
  /** Flags for every command that do not decide what it finds, such as where data lie. */
  readonly common: readonly string[];
  readonly signal: AbortSignal;
  /** A job began or ended. */
  readonly onProgress: (progress: JobProgress) => void;
}

export interface JobProgress {
  readonly done: number;
  readonly total: number;
  readonly running: readonly string[];
  /** What is still to come may be unknown: later jobs depend on earlier ones. */
  readonly seconds: number;
}

/** Something went wrong with a job. The message says with which. */
export class JobError extends Error {
  override readonly name = 'JobError';
}

const POLL_MS = 500;
const SAVE_MS = 10_000;

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export function writeJson(path: string, value: unknown): void {
  writeAtomic(path, [Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]);
}

/** Works on `jobs` with so many at once; the first failure stops the others from beginning. */
async function workOn<T, R>(jobs: readonly T[], atOnce: number, work: (job: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) {
      const k = next++;
      try {
        results[k] = await work(jobs[k]!);
      } catch (error) {
        next = jobs.length;
        throw error;
      }
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: Math.min(atOnce, jobs.length) }, worker));
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
}

export function localLaboratory(options: LaboratoryOptions): Laboratory {
  const { directory, workers, redis } = options;
  // On a Redis, that of somebody else may have the same name, scale and seed.
  const own = createHash('sha256').update(`${hostname()} ${directory}`).digest('hex').slice(0, 6);
  const running = new Set<string>();
  let done = 0;
  let total = 0;
  const clock = keepTime(join(directory, 'time.json'));
  const report = () => options.onProgress({ done, total, running: [...running], seconds: clock.read() });

  async function track<R>(key: string, work: () => Promise<R>): Promise<R> {
    options.signal.throwIfAborted();
    running.add(key);
    report();
    const timer = setInterval(() => {
      clock.saveSometimes();
      report();
    }, POLL_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      running.delete(key);
      done++;
      clock.save();
      report();
    }
  }

  /** Who works on a job: when we are killed, it may go on for a while. */
  const processFile = (key: string) => join(directory, 'jobs', `${key}.process.json`);

  async function call(key: string, args: readonly string[]): Promise<unknown> {
    const { code, stdout, lastLine } = await runCommand([...options.command, ...args], options.signal, (pid) =>
      writeJson(processFile(key), identifyProcess(pid)),
    );
    rmSync(processFile(key), { force: true });
    options.signal.throwIfAborted();
    if (code !== 0) throw new JobError(`${key}: ${lastLine || `ended with exit code ${code}`}`);
    try {
      return JSON.parse(stdout);
    } catch {
      throw new JobError(`${key}: printed no JSON: ${stdout.slice(0, 200)}`);
    }
  }

  /** What decides a job's result, so that other settings are not taken for it. */
  function check(key: string, args: readonly string[]): void {
    const path = join(directory, 'jobs', `${key}.args.json`);
    const before = readJson(path);
    if (before === undefined) writeJson(path, args);
    else if (JSON.stringify(before) !== JSON.stringify(args)) {
      throw new JobError(`${directory}: ${key} was begun with other settings; choose another --out, or remove it`);
    }
  }

  function searchArgs(job: SearchJob, place: string): string[] {
    const flags = ['--seed', String(job.seed), '--out', place, '--json'];
    if (job.islands !== undefined) flags.push('--islands', String(job.islands));
    for (const change of job.set ?? []) flags.push('--set', change);
    return ['run', job.preset, ...flags];
  }

  /** Goes on with a run that has begun, or begins it. */
  function commandFor(job: SearchJob, place: string): string[] {
    if (existsSync(join(place, FILES.config))) {
      const remote = remoteName(place);
      const goOn =
        redis === undefined || remote === undefined
          ? ['resume', place, '--workers', '1']
          : ['run', '--redis', redis, '--attach', remote, '--out', place];
      return [...goOn, '--json', ...options.common];
    }
    // A process that was killed before there was anything to go on with.
    rmSync(place, { recursive: true, force: true });
    const name = [options.name, options.scale, job.key, job.seed, own].join('-');
    const where = redis === undefined ? ['--workers', '1'] : ['--redis', redis, '--name', name];
    return [...searchArgs(job, place), ...options.common, ...where];
  }

  async function searchOne(job: SearchJob): Promise<FinishedSearch> {
    const place = join(directory, 'runs', job.key);
    check(job.key, searchArgs(job, job.key));
    return track(job.key, async () => {
      await waitForOthers(processFile(job.key), options.signal);
      if (readResult(place) === undefined) await call(job.key, commandFor(job, place));
      return { key: job.key, directory: place, result: readResult(place) as unknown as FinishedSearch['result'] };
    });
  }

  async function measureOne({ key, args, isSingle }: MeasureJob): Promise<unknown> {
    check(key, args);
    const path = join(directory, 'jobs', `${key}.json`);
    return track(key, async () => {
      await waitForOthers(processFile(key), options.signal);
      const before = readJson(path);
      if (before !== undefined) return before;
      const threads = isSingle ? [] : ['--workers', String(workers)];
      const result = await call(key, [...args, ...threads, '--json', ...(isSingle ? [] : options.common)]);
      writeJson(path, result);
      return result;
    });
  }

  return {
    scale: options.scale,
    seed: options.seed,
    search(jobs) {
      total += jobs.length;
      return workOn(jobs, workers, searchOne);
    },
    async measure<T>(jobs: readonly MeasureJob[]) {
      total += jobs.length;
      const atOnce = jobs.every(({ isSingle }) => isSingle) ? workers : 1;
      return (await workOn(jobs, atOnce, measureOne)) as T[];
    },
    write(name, text) {
      const path = join(directory, name);
      writeAtomic(path, [Buffer.from(text)]);
      return path;
    },
  };
}

/** What a run is called on a Redis, if its islands are there. */
function remoteName(run: string): string | undefined {
  const config = readJson(join(run, FILES.config)) as { islands?: { remote?: string | null } } | undefined;
  return config?.islands?.remote ?? undefined;
}

/** A reproduction that was killed may have left a process that is still at a job. */
async function waitForOthers(processFile: string, signal: AbortSignal): Promise<void> {
  while (isLocked(processFile)) {
    signal.throwIfAborted();
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
}

/** Seconds of work over all interruptions, in a file. */
function keepTime(path: string) {
  const before = Number((readJson(path) as { seconds?: unknown } | undefined)?.seconds ?? 0) || 0;
  const startedAt = performance.now();
  let savedAt = 0;
  const read = () => before + (performance.now() - startedAt) / 1000;
  const save = () => {
    savedAt = performance.now();
    writeJson(path, { seconds: Math.round(read() * 10) / 10 });
  };
  const saveSometimes = () => {
    if (performance.now() - savedAt > SAVE_MS) save();
  };
  return { read, save, saveSometimes };
}

/** Processor time of the searches below a directory. */
export function readSearchCpuSeconds(directory: string): number {
  const runs = join(directory, 'runs');
  const names = existsSync(runs) ? readdirSync(runs) : [];
  return names.reduce((sum, name) => sum + Number(readResult(join(runs, name))?.cpuSeconds ?? 0), 0);
}

/** Seconds that the work below a directory took so far. */
export function readWorkSeconds(directory: string): number {
  return Number((readJson(join(directory, 'time.json')) as { seconds?: unknown } | undefined)?.seconds ?? 0);
}
