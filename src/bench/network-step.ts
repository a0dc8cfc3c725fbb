// The time of one training step of the two-layer network with backpropagation, as the original is measured: a whole evaluation
// on 10 teacher tasks with 8,000 + 1,000 examples, divided by the training steps; and how close that is to what SIMD can do.

import type { Examples, Task } from '../engine/engine.js';
import { wasmEngine } from '../engine/wasm/engine.js';
import type { WasmEvaluator } from '../engine/wasm/evaluator.js';
import { REALS } from '../engine/wasm/reals.js';
import { opById } from '../ops/ops.js';
import { operationCount, type Precision } from '../ops/semantics.js';
import { builtin } from '../program/builtin.js';
import type { Program } from '../program/program.js';
import { regressionTaskAt } from '../tasks/regression.js';
import { type Timing, timeAll } from './clock.js';
import { cycleNs } from './cycle.js';
import { type Measurement, ORIGINAL, ratioToOriginal, type Workload } from './workloads.js';

const TASKS = 10;
const TRAIN = 8000;
const VALID = 1000;
/** Small enough that training never diverges, which would stop it early. */
const LEARNING_RATE = 0.001;

function network(): Program {
  const { program } = builtin('paper/neural-net')!;
  const [rate, ...rest] = program.setup;
  return { ...program, setup: [{ ...rate!, const1: LEARNING_RATE }, ...rest] };
}

/** 128-bit operations per cycle, without fused multiply-add, that processors of today reach: the limit to compare with. */
const SIMD_PER_CYCLE = 2;

/** Arithmetic operations of one training step, and its share of validation. */
function operationsPerStep({ predict, learn }: Program, features: number): number {
  const cost = (body: Program['predict']) =>
    body.reduce((total, { op }) => total + operationCount(opById(op), features), 0);
  return cost(predict) * (1 + VALID / TRAIN) + cost(learn);
}

/** The time of one training step of the network with each evaluator, in nanoseconds. */
export function stepTimes(
  evaluators: readonly WasmEvaluator[],
  tasks: number,
  train: number,
  milliseconds: number,
): Timing[] {
  const program = network();
  const works = evaluators.map((evaluator) => () => evaluator.run(program));
  const times = timeAll(works, { rounds: 20, milliseconds });
  for (const evaluator of evaluators) {
    if (evaluator.readTrainSteps().some((steps) => steps !== train)) throw new Error('the network stopped early');
  }
  return times.map(({ ns, yardstick }) => ({ ns: ns / (tasks * train), yardstick }));
}

/** Labels become smaller with the number of features, so that no first error stops a task. */
export function teacherTasks(features: number, count: number, train: number, valid: number): Task[] {
  const options = { features, trainExamples: train, validExamples: valid };
  const scale = (examples: Examples) => ({ ...examples, labels: examples.labels.map((label) => label / features) });
  return Array.from({ length: count }, (_, k) => {
    const task = regressionTaskAt('network', options, 1, k);
    return { ...task, train: scale(task.train), valid: scale(task.valid) };
  });
}

function measureStep(features: number, precision: Precision): Measurement[] {
  const evaluator = wasmEngine(precision).prepare(teacherTasks(features, TASKS, TRAIN, VALID));
  try {
    const [step] = stepTimes([evaluator], TASKS, TRAIN, 1500) as [Timing];
    const name = `network-step-f${features}-${precision}`;
    const perCycle = SIMD_PER_CYCLE * REALS[precision].lanes;
    const limit = (operationsPerStep(network(), features) / perCycle) * cycleNs();
    return [
      { name, metric: 'ns/step', value: step.ns, vsOriginal: ratioToOriginal(ORIGINAL.networkStep[features]!, step) },
      {
        name: `${name}/simd-share`,
        metric: 'of the SIMD limit',
        value: limit / step.ns,
        vsOriginal: null,
      },
    ];
  } finally {
    evaluator.dispose();
  }
}

export const NETWORK_STEPS: readonly Workload[] = ([4, 8, 16, 32] as const).flatMap((features) =>
  (['f64', 'f32'] as const).map((precision) => ({
    name: `network-step-f${features}-${precision}`,
    about: `a training step of a two-layer network, ${features} features, ${precision}, and its share of the SIMD limit`,
    run: () => measureStep(features, precision),
  })),
);
