// Starts, stops and resumes searches: each is the command `evozero run` or `resume` in a process of its own, which goes on when the dashboard
// ends, as one does that was started in another terminal. Must not know requests, nor how searches work.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describeSystemError, isSystemError } from '../data/system-error.js';
import { type Config, parseConfig } from '../experiment/config.js';
import { ConfigError } from '../experiment/config-error.js';
import { resolvePrograms } from '../experiment/program-references.js';
import { freeRunName } from '../runs/run-directory.js';
import { RunError } from '../runs/run-error.js';
import { FILES, writerOf } from '../runs/run-files.js';
import { printable, quote, shorten } from '../util/quote.js';
import type { ResumeRequest, RunSummary, Started, StartRequest } from './api.js';
import { type FoundRun, idOf, isRunDirectory } from './find-runs.js';
import { Refusal } from './refusal.js';
import { openIfPlain } from './safe-file.js';

/** Searches of this server at once. */
const MAX_SEARCHES = 16;
/** Milliseconds between looks at whether a search has begun. */
const LOOK = 50;
/** Characters at the end of what a process says that are remembered. */
const MAX_SAID = 4000;
const RUN_NAME = /^\w[\w-]{0,63}$/;
const MAX_WORKERS = 1024;

export interface ControlOptions {
  /** The command that searches. */
  readonly command: string;
  /** Milliseconds that a request waits for a search to begin. A clone that compiles first, or reading its tasks, may take longer. */
  readonly patience: number;
}

const USUAL: ControlOptions = {
  command: fileURLToPath(new URL('../../bin/evozero.js', import.meta.url)),
  patience: 10_000,
};

interface Search {
  readonly child: ChildProcess;
  /** The end of what it said; nothing while it has not ended. */
  ended: { readonly code: number | null; readonly message: string } | undefined;
}

/** The last thing that a process said, without our name. */
function lastLine(said: string): string {
  const line = said.trimEnd().split('\n').at(-1) ?? '';
  return shorten(printable(line.replace(/^evozero: /, '')), 500);
}

function startProcess(command: string, args: readonly string[]): Search {
  // Of a session of its own: Ctrl-C in the terminal of the dashboard is not for it. What it says when nobody listens any more is lost,
  // which a search does not mind.
  const child = spawn(process.execPath, [command, ...args], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const search: Search = { child, ended: undefined };
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_SAID);
  });
  child.once('error', (error) => {
    search.ended = { code: 1, message: error.message };
  });
  child.once('close', (code) => {
    search.ended ??= { code, message: lastLine(said) };
  });
  child.unref();
  (child.stderr as unknown as { unref(): void }).unref();
  return search;
}

/** Waits until the search has begun or has ended, however long that takes; the server may end before. */
async function waitFor(search: Search, hasBegun: () => boolean): Promise<void> {
  while (search.ended === undefined && !hasBegun()) await sleep(LOOK, undefined, { ref: false });
}

// --- What requests say -------------------------------------------------------------------------------------------------

function readWorkers(workers: unknown): string[] {
  if (workers === undefined) return [];
  if (!Number.isInteger(workers) || Number(workers) < 1 || Number(workers) > MAX_WORKERS) {
    throw new Refusal(422, `workers: expected a whole number from 1 to ${MAX_WORKERS}`);
  }
  return ['--workers', String(workers)];
}

/** A flag with a number above 0, if there is one. */
function readLimit(flag: string, field: string, value: unknown, isWhole: boolean): string[] {
  if (value === undefined) return [];
  const isGood = typeof value === 'number' && value > 0 && value < 1e15 && (!isWhole || Number.isInteger(value));
  if (!isGood)
    throw new Refusal(422, `${field}: expected a ${isWhole ? 'whole ' : ''}number above 0, not ${quote(value)}`);
  // Never with an exponent, which flags do not take.
  return [flag, isWhole ? String(value) : value.toFixed(9)];
}

/** A configuration that names no file: requests must not read any. */
function readConfiguration(value: unknown): Config {
  try {
    const config = resolvePrograms(parseConfig(value), () => {
      throw new Error('a file cannot be named here; give the text of the program');
    });
    if (config.islands.remote === null) return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new Refusal(422, error.message, error.issues);
  }
  throw new Refusal(422, 'islands.remote: experiments on a Redis are started with evozero run --redis');
}

// --- Searches ----------------------------------------------------------------------------------------------------------

export class Control {
  private readonly root: string;
  private readonly options: ControlOptions;
  /** By the id of the run. */
  private readonly searches = new Map<string, Search>();
  /** The processes that were told to stop, by the id of the run. A second signal would end one without saving. */
  private readonly stopping = new Map<string, number>();

  constructor(root: string, options: Partial<ControlOptions> = {}) {
    this.root = root;
    this.options = { ...USUAL, ...options };
  }

