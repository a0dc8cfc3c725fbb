// How long it takes to make a task of images: a pair of classes as large as CIFAR-10's, projected. The pixels are made up, so
// that no data set is needed. Must not know commands.

import { ownFloats } from '../tasks/allocate.js';
import { buildImageTask } from '../tasks/image-task.js';
import { allocateTask } from '../tasks/task-memory.js';
import { time } from './clock.js';
import type { Workload } from './workloads.js';

const DIMENSION = 3072;
const PER_CLASS = 5000;
const ROUNDS = 5;

function madeUpImages() {
  const count = 2 * PER_CLASS;
  const pixels = Uint8Array.from({ length: count * DIMENSION }, (_, k) => Math.imul(k, 2654435761) >>> 24);
  return { count, dimension: DIMENSION, pixels, labels: Uint8Array.from({ length: count }, (_, k) => k % 2) };
}

function measure(features: number): number {
  const images = madeUpImages();
  const recipe = { classes: [0, 1], kind: 'binary', features, trainCount: 8000, validCount: 2000, seed: 1 } as const;
  const source = { name: 'made up', train: images, valid: images, classes: 2 };
  const memory = allocateTask(recipe, ownFloats);
  return time(() => buildImageTask(source, recipe, memory), { rounds: ROUNDS }).ns / 1e6;
}

export const BUILD_TASKS: readonly Workload[] = [16, 256].map((features) => ({
  name: `build-task-f${features}`,
  about: `10,000 images of ${DIMENSION} pixels projected to ${features} features and standardized, best of ${ROUNDS}`,
  run: () => [{ name: `build-task-f${features}`, metric: 'ms', value: measure(features), vsOriginal: null }],
}));
