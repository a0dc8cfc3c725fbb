// The time of one training step of the two-layer network with backpropagation, as the original is measured: a whole evaluation
// on 10 teacher tasks with 8,000 + 1,000 examples, divided by the training steps; and how close that is to what SIMD can do.
import { wasmEngine } from '../engine/wasm/engine.js';
import { operationCount, type Precision } from '../ops/semantics.js';
import { opById } from '../ops/ops.js';
import { builtin } from '../program/builtin.js';
import type { Program } from '../program/program.js';
import { regressionTaskAt } from '../tasks/regression.js';
import { time } from './clock.js';
import { simdOperationNs } from './simd-limit.js';
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

/** Arithmetic operations of one training step, and its share of validation. */
function operationsPerStep({ predict, learn }: Program, features: number): number {
  const cost = (body: Program['predict']) =>
    body.reduce((total, { op }) => total + operationCount(opById(op), features), 0);
  return cost(predict) * (1 + VALID / TRAIN) + cost(learn);
}

function measureStep(features: number, precision: Precision): Measurement[] {
  const options = { features, trainExamples: TRAIN, validExamples: VALID };
  const tasks = Array.from({ length: TASKS }, (_, k) => regressionTaskAt('network', options, 1, k));
  const evaluator = wasmEngine(precision).prepare(tasks);
  const program = network();
  try {
    const whole = time(() => evaluator.run(program), { rounds: 20, milliseconds: 1500 });
    if (evaluator.trainSteps.some((steps) => steps !== TRAIN)) throw new Error('the network stopped early');
    const step = { ns: whole.ns / (TASKS * TRAIN), yardstick: whole.yardstick };
    const name = `network-step-f${features}-${precision}`;
    const limit = operationsPerStep(program, features) * simdOperationNs(precision);
    return [
      { name, metric: 'ns/step', value: step.ns, vsOriginal: ratioToOriginal(ORIGINAL.networkStep[features]!, step) },
      {
        name: `simd-share-f${features}-${precision}`,
        metric: 'share of the SIMD128 arithmetic limit',
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