  /** What is known of a run because this server has started or stopped it. */
  remark(summary: RunSummary): RunSummary {
    if (summary.status === 'running') return this.stopping.has(summary.id) ? { ...summary, isStopping: true } : summary;
    this.stopping.delete(summary.id);
    const ended = this.searches.get(summary.id)?.ended;
    const hasFailed = summary.status === 'stopped' && ended?.code === 1 && ended.message !== '';
    return hasFailed ? { ...summary, status: 'failed', problem: ended.message } : summary;
  }

  async start({ config: value, name, workers }: StartRequest): Promise<Started> {
    this.checkRoom();
    if (isRunDirectory(this.root))
      throw new Refusal(409, 'this dashboard shows one run; start one of a folder of runs');
    if (name !== undefined && !(typeof name === 'string' && RUN_NAME.test(name))) {
      throw new Refusal(422, 'name: expected 1 to 64 letters, digits, - and _, not a - first');
    }
    const flags = readWorkers(workers);
    const config = readConfiguration(value);
    const directory = this.makeDirectory(name ?? `${config.name}-${config.seed}`);
    const folder = writeConfiguration(config, directory);
    const { command, patience } = this.options;
    const search = startProcess(command, ['run', join(folder, FILES.config), '--out', directory, '--json', ...flags]);
    const runName = relative(this.root, directory).split(sep).join('/');
    const id = idOf(runName);
    this.searches.set(id, search);
    const hasBegun = () => existsSync(join(directory, FILES.config));
    // Also when this request waits no longer.
    const tidied = waitFor(search, hasBegun).then(() => {
      removeFolder(folder);
      if (!hasBegun()) removeEmpty(directory);
    });
    await Promise.race([tidied, sleep(patience, undefined, { ref: false })]);
    if (search.ended !== undefined && !hasBegun()) {
      await tidied;
      throw new Refusal(422, search.ended.message || 'the search could not be started');
    }
    return { id, name: runName };
  }

  async resume({ id, directory }: FoundRun, summary: RunSummary, request: ResumeRequest): Promise<void> {
    this.checkRoom();
    if (summary.status === 'running') throw new Refusal(409, 'it is running');
    if (summary.status === 'corrupt') throw new Refusal(409, summary.problem ?? 'it cannot be read');
    const flags = [
      ...readWorkers(request.workers),
      ...readLimit('--minutes', 'minutes', request.minutes, false),
      ...readLimit('--max-algorithms', 'maxAlgorithms', request.maxAlgorithms, true),
      ...readLimit('--max-steps', 'maxSteps', request.maxSteps, true),
    ];
    const { command, patience } = this.options;
    const search = startProcess(command, ['resume', directory, '--json', ...flags]);
    this.searches.set(id, search);
    let hasRun = false;
    const isRunning = () => {
      hasRun ||= writerOf(directory, openIfPlain) !== undefined;
      return hasRun;
    };
    await Promise.race([waitFor(search, isRunning), sleep(patience, undefined, { ref: false })]);
    if (search.ended === undefined || hasRun) return;
    const { code, message } = search.ended;
    if (code !== 0) throw new Refusal(422, message || 'it could not be resumed');
    // One that was over before anybody could see it has a result.
    if (summary.status === 'finished') throw new Refusal(409, 'it is finished; give it more than it had');
  }

  stop({ id, directory }: FoundRun): void {
    const pid = holderOf(directory);
    if (pid === undefined) throw new Refusal(409, 'it is not running on this machine');
    if (this.stopping.get(id) === pid) throw new Refusal(409, 'it has been told to stop, and is saving');
    try {
      process.kill(pid, 'SIGINT');
    } catch (error) {
      throw new Refusal(409, `process ${pid} cannot be told to stop: ${(error as Error).message}`);
    }
    this.stopping.set(id, pid);
  }

  private checkRoom(): void {
    const running = [...this.searches.values()].filter(({ ended }) => ended === undefined);
    if (running.length >= MAX_SEARCHES) throw new Refusal(409, `${MAX_SEARCHES} searches are running; stop one first`);
  }

  private makeDirectory(name: string): string {
    try {
      return freeRunName(this.root, basename(name));
    } catch (error) {
      throw error instanceof RunError ? new Refusal(409, error.message) : error;
    }
  }
}

/** The process on this machine that writes to a run. */
function holderOf(directory: string): number | undefined {
  const writer = writerOf(directory, openIfPlain);
  return writer?.host === hostname() ? writer.pid : undefined;
}

/** Writes a configuration where the search will read it, and gives the folder that it is in. `claimed` goes if that cannot be done. */
function writeConfiguration(config: Config, claimed: string): string {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'evozero-'));
    writeFileSync(join(folder, FILES.config), JSON.stringify(config), { mode: 0o600 });
    return folder;
  } catch (error) {
    removeEmpty(claimed);
    if (folder !== undefined) removeFolder(folder);
    if (!isSystemError(error)) throw error;
    throw new Refusal(409, `cannot write to ${printable(tmpdir())}: ${describeSystemError(error)}`);
  }
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The system removes what is left there.
  }
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It has left something there that may be worth a look.
  }
}
