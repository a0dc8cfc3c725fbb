// What the files of a run directory are called, and reading those that are never half there: config.json and result.json. Must
// not change anything.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isAbsence } from '../data/system-error.js';
import { printable, quote, shorten } from '../util/quote.js';
import { explainSystemErrors, RunError, RunMistake } from './run-error.js';
import { livingHolder, type ProcessIdentity } from './run-lock.js';

/** Of the directory as a whole: another number for anything that an older evozero would misread. */
export const RUN_FORMAT = 2;

export const FILES = {
  config: 'config.json',
  events: 'events.jsonl',
  progress: 'progress.csv',
  hallOfFame: 'hall-of-fame.csv',
  best: 'best.alg',
  simplifiedBest: 'best.simplified.alg',
  result: 'result.json',
  report: 'report.html',
  checkpoint: 'checkpoint',
  previousCheckpoint: 'checkpoint.previous',
  /** Whole, but without its final name yet. */
  nextCheckpoint: 'checkpoint.next',
  lock: 'lock',
} as const;

export type JsonObject = Readonly<Record<string, unknown>>;

/** The path of a file as messages show it. */
export function shownPath(directory: string, file: string): string {
  return printable(join(directory, file));
}

/** The content of a file, or undefined if there is none. Other trouble becomes a RunError. */
export function readIfThere(directory: string, file: string): Buffer<ArrayBuffer> | undefined {
  return explainSystemErrors(`cannot read ${join(directory, file)}`, () => {
    try {
      return readFileSync(join(directory, file));
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  });
}

export interface OpenFile {
  readonly file: number;
  readonly size: number;
}

/** How a file is opened: undefined if there is none. Whoever does not know who filled a directory has a more careful way. */
export type OpenRunFile = (path: string) => OpenFile | undefined;

function openAny(path: string): OpenFile | undefined {
  try {
    const file = openSync(path, 'r');
    return { file, size: fstatSync(file).size };
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Far above any that a run writes, and less than would stand in the way of others. */
const MAX_MEGABYTES = 64;

function readText(directory: string, file: string, open: OpenRunFile): string | undefined {
  return explainSystemErrors(`cannot read ${join(directory, file)}`, () => {
    const opened = open(join(directory, file));
    if (opened === undefined) return undefined;
    try {
      if (opened.size <= MAX_MEGABYTES << 20) return readFileSync(opened.file, 'utf8');
      throw new RunError(`${shownPath(directory, file)}: damaged, it has more than ${MAX_MEGABYTES} MiB`);
    } finally {
      closeSync(opened.file);
    }
  });
}

function readJsonObject(directory: string, file: string, open: OpenRunFile): JsonObject | undefined {
  const text = readText(directory, file, open);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = shorten(printable((error as SyntaxError).message), 120);
    throw new RunError(`${shownPath(directory, file)}: damaged, not valid JSON: ${problem}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new RunError(`${shownPath(directory, file)}: damaged, it holds ${quote(value)} instead of an object`);
}

export interface RunConfig {
  /** Of the evozero that made the run. */
  readonly version: string;
  readonly config: JsonObject;
}

export function readConfig(directory: string, open: OpenRunFile = openAny): RunConfig {
  const content = readJsonObject(directory, FILES.config, open);
  if (content === undefined)
    throw new RunMistake(`${printable(directory)}: no run directory (no ${FILES.config} in it)`);
  const { evozero, format, ...config } = content;
  if (format !== RUN_FORMAT) {
    const problem = `made by evozero ${quote(evozero)} in format ${quote(format)}; this evozero reads format ${RUN_FORMAT}`;
    throw new RunMistake(`${printable(directory)}: ${problem}`);
  }
  return { version: String(evozero), config };
}

/** What a finished run has found; undefined before that. */
export function readResult(directory: string, open: OpenRunFile = openAny): JsonObject | undefined {
  return readJsonObject(directory, FILES.result, open);
}

/** The process that writes to a run, without touching its lock. */
export function writerOf(directory: string, open: OpenRunFile = openAny): ProcessIdentity | undefined {
  const text = readText(directory, FILES.lock, open);
  return text === undefined ? undefined : livingHolder(text);
}

export interface RunDescription extends RunConfig {
  readonly name: string;
  readonly status: 'running' | 'stopped' | 'finished';
  readonly result?: JsonObject;
}

/** What a run is and how far, for those who only look. */
export function describeRun(directory: string, open: OpenRunFile = openAny): RunDescription {
  const config = readConfig(directory, open);
  const isRunning = writerOf(directory, open) !== undefined;
  const result = readResult(directory, open);
  const name = basename(resolve(directory));
  // A finished run that goes on with a larger budget has a result and is running.
  if (isRunning) return { name, ...config, status: 'running', ...(result === undefined ? {} : { result }) };
  return { name, ...config, ...(result === undefined ? { status: 'stopped' } : { status: 'finished', result }) };
}
