// A run directory for the one process that writes it: made, opened again after any kind of end, and written so that at every moment
// it can be opened again. A checkpoint says how long the logs were; opening cuts them to that, so that the search goes on as if it had
// never stopped. Must not know what events, rows and snapshots mean.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { makeDirectory } from '../data/make-directory.js';
import { isAbsence } from '../data/system-error.js';
import { UNFINISHED, writeAtomic } from '../data/write-atomic.js';
import type { RunEvent } from '../experiment/events.js';
import type { Snapshot } from '../experiment/snapshot.js';

import { printable } from '../util/quote.js';
import { CheckpointError, decodeCheckpoint, encodeCheckpoint } from './checkpoint-file.js';
import { GrowingLog } from './growing-log.js';
import { readEvents } from './read-events.js';
import { explainSystemErrors, RunError, RunMistake } from './run-error.js';
import { FILES, RUN_FORMAT, type RunConfig, readConfig, readIfThere, shownPath } from './run-files.js';
import { RunLock } from './run-lock.js';

/** A row of a table; all rows of one have the same keys in the same order. */
export type Row = Readonly<Record<string, string | number>>;

/** Bytes of each log that belong to a checkpoint. */
interface LogLengths {
  readonly events: number;
  readonly progress: number;
}

const NO_LOGS: LogLengths = { events: 0, progress: 0 };

// --- Text forms --------------------------------------------------------------------------------------------------------

