// The flags of commands that measure programs on tasks, and the judge that they ask: threads on all cores, and a journal from which
// a command that was killed goes on.
import { type Command, Option } from 'commander';
import { type Judge, localJudge } from '../analysis/judge.js';
import { cacheDirectory } from '../data/directories.js';
import { openTasks } from '../data/open-tasks.js';
import { labelKind, TaskError } from '../engine/engine.js';
import { splitTasks } from '../evaluate/split-tasks.js';
import { coreCount } from '../islands/thread-field.js';
import { journalPath, keepJournal } from '../judges/journal.js';
import { ThreadJudge } from '../judges/thread-judge.js';
import type { Precision } from '../ops/semantics.js';
import { indexProblem } from '../program/program.js';
import { sharedFloats } from '../tasks/allocate.js';
import type { OpenedTasks } from '../tasks/open-tasks.js';
import { printable } from '../util/quote.js';
import { OutOfMemoryError } from '../wasm/api.js';
import { UserError } from './errors.js';
import { integer } from './options.js';
import { count, note } from './output.js';
import type { NamedProgram } from './program-argument.js';
import { addTaskOptions, explainDataErrors, openTaskOptions, type TaskOptions } from './task-options.js';
import { version } from './version.js';

export interface JudgeFlags extends TaskOptions {
  readonly epochs: number;
  readonly precision: Precision;
  readonly workers?: number;
}

export function addJudgeOptions(command: Command, otherwise?: string): Command {
  return addTaskOptions(command, otherwise)
    .option('--epochs <E>', 'passes over the training examples; the best validation counts', integer(1, 100_000), 1)
    .addOption(
      new Option('--precision <P>', 'arithmetic: f32 is faster and less exact').choices(['f64', 'f32']).default('f64'),
    )
    .option('--workers <N>', 'threads (default: all cores)', integer(1, 256));
}

/** Whether a program can run on tasks at all. */
export function checkProgram(
  { name, labels, program }: Pick<NamedProgram, 'name' | 'labels' | 'program'>,
  tasks: Pick<OpenedTasks, 'loss' | 'features'>,
  setName: string,
): void {
  const needed = labelKind(tasks.loss);
  if (labels !== needed) {
    const words = { scalar: 'a scalar label (s0)', vector: 'a label vector (v1)' };
    throw new UserError(`${name}: learns from ${words[labels]}, and ${printable(setName)} tasks have ${words[needed]}`);
  }
  const problem = indexProblem(program, tasks.features);
  if (problem !== undefined) throw new UserError(`${name}: ${problem}; --features sets their number`);
}

/** Everything that decides a measurement, beside the program and the tasks themselves. */
function settingsOf(flags: JudgeFlags): unknown {
  const { workers: _, ...rest } = flags;
  const { tasks, features, count, train, valid, seed, labelSeed, split, epochs, precision } = rest;
  return [version(), tasks, features, count, train, valid, seed, labelSeed, split, epochs, precision];
}

/** Everything on one task set, in parts: numbers of tasks that are evaluated together. */
export function partsOf(tasks: OpenedTasks): number[][] {
  return splitTasks(tasks, [...Array(tasks.count).keys()]);
}

/**
 * Has `work` done with a judge on the tasks of the flags, and explains what goes wrong. `once`: every program is evaluated once
 * on every task, so that more threads than parts are of no use.
 */
export async function withJudge<T>(
  flags: JudgeFlags,
  programs: readonly Pick<NamedProgram, 'name' | 'labels' | 'program'>[],
  work: (judge: Judge, tasks: OpenedTasks) => Promise<T>,
  { once = false } = {},
): Promise<T> {
  const tasks = await openTaskOptions(flags, openShared);
  for (const program of programs) checkProgram(program, tasks, flags.tasks);
  return explainJudgeErrors(programs, async () => {
    const { epochs, precision, workers = coreCount() } = flags;
    const threads = once ? Math.min(workers, programs.length * partsOf(tasks).length) : workers;
    const path = journalPath(cacheDirectory(), settingsOf(flags), await tasks.at(0));
    const options = { epochs, precision };
    const judge = keepJournal(
      threads === 1 ? localJudge(tasks, options) : new ThreadJudge(tasks, options, threads),
      path,
    );
    if (judge.known > 0) note(`going on: ${count(judge.known, 'evaluation')} of a run that was interrupted are kept`);
    try {
      const result = await work(judge, tasks);
      judge.forget();
      return result;
    } finally {
      judge.dispose();
    }
  });
}

const openShared: typeof openTasks = (request, options) => openTasks(request, { ...options, allocate: sharedFloats });

/** What tasks and memory do not allow is the user's to mend. */
async function explainJudgeErrors<T>(programs: readonly { name: string }[], work: () => Promise<T>): Promise<T> {
  try {
    return await explainDataErrors(work);
  } catch (error) {
    const isExpected = error instanceof OutOfMemoryError || error instanceof TaskError;
    throw isExpected ? new UserError(`${programs.map(({ name }) => name).join(', ')}: ${error.message}`) : error;
  }
}
