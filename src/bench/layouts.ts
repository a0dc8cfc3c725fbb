// Where the lanes layout is faster and where the dense one: the network's training step in both, over feature sizes. The
// engine's switch-over (engine/wasm/engine.ts) is read off this.
import { chooseLayout, wasmEngine } from '../engine/wasm/engine.js';
import type { LayoutKind } from '../engine/wasm/layout.js';
import type { Precision } from '../ops/semantics.js';
import { stepTimes, teacherTasks } from './network-step.js';
import type { Measurement, Workload } from './workloads.js';

const FEATURES = [2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 16, 24, 31, 32, 64];
const TASKS = 10;
const TRAIN = 400;

function measure(features: number, precision: Precision): Measurement[] {
  const tasks = teacherTasks(features, TASKS, TRAIN, 50);
  const kinds: readonly LayoutKind[] = ['lanes', 'dense'];
  const evaluators = kinds.map((kind) => wasmEngine(precision, kind).prepare(tasks));
  const times = stepTimes(evaluators, TASKS, TRAIN, 400).map(({ ns }, k) => ({ kind: kinds[k]!, ns }));
  for (const evaluator of evaluators) evaluator.dispose();
  const { kind: chosen } = chooseLayout(features, TASKS, precision);
  return times.map(({ kind, ns }) => ({
    name: `layouts-f${features}-${precision}/${kind}`,
    metric: 'ns/step',
    value: ns,
    vsOriginal: null,
    ...(kind === chosen && { note: 'chosen' }),
  }));
}

export const LAYOUTS: readonly Workload[] = (['f64', 'f32'] as const).flatMap((precision) =>
  FEATURES.map((features) => ({
    name: `layouts-f${features}-${precision}`,
    about: `a training step in both layouts, ${features} features, ${precision}`,
    run: () => measure(features, precision),
  })),
);