/** Numbers that JSON lacks become strings, as in the golden vectors. */
function spellNonFinite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** A configuration decides what the run does, so that it must read back as it was. */
function refuseNonFinite(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${key} is ${value} in a configuration`);
  return value;
}

function configText(config: object, version: string): string {
  return `${JSON.stringify({ evozero: version, format: RUN_FORMAT, ...config }, refuseNonFinite, 2)}\n`;
}

function csvLine(cells: readonly unknown[]): string {
  return `${Papa.unparse([[...cells]], { newline: '\n' })}\n`;
}

function header(row: Row): string {
  return csvLine(Object.keys(row));
}

// --- Writing -----------------------------------------------------------------------------------------------------------

/** What `createRun` and `openRun` give. Whoever has it must close it. */
export class RunDirectory {
  readonly directory: string;
  private readonly lock: RunLock;
  private readonly events: GrowingLog;
  private readonly progress: GrowingLog;
  private isClosed = false;

  constructor(directory: string, lock: RunLock, lengths: LogLengths) {
    this.directory = directory;
    this.lock = lock;
    this.events = new GrowingLog(join(directory, FILES.events), lengths.events);
    this.progress = new GrowingLog(join(directory, FILES.progress), lengths.progress);
  }

  /** Events must not tell the time: a run that was stopped has the same ones as one that was not. */
  appendEvent(event: object): void {
    this.events.append(`${JSON.stringify(event, spellNonFinite)}\n`);
  }

  appendProgress(row: Row): void {
    if (this.progress.isEmpty()) this.progress.append(header(row));
    this.progress.append(csvLine(Object.values(row)));
  }

  /** Shows what was appended to those who only look. After an error nothing is lost, and it may be tried again. */
  flush(): void {
    explainSystemErrors(`cannot write the logs of ${this.directory}`, () => {
      this.checkLock();
      this.events.flush();
      this.progress.flush();
    });
  }

  /** Keeps a snapshot and the logs so far. After an error the last checkpoint is usable, and it may be tried again. */
  saveCheckpoint({ state, arrays }: Snapshot): void {
    const path = (name: string) => join(this.directory, name);
    const save = () => {
      this.checkLock();
      const logs: LogLengths = { events: this.events.sync(), progress: this.progress.sync() };
      writeAtomic(path(FILES.nextCheckpoint), encodeCheckpoint({ state: { logs, state }, arrays }, RUN_FORMAT));
      // Between these two, the checkpoint that stays is the previous one.
      renameIfThere(path(FILES.checkpoint), path(FILES.previousCheckpoint));
      renameSync(path(FILES.nextCheckpoint), path(FILES.checkpoint));
    };
    explainSystemErrors(`cannot write a checkpoint to ${this.directory}`, save, '; what was saved before is kept');
  }

  writeBest(text: string, simplifiedText: string): void {
    this.replace(FILES.best, text);
    this.replace(FILES.simplifiedBest, simplifiedText);
  }

  writeHallOfFame(rows: readonly Row[]): void {
    const lines = rows.map((row) => csvLine(Object.values(row)));
    this.replace(FILES.hallOfFame, [...rows.slice(0, 1).map(header), ...lines].join(''));
  }

  writeResult(result: object): void {
    this.replace(FILES.result, `${JSON.stringify(result, spellNonFinite, 2)}\n`);
  }

  writeReport(page: string): void {
    this.replace(FILES.report, page);
  }

  /** All events so far. */
  readEvents(): Generator<RunEvent> {
    this.flush();
    return readEvents(this.directory);
  }

  /** Gives the run another configuration, and makes it unfinished: with more time it may find something better. */
  extend(config: object, version: string): void {
    // First, since a full disk may refuse it, and then nothing has changed.
    this.replace(FILES.config, configText(config, version));
    explainSystemErrors(`cannot remove ${join(this.directory, FILES.result)}`, () => {
      rmSync(join(this.directory, FILES.result), { force: true });
    });
  }

  private replace(file: string, text: string): void {
    const path = join(this.directory, file);
    explainSystemErrors(`cannot write ${path}`, () => {
      this.checkLock();
      writeAtomic(path, [Buffer.from(text)]);
    });
  }

  /** Two that write would ruin the run, so that one who has lost the lock stops. */
  private checkLock(): void {
    if (this.lock.isHeld()) return;
    throw new RunError(
      `${printable(this.directory)}: this process has lost its ${FILES.lock}; nothing more is written`,
    );
  }

  /** Lets others write. Whoever closes it again does no harm. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      if (this.lock.isHeld()) this.flush();
    } finally {
      this.events.close();
      this.progress.close();
      this.lock.release();
    }
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

/** What killed processes were writing, and checkpoints that did not get their names. */
function isLeftover(name: string): boolean {
  return UNFINISHED.test(name) || name === FILES.nextCheckpoint;
}

function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) if (isLeftover(name)) rmSync(join(directory, name), { force: true });
}

/** Does the work that needs the lock, and lets go of it if that fails. */
function withLock<T>(directory: string, work: (lock: RunLock) => T): T {
  const lock = new RunLock(join(directory, FILES.lock), printable(directory));
  try {
    return work(lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Takes away what a process has left that was killed after it had written a run's last file: its lock, and files without their names. */
export function tidyRun(directory: string): void {
  if (statSync(join(directory, FILES.lock), { throwIfNoEntry: false }) === undefined) return;
  try {
    withLock(directory, (lock) => {
      removeLeftovers(directory);
      lock.release();
    });
  } catch {
    // Somebody has just begun to go on with it, or it must not be written to: it is finished all the same.
  }
}

// --- Making ------------------------------------------------------------------------------------------------------------

/** Claims NAME, NAME-2, NAME-3, ... in `parent`, whichever is free first, by making it. Returns its path. */
export function freeRunName(parent: string, name: string): string {
  return explainSystemErrors(`cannot make a run in ${parent}`, () => {
    makeDirectory(parent);
    for (let k = 1; ; k++) {
      const directory = join(parent, k === 1 ? name : `${name}-${k}`);
      try {
        // Fails if it is there, so that two processes never get the same one.
        mkdirSync(directory);
        return directory;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  });
}

/** A creator that was killed before there was a configuration leaves nothing that counts. */
function checkUnused(directory: string): void {
  const names = readdirSync(directory).filter((name) => name !== FILES.lock && !isLeftover(name));
  const shown = printable(directory);
  if (names.includes(FILES.config)) {
    throw new RunMistake(`${shown}: exists already; choose another --out, or go on with evozero resume ${shown}`);
  }
  if (names.length > 0) throw new RunMistake(`${shown}: is not empty; choose another --out`);
}

/** Makes a run in a directory that is empty or not there. `config` is everything that decides the result. */
export function createRun(directory: string, config: object, version: string): RunDirectory {
  const content = configText(config, version);
  return explainSystemErrors(`cannot make ${directory}`, () => {
    makeDirectory(directory);
    checkUnused(directory);
    return withLock(directory, (lock) => {
      // Another process may have made a run here before the lock was taken.
      checkUnused(directory);
      removeLeftovers(directory);
      writeAtomic(join(directory, FILES.config), [Buffer.from(content)]);
      return new RunDirectory(directory, lock, NO_LOGS);
    });
  });
}

// --- Opening -----------------------------------------------------------------------------------------------------------

export interface OpenedRun extends RunConfig {
  readonly run: RunDirectory;
  /** Undefined if there is no checkpoint yet: the search begins at the beginning, with empty logs. */
  readonly snapshot: Snapshot | undefined;
  /** What the user should know, a line each. */
  readonly notes: readonly string[];
}

interface FoundCheckpoint {
  readonly file: string;
  readonly logs: LogLengths;
  readonly snapshot: Snapshot;
}

/** A checkpoint of a file's bytes, if the logs have what it needs of them. */
function readCheckpoint(directory: string, file: string, bytes: Buffer<ArrayBuffer>): FoundCheckpoint {
  const { state, arrays } = decodeCheckpoint(bytes, RUN_FORMAT);
  const saved = state as { readonly logs: LogLengths; readonly state: unknown };
  for (const log of ['events', 'progress'] as const) {
    const size = statSync(join(directory, FILES[log]), { throwIfNoEntry: false })?.size ?? 0;
    if (size >= saved.logs[log]) continue;
    throw new CheckpointError(`needs ${saved.logs[log]} bytes of ${FILES[log]}, which has only ${size}`);
  }
  return { file, logs: saved.logs, snapshot: { state: saved.state, arrays } };
}

/** The newest checkpoint that can be used, and what is wrong with a newer one. */
function findCheckpoint(directory: string): { found: FoundCheckpoint | undefined; problems: string[] } {
  const problems: string[] = [];
  for (const file of [FILES.checkpoint, FILES.previousCheckpoint]) {
    const bytes = readIfThere(directory, file);
    if (bytes === undefined) continue;
    try {
      return { found: readCheckpoint(directory, file, bytes), problems };
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      problems.push(`${shownPath(directory, file)} ${error.message}`);
    }
  }
  if (problems.length === 0) return { found: undefined, problems };
  const all = problems.join('; ');
  throw new RunError(`${printable(directory)}: no checkpoint can be used, and nothing was changed: ${all}`);
}

/** Goes on with a run, from its newest usable checkpoint. */
export function openRun(directory: string): OpenedRun {
  const config = readConfig(directory);
  return explainSystemErrors(`cannot open ${directory}`, () =>
    withLock(directory, (lock) => {
      const { found, problems } = findCheckpoint(directory);
      removeLeftovers(directory);
      // Before the logs are cut, and in place of one that must never be used again: its logs will grow anew.
      if (found?.file === FILES.previousCheckpoint) {
        renameSync(join(directory, FILES.previousCheckpoint), join(directory, FILES.checkpoint));
      }
      const run = new RunDirectory(directory, lock, found?.logs ?? NO_LOGS);
      const notes = problems.map((problem) => `${problem}; going on from the checkpoint before it`);
      return { run, ...config, snapshot: found?.snapshot, notes };
    }),
  );
}
