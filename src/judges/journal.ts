// What has been measured, kept in a file while it is of use, so that a command that was killed goes on where it stopped: a fitness is a
// pure function of what is asked. Must not know why programs are measured.
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Judge, Trial, Verdict } from '../analysis/judge.js';
import { makeDirectory } from '../data/make-directory.js';
import { isSystemError } from '../data/system-error.js';
import type { Task } from '../engine/engine.js';

export interface Journal extends Judge {
  /** How many answers were there already. */
  readonly known: number;
  /** Nobody will ask again. */
  forget(): void;
}

function hash(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Numbers of a task that tell it from others. */
const LOOKED_AT = 10_000;

/** Where measurements on tasks like the first are kept; `settings` is whatever else decides them. */
export function journalPath(directory: string, settings: unknown, first: Task): string {
  const { features, loss, seed, train, valid } = first;
  const looks = [train.features, train.labels, valid.features, valid.labels].map((numbers) =>
    hash([...numbers.subarray(0, LOOKED_AT)]),
  );
  return join(directory, 'measured', `${hash(settings, features, loss, seed, looks)}.jsonl`);
}

/** A key, then fitness and training steps on each task. */
type Entry = readonly [string, ...(readonly [number, number])[]];

function isEntry(entry: unknown): entry is Entry {
  if (!Array.isArray(entry)) return false;
  const [key, ...outcomes] = entry as unknown[];
  const isOutcome = (outcome: unknown) => {
    if (!Array.isArray(outcome) || outcome.length !== 2) return false;
    const [fitness, steps] = outcome as unknown[];
    return typeof fitness === 'number' && fitness >= 0 && fitness <= 1 && Number.isSafeInteger(steps);
  };
  return typeof key === 'string' && outcomes.every(isOutcome);
}

/** Lines that were cut off or are no answers are left out. */
function readEntries(path: string): Map<string, Verdict> {
  const entries = new Map<string, Verdict>();
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error)) return entries;
    throw error;
  }
  for (const line of text.split('\n')) {
    try {
      const entry: unknown = JSON.parse(line);
      if (!isEntry(entry)) continue;
      const [key, ...outcomes] = entry;
      entries.set(
        key,
        outcomes.map(([fitness, trainSteps]) => ({ fitness, trainSteps })),
      );
    } catch {
      // The last line of a process that was killed.
    }
  }
  return entries;
}

function keyOf({ program, tasks, maxTrainSteps }: Trial): string {
  return hash(program, tasks, maxTrainSteps ?? null);
}

/** Days after which nobody goes on with a command. */
const KEPT_DAYS = 30;

/** Deletes the journals of commands that were killed and never run again. */
function deleteOld(directory: string): void {
  try {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      const days = (Date.now() - statSync(path).mtimeMs) / (24 * 3600 * 1000);
      if (days > KEPT_DAYS) rmSync(path, { force: true });
    }
  } catch (error) {
    // There are none, or another process was quicker.
    if (!isSystemError(error)) throw error;
  }
}

/** Answers what the file knows, and adds what it does not. Without the file, where the disk is full, it only asks. */
export function keepJournal(judge: Judge, path: string): Journal {
  deleteOld(dirname(path));
  const entries = readEntries(path);
  const write = (line: string) => {
    try {
      makeDirectory(dirname(path));
      appendFileSync(path, line);
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  };
  // A line that was cut off must not take the next one with it.
  if (entries.size > 0) write('\n');
  return {
    loss: judge.loss,
    features: judge.features,
    count: judge.count,
    trainSteps: judge.trainSteps,
    known: entries.size,
    async judge(trials, onJudged) {
      const keys = trials.map(keyOf);
      const verdicts: Verdict[] = [];
      const unknown: number[] = [];
      const tell = (index: number, verdict: Verdict) => {
        verdicts[index] = verdict;
        onJudged?.(index, verdict);
      };
      for (const [k, { tasks }] of trials.entries()) {
        const known = entries.get(keys[k]!);
        if (known?.length === tasks.length) tell(k, known);
        else unknown.push(k);
      }
      await judge.judge(
        unknown.map((k) => trials[k]!),
        (index, verdict) => {
          const k = unknown[index]!;
          entries.set(keys[k]!, verdict);
          write(`${JSON.stringify([keys[k], ...verdict.map(({ fitness, trainSteps }) => [fitness, trainSteps])])}\n`);
          tell(k, verdict);
        },
      );
      return verdicts;
    },
    dispose: () => judge.dispose(),
    forget: () => {
      try {
        rmSync(path, { force: true });
      } catch (error) {
        // Where nothing could be written, there is nothing to delete.
        if (!isSystemError(error)) throw error;
      }
    },
  };
}
