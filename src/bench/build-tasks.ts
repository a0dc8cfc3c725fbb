// How long it takes to make a task of images: a pair of classes as large as CIFAR-10's, projected. The pixels are made up, so
// that no data set is needed. Must not know commands.
import { buildImageTask } from '../tasks/image-task.js';
import { ownFloats } from '../tasks/shared-floats.js';
import { allocateTask } from '../tasks/task-memory.js';
import type { Workload } from './workloads.js';

const DIMENSION = 3072;
const PER_CLASS = 5000;
const ROUNDS = 5;

function madeUpImages() {
  const count = 2 * PER_CLASS;
  const pixels = Uint8Array.from({ length: count * DIMENSION }, (_, k) => Math.imul(k, 2654435761) >>> 24);
  return { count, dimension: DIMENSION, pixels, labels: Uint8Array.from({ length: count }, (_, k) => k % 2) };
}

function buildOnce(images: ReturnType<typeof madeUpImages>, features: number, seed: number): number {
  const recipe = { classes: [0, 1], kind: 'binary', features, trainCount: 8000, validCount: 2000, seed } as const;
  const source = { name: 'made up', train: images, valid: images, classes: 2 };
  const started = performance.now();
  buildImageTask(source, recipe, allocateTask(recipe, ownFloats));
  return performance.now() - started;
}

export const BUILD_TASKS: readonly Workload[] = [16, 256].map((features) => ({
  name: `build-task-f${features}`,
  about: `10,000 images of ${DIMENSION} pixels projected to ${features} features and standardized, best of ${ROUNDS}`,
  run: () => {
    const images = madeUpImages();
    const times = Array.from({ length: ROUNDS }, (_, seed) => buildOnce(images, features, seed));
    return [{ name: `build-task-f${features}`, metric: 'ms', value: Math.min(...times), vsOriginal: null }];
  },
}));
