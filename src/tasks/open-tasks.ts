// Sets of tasks, opened: tasks are made one at a time, when they are asked for. Here those that need no files, which also open in
// a browser: regression and the embedded digits. Must not know files.
import type { Loss, Task } from '../engine/engine.js';
import { type Allocate, ownFloats } from './allocate.js';
import { DataError } from './data-error.js';
import type { DatasetName } from './datasets.js';
import { digitImages } from './digits.js';
import { type ImagePlan, type ImageRequest, planImageTasks, plannedTask } from './image-plan.js';
import { buildImageTask, type ImageTaskRecipe } from './image-task.js';
import { classCounts } from './images.js';
import { regressionTaskAt } from './regression.js';
import type { TableReport } from './tabular/tabular.js';
import { allocateTask, checkTaskShape, type TaskMemory } from './task-memory.js';
import {
  CLASS_COUNT,
  DIGITS,
  type ImageTaskSet,
  parseTaskSet,
  type RegressionTaskSet,
  regressionSeed,
  type TaskSet,
} from './task-sets.js';

/** Which tasks are wanted, by the name of their set. */
export interface NamedTaskRequest extends ImageRequest {
  /** Of a set: `linear`, `cifar10-binary-select`, ... */
  readonly name: string;
  /** Draws the labelling functions of regression tasks, if another than `seed`. */
  readonly labelSeed?: number | undefined;
}

/** Tasks that can be made, one by one. */
export interface OpenedTasks {
  readonly loss: Loss;
  readonly features: number;
  readonly count: number;
  readonly trainCount: number;
  readonly validCount: number;
  /** What was found in a table. */
  readonly report?: TableReport;
  /** Makes task number `index`. */
  readonly at: (index: number) => Promise<Task>;
}

/** How a search comes by its tasks. */
export type OpenTasks = (request: NamedTaskRequest) => Promise<OpenedTasks>;

const REGRESSION = { features: 8, train: 1000, valid: 100 };

function openRegression(set: RegressionTaskSet, request: NamedTaskRequest, allocate: Allocate): OpenedTasks {
  const { count, seed, labelSeed = seed, features = REGRESSION.features } = request;
  const seeds = { features: regressionSeed(set, seed), labels: regressionSeed(set, labelSeed) };
  const { train: trainCount = REGRESSION.train, valid: validCount = REGRESSION.valid } = request;
  const options = { features, trainExamples: trainCount, validExamples: validCount };
  checkTaskShape({ features, trainCount, validCount });
  return {
    loss: 'rms',
    features,
    count,
    trainCount,
    validCount,
    at: async (index) => regressionTaskAt(set.family, options, seeds, index, allocate),
  };
}

/** The tasks of a plan; `fill` builds what a recipe says in the memory of a task. Throws DataError if they cannot be made. */
export function openPlan(
  plan: ImagePlan,
  allocate: Allocate,
  fill: (recipe: ImageTaskRecipe, memory: TaskMemory) => Promise<void>,
): OpenedTasks {
  const { loss, features, trainCount, validCount, tasks } = plan;
  const shape = { features, trainCount, validCount };
  checkTaskShape(shape);
  return {
    loss,
    ...shape,
    count: tasks.length,
    at: async (index) => {
      const memory = allocateTask(shape, allocate);
      await fill(tasks[index]!.recipe, memory);
      return plannedTask(plan, index, memory);
    },
  };
}

function openDigits(set: ImageTaskSet, request: NamedTaskRequest, allocate: Allocate): OpenedTasks {
  const train = digitImages('train');
  const valid = set.role === 'final' ? digitImages('test') : train;
  const counts = { train: classCounts(train, CLASS_COUNT) };
  const available = valid === train ? counts : { ...counts, valid: classCounts(valid, CLASS_COUNT) };
  const images = { name: set.dataset, train, valid, classes: CLASS_COUNT };
  return openPlan(planImageTasks(set, request, available), allocate, async (recipe, memory) =>
    buildImageTask(images, recipe, memory),
  );
}

/** Tasks of images that lie in files. */
export type FileTaskSet = ImageTaskSet & { readonly dataset: DatasetName };

export function needsFiles(set: TaskSet): set is FileTaskSet {
  return !('family' in set) && set.dataset !== DIGITS;
}

/** Opens a set that needs no files. Throws DataError for others. */
export async function openBuiltinTasks(
  request: NamedTaskRequest,
  allocate: Allocate = ownFloats,
): Promise<OpenedTasks> {
  const set = parseTaskSet(request.name);
  if ('family' in set) return openRegression(set, request, allocate);
  if (set.dataset === DIGITS) return openDigits(set, request, allocate);
  throw new DataError(`${request.name}: is read from files, which evozero/data can do`);
}
