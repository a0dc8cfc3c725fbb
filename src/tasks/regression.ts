// Synthetic regression tasks (paper, section "Finding Simple Neural Nets in a Difficult Space"): Gaussian features, labels
// without noise from a linear, affine or teacher-network function. Pure: the same options give the same tasks anywhere.
import type { Examples, Task } from '../engine/engine.js';
import { deriveSeed, RandomStream } from '../util/random.js';

/** Draws a labelling function for F features. */
type Family = (features: number, random: RandomStream) => (x: Float64Array) => number;

function gaussians(count: number, random: RandomStream): Float64Array {
  return Float64Array.from({ length: count }, () => random.gaussian());
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((total, x, k) => total + x * b[k]!, 0);
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

export type RegressionFamily = keyof typeof REGRESSION_FAMILIES;

export interface RegressionOptions {
  readonly features: number;
  readonly trainExamples: number;
  readonly validExamples: number;
}

/** One task. Features and labelling function have seeds of their own, so that each can be drawn again without the other. */
export function regressionTask(
  family: RegressionFamily,
  { features, trainExamples, validExamples }: RegressionOptions,
  seeds: { readonly features: number; readonly labels: number },
): Task {
  const label = REGRESSION_FAMILIES[family](features, new RandomStream(seeds.labels));
  const random = new RandomStream(seeds.features);
  const draw = (count: number): Examples => {
    const x = gaussians(count * features, random);
    const rows = Array.from({ length: count }, (_, k) => x.subarray(k * features, (k + 1) * features));
    return { count, features: x, labels: Float64Array.from(rows, label) };
  };
  const train = draw(trainExamples);
  const valid = draw(validExamples);
  return { features, loss: 'rms', train, valid, seed: deriveSeed(seeds.features, seeds.labels) };
}

/** Task number `index` of the set with this seed. */
export function regressionTaskAt(
  family: RegressionFamily,
  options: RegressionOptions,
  seed: number,
  index: number,
): Task {
  return regressionTask(family, options, { features: deriveSeed(seed, index, 0), labels: deriveSeed(seed, index, 1) });
}
