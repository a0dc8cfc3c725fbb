// Synthetic regression tasks (paper, section "Finding Simple Neural Nets in a Difficult Space"): Gaussian features, labels
// without noise from a linear, affine or teacher-network function. Pure: the same options give the same tasks anywhere.
import type { Examples, Task } from '../engine/engine.js';
import { deriveSeed, RandomStream } from '../util/random.js';
import { type Allocate, ownFloats } from './allocate.js';
import { allocateTask } from './task-memory.js';

type LabelFunction = (x: Float64Array) => number;

/** Draws a labelling function for F features. */
type Family = (features: number, random: RandomStream) => LabelFunction;

function gaussians(count: number, random: RandomStream): Float64Array {
  return Float64Array.from({ length: count }, () => random.gaussian());
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += a[k]! * b[k]!;
  return total;
}

export const REGRESSION_FAMILIES = {
  /** u · x */
  linear(features, random) {
    const u = gaussians(features, random);
    return (x) => dot(u, x);
  },
  /** u · x + a */
  affine(features, random) {
    const u = gaussians(features, random);
    const a = random.gaussian();
    return (x) => dot(u, x) + a;
  },
  /** u · ReLU(M x) */
  network(features, random) {
    const u = gaussians(features, random);
    const rows = Array.from({ length: features }, () => gaussians(features, random));
    return (x) =>
      dot(
        u,
        Float64Array.from(rows, (row) => Math.max(0, dot(row, x))),
      );
  },
} as const satisfies Record<string, Family>;

/** The families of synthetic regression tasks. */
export type RegressionFamily = keyof typeof REGRESSION_FAMILIES;

/** The size of a regression task. */
export interface RegressionOptions {
  readonly features: number;
  readonly trainExamples: number;
  readonly validExamples: number;
}

/** Features and labelling function have seeds of their own, so that each can be drawn again without the other. */
export interface RegressionSeeds {
  readonly features: number;
  readonly labels: number;
}

function fill({ count, features, labels }: Examples, F: number, random: RandomStream, label: LabelFunction): void {
  for (let k = 0; k < features.length; k++) features[k] = random.gaussian();
  for (let k = 0; k < count; k++) labels[k] = label(features.subarray(k * F, (k + 1) * F));
}

/** One synthetic regression task. The same seeds make the same task. */
export function regressionTask(
  family: RegressionFamily,
  { features, trainExamples, validExamples }: RegressionOptions,
  seeds: RegressionSeeds,
  allocate: Allocate = ownFloats,
): Task {
  const label = REGRESSION_FAMILIES[family](features, new RandomStream(seeds.labels));
  const random = new RandomStream(seeds.features);
  const shape = { features, trainCount: trainExamples, validCount: validExamples };
  const { train, valid } = allocateTask(shape, allocate);
  fill(train, features, random, label);
  fill(valid, features, random, label);
  return { features, loss: 'rms', train, valid, seed: deriveSeed(seeds.features, seeds.labels) };
}

/** Task number `index` of the set with this seed, or with these two. */
export function regressionTaskAt(
  family: RegressionFamily,
  options: RegressionOptions,
  seed: number | RegressionSeeds,
  index: number,
  allocate: Allocate = ownFloats,
): Task {
  const { features, labels } = typeof seed === 'number' ? { features: seed, labels: seed } : seed;
  const seeds = { features: deriveSeed(features, index, 0), labels: deriveSeed(labels, index, 1) };
  return regressionTask(family, options, seeds, allocate);
}
