import { describe, expect, it } from 'vitest';
import type { Loss, Task } from '../../engine/engine.js';
import { interpreter } from '../../engine/interpreter.js';
import { wasmEngine } from '../../engine/wasm/engine.js';
import { BUILTIN_NAMES, builtin } from '../../program/builtin.js';
import { simplify } from '../../program/liveness.js';
import { parseSource } from '../../program/parse.js';
import type { LabelKind, Program } from '../../program/program.js';
import { RandomStream } from '../../util/random.js';
import { baselinesFor } from './baselines.js';
import { makePredictor, predictSize, readsBeforeWriting, trainProgram } from './execute.js';

const F = 12;
const TRAIN = 30;
const VALID = 5;

function examples(count: number, loss: Loss, random: RandomStream) {
  const label = () => (loss === 'rms' ? random.gaussian() : random.integer(loss === 'accuracy' ? 2 : 10));
  return {
    count,
    features: Float64Array.from({ length: count * F }, () => random.gaussian()),
    labels: Float64Array.from({ length: count }, label),
  };
}

function makeTask(loss: Loss): Task {
  const random = new RandomStream(7);
  return { features: F, loss, train: examples(TRAIN, loss, random), valid: examples(VALID, loss, random), seed: 99 };
}

/** What the engine predicts for a row right after training: the first of the validation examples. */
function enginePrediction(program: Program, task: Task, row: number): Float64Array {
  const one = {
    count: 1,
    features: task.valid.features.slice(row * F, (row + 1) * F),
    labels: task.valid.labels.slice(row, row + 1),
  };
  const [outcome] = interpreter.prepare([{ ...task, valid: one }], { trace: true }).evaluate(program);
  const { predictions } = outcome!.trace!;
  return Float64Array.from(predictions.slice((predictions.length / (TRAIN + 1)) * TRAIN));
}

const LOSSES: Record<LabelKind, readonly Loss[]> = { scalar: ['rms', 'accuracy'], vector: ['multiclass'] };
const builtins = BUILTIN_NAMES.map((name) => ({ ...builtin(name)!, name }));
const own = baselinesFor('multiclass').map((each) => ({ ...each, labels: 'vector' as const }));

describe.each([...builtins, ...own])('$name', ({ program, labels }) => {
  it.each(LOSSES[labels])('predicts what the engine predicts, row by row, in any order (%s)', (loss) => {
    const task = makeTask(loss);
    for (const form of [program, simplify(program, labels)]) {
      const trained = trainProgram(form, task, task.train);
      if (trained === undefined) {
        expect(interpreter.prepare([task]).evaluate(program)[0]!.trainSteps).toBeLessThanOrEqual(TRAIN);
        continue;
      }
      const predict = makePredictor(form, task, trained);
      for (const row of [3, 0, 3, 4]) {
        const prediction = predict(task.valid.features.subarray(row * F, (row + 1) * F));
        expect(prediction).toEqual(enginePrediction(program, task, row));
      }
    }
  });
});

describe('training', () => {
  it('ends in nothing where the engine stops', () => {
    const { program } = parseSource(
      'def Setup():\n  s2 = 1000\ndef Predict(v0):\n  s1 = s1 + s2\ndef Learn(v0, s0):\n  s2 = s2 * s2\n',
    );
    expect(trainProgram(program, makeTask('rms'), makeTask('rms').train)).toBeUndefined();
  });

  it('gives the fitness of the fast engine', () => {
    const task = makeTask('accuracy');
    const { program } = builtin('paper/neural-net')!;
    const predict = makePredictor(program, task, trainProgram(program, task, task.train)!);
    let right = 0;
    for (let k = 0; k < VALID; k++) {
      const prediction = predict(task.valid.features.subarray(k * F, (k + 1) * F))[0]!;
      if (prediction > 0 === task.valid.labels[k]! > 0.5) right++;
    }
    const evaluator = wasmEngine('f64').prepare([task]);
    expect(evaluator.evaluate(program)[0]!.fitness).toBe(right / VALID);
    evaluator.dispose();
  });
});

/** A program that only predicts. */
function predicting(...lines: readonly string[]): Program {
  return parseSource(`def Setup():\ndef Predict(v0):\n  ${lines.join('\n  ')}\ndef Learn(v0, s0):\n`).program;
}

describe('what Predict takes over', () => {
  const names = (...lines: readonly string[]) =>
    readsBeforeWriting(predicting(...lines), 'rms').map(({ type, address }) => type + address);

  it('is read before it is written', () => {
    expect(names('v1 = v2 + v0', 'v2 = v1 + v1', 's1 = dot(v2, v3)')).toEqual(['v2', 'v3']);
  });

  it('has what a change of one element keeps, and a prediction that is never written', () => {
    expect(names('v4[2] = 0.5', 's2 = dot(v4, v0)')).toEqual(['v4', 's1']);
  });

  it('has a size', () => {
    const program = predicting('v1 = dot(m0, v0)', 's1 = dot(v1, v0)');
    expect(predictSize(program, 10)).toBe(100 + 10 + 10 + 1);
  });
});
