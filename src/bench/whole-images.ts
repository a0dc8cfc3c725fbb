// What one evaluation costs at the size of whole CIFAR-10 images, where matrices are not written out. Must not know commands.
import { chooseEngine } from '../engine/choose-engine.js';
import type { Task } from '../engine/engine.js';
import type { Precision } from '../ops/semantics.js';
import { builtin } from '../program/builtin.js';
import { RandomStream } from '../util/random.js';
import { measureYardstick } from './clock.js';
import type { Measurement, Workload } from './workloads.js';

const FEATURES = 3072;
const WHOLE = 10_000;
/** Of 8,000 + 2,000 examples, so many: the time of the others is the same. */
const PART = { train: 512, valid: 128 };
const PROGRAMS = ['paper/logistic', 'paper/neural-net', 'paper/evolved'];
const ROUNDS = 2;

function examples(count: number, random: RandomStream): Task['train'] {
  return {
    count,
    features: Float64Array.from({ length: count * FEATURES }, () => random.gaussian()),
    labels: Float64Array.from({ length: count }, () => random.integer(2)),
  };
}

function measure(task: Task, name: string, precision: Precision): Measurement {
  const { program } = builtin(name)!;
  const evaluator = chooseEngine(precision, FEATURES).prepare([task]);
  let best = Number.POSITIVE_INFINITY;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      measureYardstick();
      const startedAt = performance.now();
      evaluator.evaluate(program);
      best = Math.min(best, performance.now() - startedAt);
    }
  } finally {
    evaluator.dispose();
  }
  const seconds = ((best / 1000) * WHOLE) / (PART.train + PART.valid);
  const metric = 's for 8,000 + 2,000 examples';
  return { name: `whole-images/${name.replace('paper/', '')}-${precision}`, metric, value: seconds, vsOriginal: null };
}

function measureAll(): Measurement[] {
  const random = new RandomStream(1);
  const parts = { train: examples(PART.train, random), valid: examples(PART.valid, random) };
  const task: Task = { features: FEATURES, loss: 'accuracy', seed: 1, ...parts };
  return PROGRAMS.flatMap((name) => (['f64', 'f32'] as const).map((precision) => measure(task, name, precision)));
}

export const WHOLE_IMAGES: readonly Workload[] = [
  {
    name: 'whole-images',
    about: `an evaluation at ${FEATURES} features, estimated from ${PART.train} + ${PART.valid} examples`,
    run: measureAll,
  },
];
