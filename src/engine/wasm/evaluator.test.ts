import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { SEED, smallTask } from '../../../tests/support/arbitraries.js';
import { connect, programs, readers } from '../../../tests/support/differential.js';
import { LiveCode } from '../../program/flat/live-code.js';
import { printProgram } from '../../program/print.js';
import type { Program } from '../../program/program.js';
import { type Loss, labelKind, type Task } from '../engine.js';
import { interpreter } from '../interpreter.js';
import { wasmEngine } from './engine.js';
import type { WasmEvaluator } from './evaluator.js';
import { heap } from './heap.js';

afterEach(() => {
  expect(heap.used).toBe(0);
});

/** Of different sizes, in several blocks; some have a label that stops them, in training or in validation. */
function makeTasks(features: number, loss: Loss): Task[] {
  const spoil = (labels: Float64Array, at: number) => labels.map((y, n) => (n === at ? 150 : y));
  return [8, 5, 8, 8, 5, 8, 8, 8, 8, 8, 8, 8, 8].map((size, k) => {
    const task = smallTask(features, loss, 50 + k, size);
    if (loss !== 'rms' || k % 3 === 0) return task;
    const { train, valid } = task;
    return k % 3 === 1
      ? { ...task, train: { ...train, labels: spoil(train.labels, k % 5) } }
      : { ...task, valid: { ...valid, labels: spoil(valid.labels, k % 6) } };
  });
}

function randomPrograms(loss: Loss): Program[] {
  const connected = fc.tuple(programs, readers).map(([random, picks]) => connect(random, labelKind(loss), picks));
  return fc.sample(connected, { numRuns: 15, seed: SEED });
}

function tell(evaluator: WasmEvaluator) {
  return {
    fitnesses: [...evaluator.readFitnesses()],
    trainSteps: [...evaluator.readTrainSteps()],
    predictions: [...evaluator.readPredictions()],
    digest: [...evaluator.readDigest()],
  };
}

const CASES = (['rms', 'accuracy', 'multiclass'] as const).flatMap((loss) =>
  [1, 3].map((epochs) => ({ loss, epochs, features: loss === 'multiclass' ? 10 : 3 })),
);

describe.each(CASES)('on $loss tasks for $epochs epochs', ({ loss, epochs, features }) => {
  const tasks = makeTasks(features, loss);
  const tried = randomPrograms(loss);
  const reference = interpreter.prepare(tasks, { epochs });
  const expected = tried.map((program) => reference.evaluate(program).map(({ trainSteps }) => trainSteps));

  it.each(['lanes', 'dense'] as const)('%s: countTrainSteps is the sum of the steps of each task', (kind) => {
    const evaluator = wasmEngine('f64', kind).prepare(tasks, { epochs });
    const totals = new Set<number>();
    try {
      for (const [k, program] of tried.entries()) {
        evaluator.run(program);
        const total = evaluator.countTrainSteps();
        const steps = expected[k]!;
        expect([...evaluator.readTrainSteps()]).toEqual(steps);
        expect(total, printProgram(program, labelKind(loss))).toBe(steps.reduce((a, b) => a + b));
        totals.add(total);
      }
    } finally {
      evaluator.dispose();
    }
    expect(totals.size).toBeGreaterThan(1);
  });

  it('runLive is run', () => {
    const evaluator = wasmEngine('f64').prepare(tasks, { epochs, trace: true });
    const live = new LiveCode(labelKind(loss));
    try {
      for (const program of tried) {
        evaluator.run(program, 4);
        live.setProgram(program);
        evaluator.runLive(live);
        const told = tell(evaluator);
        evaluator.run(program);
        expect(told, printProgram(program, labelKind(loss))).toEqual(tell(evaluator));
      }
    } finally {
      evaluator.dispose();
    }
  });
});

describe('countTrainSteps', () => {
  it('has nothing to say before a run and after the end', () => {
    const evaluator = wasmEngine('f64').prepare([smallTask(4, 'rms', 1)]);
    expect(() => evaluator.countTrainSteps()).toThrow('run a program first');
    evaluator.dispose();
    expect(() => evaluator.countTrainSteps()).toThrow('run a program first');
    expect(() => evaluator.runLive(new LiveCode('scalar'))).toThrow('disposed');
  });
});
