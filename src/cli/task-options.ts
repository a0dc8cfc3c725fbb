// The flags that choose tasks, for every command that evaluates programs, and opening what they name.
import { type Command, InvalidArgumentError } from 'commander';
import { MissingDatasetError } from '../data/dataset-files.js';
import { cacheDirectory, dataDirectories } from '../data/directories.js';
import type { DataPlaces } from '../data/image-part.js';
import { UnpublishedFileError } from '../data/load-images.js';
import { isTablePath, openTasks } from '../data/open-tasks.js';
import { MAX_FEATURES } from '../engine/engine.js';
import { DataError } from '../tasks/data-error.js';
import { datasetNames } from '../tasks/datasets.js';
import type { OpenedTasks } from '../tasks/open-tasks.js';
import { REGRESSION_FAMILIES } from '../tasks/regression.js';
import { type PairSplit, parseTaskSet } from '../tasks/task-sets.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { directory, integer } from './options.js';
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
  readonly split?: PairSplit;
  readonly data?: string;
  readonly unverified?: true;
}

/** The flags' values where a command does not ask for them. */
export const DEFAULT_TASK_OPTIONS = { count: 10, seed: 0 } as const;

const TASKS_HELP = `${Object.keys(REGRESSION_FAMILIES).join(', ')}, also with -search, -select, -tune or -final; digits; DATASET-binary-search and so on (multiclass; select, tune, final) with DATASET ${datasetNames().join(', ')} or digits; or a .csv or .tsv file, plain or .gz`;

function splitOption(text: string): PairSplit {
  if (text === 'released') return text;
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new InvalidArgumentError('Expected released, or a whole number to draw the split from.');
  }
  return Number(text);
}

/** `otherwise` says what tasks there are without the flag, where it may be left out. */
export function addTaskOptions(command: Command, otherwise?: string): Command {
  if (otherwise === undefined) command.requiredOption('--tasks <TASKS>', TASKS_HELP);
  else command.option('--tasks <TASKS>', `${TASKS_HELP} (default: ${otherwise})`);
  command
    .option(
      '--features <F>',
      'features of each example (default: 8, or images projected to 16, or all pixels in -tune and -final)',
      integer(2, MAX_FEATURES),
    )
    .option('--count <N>', 'number of tasks', integer(1, 100_000), DEFAULT_TASK_OPTIONS.count)
    .option('--train <N>', 'training examples of each task (default: as in the paper)', integer(1, 1_000_000))
    .option('--valid <N>', 'validation examples of each task (default: as in the paper)', integer(1, 1_000_000))
    .option('--seed <N>', 'draws the tasks and the random ops', integer(0), DEFAULT_TASK_OPTIONS.seed)
    .option('--label-seed <N>', 'draws the labelling functions of regression tasks (default: --seed)', integer(0))
    .option(
      '--split <S>',
      'pairs of classes to search and to select on: released, or a seed that draws them (default: released)',
      splitOption,
    )
    .option('--data <DIR>', 'where the data sets lie (default: $EVOZERO_DATA, then the cache directory)', directory)
    .option('--unverified', 'read data files whose checksum is not the published one');
  return addTableOptions(command);
}

export function dataPlaces({ data, unverified }: Pick<TaskOptions, 'data' | 'unverified'>): DataPlaces {
  return { directories: dataDirectories(data), cache: cacheDirectory(), isVerified: unverified !== true, note };
}

/** What a flag or a command can do about it. */
function hintFor(error: DataError): string {
  if (error instanceof UnpublishedFileError) return '; --unverified reads it all the same';
  return error instanceof MissingDatasetError ? `, or run evozero data get ${error.dataset}` : '';
}

/** What data errors tell is the user's to mend. */
export async function explainDataErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DataError ? new UserError(`${error.message}${hintFor(error)}`) : error;
  }
}

type Kind = 'regression' | 'images' | 'tables';

/** Flags that change tasks, but not of all kinds. Ignoring one silently would be a lie. */
const KINDS_OF_FLAG: Readonly<Partial<Record<keyof TaskOptions, readonly Kind[]>>> = {
  train: ['regression', 'images'],
  valid: ['regression', 'images'],
  labelSeed: ['regression'],
  split: ['images'],
  target: ['tables'],
  targetKind: ['tables'],
  missing: ['tables'],
  delimiter: ['tables'],
  kind: ['tables'],
  ignore: ['tables'],
  maxCategories: ['tables'],
  validPart: ['tables'],
};

function kindOf(tasks: string): Kind {
  if (isTablePath(tasks)) return 'tables';
  return 'family' in parseTaskSet(tasks) ? 'regression' : 'images';
}

function checkFlags(options: TaskOptions): void {
  const kind = kindOf(options.tasks);
  for (const [name, kinds] of Object.entries(KINDS_OF_FLAG)) {
    if (options[name as keyof TaskOptions] === undefined || kinds.includes(kind)) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const isCount = name === 'train' || name === 'valid';
    const hint = isCount ? '; the rows of a table are split by --valid-part and --seed' : '';
    throw new UserError(`${flag} is for tasks of ${kinds.join(' and ')}, not for ${printable(options.tasks)}${hint}`);
  }
  if (kind === 'tables' && options.target === undefined) {
    throw new UserError(`${printable(options.tasks)}: --target names the column to predict`);
  }
}

/** `open` may put the tasks elsewhere than in the memory of this thread. */
export function openTaskOptions(options: TaskOptions, open = openTasks): Promise<OpenedTasks> {
  return explainDataErrors(async () => {
    checkFlags(options);
    const request = { ...options, name: options.tasks, table: tableOptions(options) };
    return open(request, dataPlaces(options));
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
