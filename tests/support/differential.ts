// Compares engines on random programs, bit for bit. On failure fast-check prints the seed and a shrunk program.
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Engine, type Loss, labelKind, type Outcome, type Task } from '../../src/engine/engine.js';
import { opByName } from '../../src/ops/ops.js';
import type { OpName } from '../../src/ops/table.js';
import { printProgram } from '../../src/program/print.js';
import {
  type LabelKind,
  type MemorySizes,
  makeInstruction,
  type Program,
  TASK_ADDRESSES,
} from '../../src/program/program.js';
import { campaignSize } from './amount.js';
import { arbitraryProgram, SEED, smallTask, wildConstant } from './arbitraries.js';

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

/** Few addresses, so that what is written is often read. */
const MEMORY: MemorySizes = { scalars: 4, vectors: 4, matrices: 2 };
export const programs = arbitraryProgram({ memory: MEMORY, constant: wildConstant, maxLength: 8 });
const address = fc.nat(MEMORY.vectors - 1);
/** What makes a random program tell what it does: see `connect`. */
export const readers = fc.record({
  fill: fc.boolean(),
  bounded: fc.boolean(),
  matrix: fc.nat(MEMORY.matrices - 1),
  vectors: fc.tuple(address, address, address),
  scalar: fc.nat(MEMORY.scalars - 1),
});

function instruction(name: OpName, out: number, inputs: readonly number[], constants: readonly number[] = []) {
  return makeInstruction({ op: opByName(name).id, out, inputs, constants });
}

type Readers = typeof readers extends fc.Arbitrary<infer T> ? T : never;

/**
 * The program, with a prediction that depends on a matrix, some vectors and a scalar; and, if asked for, memory that is not
 * zero at first and a prediction that stays within bounds, so that training goes on.
 */
export function connect(program: Program, labels: LabelKind, picks: Readers): Program {
  const { matrix, vectors, scalar } = picks;
  const { address: prediction } = TASK_ADDRESSES[labels].prediction;
  const fills = [0, 1, 2, 3].flatMap((k) => [
    instruction('scalar-gaussian', k, [], [0, 0.5]),
    instruction('vector-gaussian', k, [], [0, 0.5]),
    ...(k < MEMORY.matrices ? [instruction('matrix-gaussian', k, [], [0, 0.5])] : []),
  ]);
  const [first, second, third] = vectors;
  const product = instruction('matrix-vector', second, [matrix, first]);
  const reading =
    labels === 'vector'
      ? [
          product,
          instruction('vector-scale', third, [scalar, third]),
          instruction('vector-add', prediction, [second, third]),
        ]
      : [
          product,
          instruction('dot', 3, [second, third]),
          instruction('scalar-add', prediction, [scalar, 3]),
          ...(picks.bounded ? [instruction('scalar-arctan', prediction, [prediction])] : []),
        ];
  return {
    setup: [...(picks.fill ? fills : []), ...program.setup],
    predict: [...program.predict, ...reading],
    learn: program.learn,
  };
}

const budgets = fc.oneof(
  { weight: 4, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
  { weight: 1, arbitrary: fc.nat(2 * TRAIN_EXAMPLES + 1) },
);

function losses(features: number): Loss[] {
  return features >= 10 ? ['rms', 'accuracy', 'multiclass'] : ['rms', 'accuracy'];
}

/**
 * Compares engines on `runs` programs of their own for this feature size, number of tasks and each loss. The first decides. Returns how many
 * programs it compared.
 */
export function compareEngines(engines: readonly Engine[], features: number, count: number, runs: number): number {
  let compared = 0;
  for (const [k, loss] of losses(features).entries()) {
    const tasks = tasksFor(features, loss, count);
    const evaluators = engines.map((engine) => engine.prepare(tasks, { epochs: EPOCHS, trace: true }));
    try {
      fc.assert(
        fc.property(programs, readers, budgets, (random, picks, budget) => {
          const program = connect(random, labelKind(loss), picks);
          const [expected, ...others] = evaluators.map((evaluator) => tell(evaluator.evaluate(program, budget)));
          for (const other of others) {
            if (other !== expected) expect(other, printProgram(program, labelKind(loss))).toBe(expected);
          }
          compared++;
        }),
        { numRuns: Math.ceil(runs / losses(features).length), seed: SEED * 100_000 + features * 1000 + count * 10 + k },
      );
    } finally {
      for (const evaluator of evaluators) evaluator.dispose();
    }
  }
  return compared;
}

/** From here on a program takes so long that campaigns do not try more of them. */
const LARGE = 40;

/** Programs at each feature size, for each number of tasks: about 21,200 in all, if not more are asked for. */
export const CAMPAIGN: readonly (readonly [features: number, runs: number])[] = (
  [
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
  ] as const
).map(([features, runs]) => [features, features > LARGE ? runs : campaignSize(runs)] as const);

export const TASK_COUNTS = [1, 2, 3, 10];
