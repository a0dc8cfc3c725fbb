// What the tasks of a set of images will be, before any image is read: how many examples and features, and the recipe of each.
// Must not know where images come from.
import type { Loss, Task } from '../engine/engine.js';
import { DATASETS } from './datasets.js';
import { DIGITS_DIMENSION } from './digits.js';
import { type AvailableImages, type ExampleCounts, exampleCounts, type WantedCounts } from './example-counts.js';
import type { ImageTaskKind, ImageTaskRecipe } from './image-task.js';
import { LOSS_OF_KIND } from './task-kind.js';
import type { TaskMemory } from './task-memory.js';
import {
  CLASS_COUNT,
  DIGITS,
  drawTasks,
  type ImageDatasetName,
  type ImageTaskSet,
  isWhole,
  type PairSplit,
} from './task-sets.js';

/** Which tasks of images are wanted. */
export interface ImageRequest extends WantedCounts {
  readonly count: number;
  /** Draws the tasks and the random ops. */
  readonly seed: number;
  /** Features to project to; 16 if not given, or all pixels in the final evaluation. */
  readonly features?: number | undefined;
  /** Which pairs are searched and which are selected on; the released ones if not given. */
  readonly split?: PairSplit | undefined;
}

export interface ImagePlan extends ExampleCounts {
  readonly loss: Loss;
  readonly features: number;
  readonly tasks: readonly {
    readonly recipe: ImageTaskRecipe;
    /** Keys the random ops of programs. */
    readonly seed: number;
  }[];
}

/** Examples of a task unless told otherwise, as in the paper. */
const USUAL_COUNTS: Readonly<Record<ImageTaskKind, ExampleCounts>> = {
  binary: { trainCount: 8000, validCount: 2000 },
  multiclass: { trainCount: 45_000, validCount: 5000 },
};
const USUAL_FEATURES = 16;

function pixelsOf(dataset: ImageDatasetName): number {
  if (dataset === DIGITS) return DIGITS_DIMENSION;
  const { width, height, channels } = DATASETS[dataset];
  return width * height * channels;
}

/** `available`: images of each class to train on and, in the final evaluation, to validate on. Throws DataError. */
export function planImageTasks(set: ImageTaskSet, request: ImageRequest, available: AvailableImages): ImagePlan {
  const { dataset, kind, role } = set;
  const { count, seed, split = 'released' } = request;
  const classes = kind === 'binary' ? 2 : CLASS_COUNT;
  const counts = exampleCounts(dataset, available, classes, request, USUAL_COUNTS[kind]);
  const projected = request.features ?? (isWhole(role) ? undefined : USUAL_FEATURES);
  const tasks = drawTasks(set, count, seed, split).map((drawn) => {
    const examples = { classes: drawn.classes, kind, ...counts, seed: drawn.dataSeed };
    return {
      recipe: projected === undefined ? examples : { ...examples, features: projected },
      seed: drawn.programSeed,
    };
  });
  return { loss: LOSS_OF_KIND[kind], features: projected ?? pixelsOf(dataset), ...counts, tasks };
}

/** Task number `index` of a plan, whose numbers are in `memory`. */
export function plannedTask({ loss, features, tasks }: ImagePlan, index: number, { train, valid }: TaskMemory): Task {
  return { features, loss, train, valid, seed: tasks[index]!.seed };
}
