// What it costs to enter the fast engine, beside the work itself: a fingerprint, an empty program, and memory.
import type { Examples, Task } from '../engine/engine.js';
import { moduleBytes } from '../engine/wasm/compile.js';
import { chooseLayout, wasmEngine } from '../engine/wasm/engine.js';
import { Layout } from '../engine/wasm/layout.js';
import { builtin } from '../program/builtin.js';
import type { Program } from '../program/program.js';
import { regressionTaskAt } from '../tasks/regression.js';
import { time } from './clock.js';
import type { Measurement, Workload } from './workloads.js';

const EMPTY: Program = { setup: [], predict: [], learn: [] };

/** The demo's tasks: linear, 4 features, 100 + 100 examples. */
function demoTasks(): Task[] {
  const options = { features: 4, trainExamples: 100, validExamples: 100 };
  return Array.from({ length: 10 }, (_, k) => regressionTaskAt('linear', options, 1, k));
}

function firstExamples({ features, labels }: Examples, count: number, F: number): Examples {
  return { count, features: features.slice(0, count * F), labels: labels.slice(0, count) };
}

function measureEntering(name: string, metric: string, program: Program, examples: number): Measurement[] {
  const tasks = demoTasks().map((task) => ({
    ...task,
    train: firstExamples(task.train, examples, task.features),
    valid: firstExamples(task.valid, examples, task.features),
  }));
  const evaluator = wasmEngine('f64').prepare(tasks, { trace: true });
  try {
    const enter = () => {
      evaluator.run(program);
      evaluator.readDigest();
    };
    const { ns } = time(enter, { rounds: 20, milliseconds: 500 });
    return [{ name, metric, value: ns, vsOriginal: null }];
  } finally {
    evaluator.dispose();
  }
}

function measureMemory(): Measurement[] {
  const evaluator = wasmEngine('f64').prepare(demoTasks());
  try {
    evaluator.run(builtin('paper/linear')!.program);
    const code = moduleBytes(new Layout(chooseLayout(4, 10, 'f64'))).length;
    return [
      { name: 'memory/evaluator', metric: 'bytes', value: evaluator.bytes, vsOriginal: null },
      { name: 'memory/kernels', metric: 'bytes', value: code, vsOriginal: null },
    ];
  } finally {
    evaluator.dispose();
  }
}

export const ENTERING: readonly Workload[] = [
  {
    name: 'fingerprint',
    about: 'linear regression on the first 10 + 10 examples of 10 tasks, 4 features: encode, run, hash the predictions',
    run: () => measureEntering('fingerprint', 'ns', builtin('paper/linear')!.program, 10),
  },
  {
    name: 'enter-empty',
    about: 'the same with an empty program and 1 + 1 examples: the way in and out',
    run: () => measureEntering('enter-empty', 'ns', EMPTY, 1),
  },
  {
    name: 'memory',
    about: 'memory for the demo (10 tasks, 4 features, 100 + 100 examples): tasks, program and operands; kernels',
    run: measureMemory,
  },
];
