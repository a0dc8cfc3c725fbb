// Digests of predictions in tests: the layouts and shapes of tasks that they are looked at in.
import type { Loss, Task } from '../../src/engine/engine.js';
import { wasmEngine } from '../../src/engine/wasm/engine.js';
import type { WasmEvaluator } from '../../src/engine/wasm/evaluator.js';
import type { LayoutKind } from '../../src/engine/wasm/layout.js';
import type { Precision } from '../../src/ops/semantics.js';
import type { Program } from '../../src/program/program.js';
import { hashToHex } from '../../src/util/hash.js';
import { smallTask } from './arbitraries.js';

/** Training examples of every task. */
export const TRAIN = 5;

export function makeTasks(features: number, loss: Loss, count: number, seed = 0): Task[] {
  return Array.from({ length: count }, (_, k) => smallTask(features, loss, 1000 * seed + k, TRAIN));
}

export function digestOf(evaluator: WasmEvaluator, of: Program): string {
  evaluator.run(of);
  const [low, high] = evaluator.readDigest();
  return hashToHex(high!, low!);
}

export interface DigestCase {
  readonly precision: Precision;
  readonly kind: LayoutKind;
  readonly features: number;
  readonly count: number;
  readonly loss: Loss;
}

export const LAYOUTS = (['f64', 'f32'] as const).flatMap((precision) =>
  (['lanes', 'dense'] as const).map((kind) => ({ precision, kind })),
);

// One task and odd numbers of them leave lanes empty; more than ten make several blocks. 16 features fill registers, the
// others do not; vectors of 33 are hashed in a loop with a rest.
const SHAPES: readonly Pick<DigestCase, 'features' | 'count' | 'loss'>[] = [
  { features: 4, count: 10, loss: 'rms' },
  { features: 3, count: 1, loss: 'rms' },
  { features: 5, count: 3, loss: 'accuracy' },
  { features: 4, count: 23, loss: 'rms' },
  { features: 10, count: 1, loss: 'multiclass' },
  { features: 16, count: 3, loss: 'multiclass' },
  { features: 33, count: 3, loss: 'multiclass' },
  { features: 11, count: 13, loss: 'multiclass' },
];

export const DIGEST_CASES: readonly DigestCase[] = LAYOUTS.flatMap((layout) =>
  // Every second shape does for f32.
  SHAPES.filter((_, k) => layout.precision === 'f64' || k % 2 === 1).map((shape) => ({ ...layout, ...shape })),
);
export const DIGEST_CASE = '$precision, $kind, $count $loss tasks of $features features';

export function withEvaluator<T>(
  { precision, kind }: Pick<DigestCase, 'precision' | 'kind'>,
  tasks: readonly Task[],
  use: (evaluator: WasmEvaluator) => T,
): T {
  const evaluator = wasmEngine(precision, kind).prepare(tasks, { trace: true });
  try {
    return use(evaluator);
  } finally {
    evaluator.dispose();
  }
}
