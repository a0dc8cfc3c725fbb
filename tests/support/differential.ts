// Compares engines on random programs, bit for bit. On failure fast-check prints the seed and a shrunk program.
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Engine, type Loss, labelKind, type Outcome, type Task } from '../../src/engine/engine.js';
import { printProgram } from '../../src/program/print.js';
import type { Program } from '../../src/program/program.js';
import { arbitraryProgram, SEED, smallTask, wildConstant, withPrediction } from './arbitraries.js';

const TRAIN_EXAMPLES = 5;
const EPOCHS = 2;

/** Tasks that stop at different examples: the labels of some are large. */
function tasksFor(features: number, loss: Loss, count: number): Task[] {
  return Array.from({ length: count }, (_, k) => {
    const task = smallTask(features, loss, 100 + k, TRAIN_EXAMPLES);
    if (loss !== 'rms' || k % 3 !== 1) return task;
    return { ...task, train: { ...task.train, labels: task.train.labels.map((y, n) => (n === 3 ? 99 : y)) } };
  });
}

/** Everything that an evaluation tells, with zeros of both signs apart. */
function tell(outcomes: readonly Outcome[]): string {
  const show = (x: number) => (Object.is(x, -0) ? '-0' : String(x));
  return outcomes
    .map(({ fitness, trainSteps, trace }) =>
      [[fitness, trainSteps], trace!.trainErrors, trace!.validErrors, trace!.predictions]
        .map((numbers) => numbers.map(show).join(' '))
        .join(' | '),
    )
    .join('\n');
}

const programs = arbitraryProgram({ constant: wildConstant, maxLength: 8 });
const budgets = fc.oneof(
  { weight: 4, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
  { weight: 1, arbitrary: fc.nat(2 * TRAIN_EXAMPLES + 1) },
);

function losses(features: number): Loss[] {
  return features >= 10 ? ['rms', 'accuracy', 'multiclass'] : ['rms', 'accuracy'];
}

/** Compares engines on `runs` programs of their own for this feature size, number of tasks and each loss. The first decides. */
export function compareEngines(engines: readonly Engine[], features: number, count: number, runs: number): void {
  for (const [k, loss] of losses(features).entries()) {
    const tasks = tasksFor(features, loss, count);
    const evaluators = engines.map((engine) => engine.prepare(tasks, { epochs: EPOCHS, trace: true }));
    try {
      fc.assert(
        fc.property(programs, budgets, (random: Program, budget) => {
          const program = withPrediction(random, labelKind(loss));
          const [expected, ...others] = evaluators.map((evaluator) => tell(evaluator.evaluate(program, budget)));
          for (const other of others) {
            if (other !== expected) expect(other, printProgram(program, labelKind(loss))).toBe(expected);
          }
        }),
        { numRuns: Math.ceil(runs / losses(features).length), seed: SEED * 100_000 + features * 1000 + count * 10 + k },
      );
    } finally {
      for (const evaluator of evaluators) evaluator.dispose();
    }
  }
}

/** Programs at each feature size, for each number of tasks: about 21,200 in all. */
export const CAMPAIGN: readonly (readonly [features: number, runs: number])[] = [
  [2, 820],
  [3, 820],
  [4, 820],
  [5, 820],
  [8, 800],
  [16, 500],
  [31, 200],
  [32, 200],
  // Rows that are gone through in a loop, with a rest of registers and a rest of lanes.
  [37, 100],
  [45, 60],
  [64, 120],
  [67, 40],
  [131, 9],
];

export const TASK_COUNTS = [1, 2, 3, 10];
