// The flags that choose tasks, for every command that evaluates programs, and opening what they name.
import { type Command, InvalidArgumentError } from 'commander';
import { cacheDirectory, dataDirectories } from '../data/directories.js';
import type { DataPlaces } from '../data/image-part.js';
import { isTablePath, type OpenedTasks, openTasks } from '../data/open-tasks.js';
import { DataError } from '../tasks/data-error.js';
import { ownFloats } from '../tasks/shared-floats.js';
import type { Split } from '../tasks/task-sets.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { integer } from './options.js';
import { count, note } from './output.js';
import { addTableOptions, type TableFlags, tableOptions } from './table-options.js';

export interface TaskOptions extends TableFlags {
  readonly tasks: string;
  readonly features?: number;
  readonly count: number;
  readonly train?: number;
  readonly valid?: number;
  readonly seed: number;
  readonly labelSeed?: number;
  readonly split: Split;
  readonly data?: string;
  readonly unverified?: true;
}

/** The flags' values where a command does not ask for them. */
export const DEFAULT_TASK_OPTIONS = { count: 10, seed: 0, split: 'released' } as const;

const TASKS_HELP =
  'linear, affine, network, digits, DATASET-binary|multiclass-search|select|final with DATASET cifar10, mnist, fashion-mnist or svhn, or a .csv file';

function splitOption(text: string): Split {
  if (text === 'released') return text;
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new InvalidArgumentError('Expected released, or a whole number to draw the split from.');
  }
  return Number(text);
}

export function addTaskOptions(command: Command): Command {
  command
    .requiredOption('--tasks <TASKS>', TASKS_HELP)
    .option(
      '--features <F>',
      'features of each example (default: 8, or images projected to 16, or all pixels in -final)',
      integer(2, 4096),
    )
    .option('--count <N>', 'number of tasks', integer(1, 100_000), DEFAULT_TASK_OPTIONS.count)
    .option('--train <N>', 'training examples of each task (default: as in the paper)', integer(1, 1_000_000))
    .option('--valid <N>', 'validation examples of each task (default: as in the paper)', integer(1, 1_000_000))
    .option('--seed <N>', 'draws the tasks and the random ops', integer(0), DEFAULT_TASK_OPTIONS.seed)
    .option('--label-seed <N>', 'draws the labelling functions of regression tasks (default: --seed)', integer(0))
    .option(
      '--split <S>',
      'pairs of classes to search and to select on: released, or a seed that draws them',
      splitOption,
      DEFAULT_TASK_OPTIONS.split,
    )
    .option('--data <DIR>', 'where the data sets lie (default: $EVOZERO_DATA, then the cache directory)')
    .option('--unverified', 'read data files whose checksum is not the published one');
  return addTableOptions(command);
}

export function dataPlaces({ data, unverified }: Pick<TaskOptions, 'data' | 'unverified'>): DataPlaces {
  return { directories: dataDirectories(data), cache: cacheDirectory(), isVerified: unverified !== true, note };
}

/** What data errors tell is the user's to mend. */
export async function explainDataErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DataError ? new UserError(error.message) : error;
  }
}

/** A task of more numbers than this does not fit into the memory of most machines. */
const MAX_NUMBERS = 2 ** 28;

/** Flags that only tables have, or do not have. */
function checkTableFlags({
  tasks,
  target,
  task,
  kind,
  ignore,
  maxCategories,
  validPart,
  train,
  valid,
}: TaskOptions): void {
  const isTable = isTablePath(tasks);
  if (!isTable && [target, task, kind, ignore, maxCategories, validPart].some((flag) => flag !== undefined)) {
    throw new UserError(
      '--target, --task, --kind, --ignore, --max-categories and --valid-part are for tables: --tasks FILE.csv',
    );
  }
  if (isTable && target === undefined) throw new UserError(`${printable(tasks)}: --target names the column to predict`);
  if (isTable && (train ?? valid) !== undefined) {
    throw new UserError('--train and --valid are not for tables, whose rows are split by --valid-part');
  }
}

export function openTaskOptions(options: TaskOptions): Promise<OpenedTasks> {
  return explainDataErrors(async () => {
    checkTableFlags(options);
    const request = { ...options, name: options.tasks, table: tableOptions(options) };
    const tasks = await openTasks(request, dataPlaces(options), ownFloats);
    if (tasks.features * (tasks.trainCount + tasks.validCount) > MAX_NUMBERS) {
      const limit = MAX_NUMBERS.toLocaleString('en-US');
      throw new UserError(
        `--features times the examples (--train and --valid) may be ${limit} at most, to fit into memory`,
      );
    }
    return tasks;
  });
}

/** `100 linear tasks (8 features, 1,000 + 100 examples, seed 0)` */
export function describeTasks(options: TaskOptions, tasks: OpenedTasks, epochs: number): string {
  const name = printable(options.tasks);
  const what =
    tasks.report === undefined ? count(tasks.count, `${name} task`) : `${count(tasks.count, 'split')} of ${name}`;
  const [train, valid] = [tasks.trainCount, tasks.validCount].map((n) => n.toLocaleString('en-US'));
  const repeated = epochs === 1 ? '' : `, ${epochs} epochs`;
  return `${what} (${tasks.features} features, ${train} + ${valid} examples${repeated}, seed ${options.seed})`;
}
