import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { SEED, smallTask } from '../../tests/support/arbitraries.js';
import { connect, programs, readers } from '../../tests/support/differential.js';
import { FINGERPRINT, PLAIN, STAGES } from '../../tests/support/evaluation.js';
import { evaluateProgram } from '../../tests/support/stores.js';
import { networkCost, programCost } from '../engine/cost.js';
import { type Loss, labelKind, type Task } from '../engine/engine.js';
import { wasmEngine } from '../engine/wasm/engine.js';
import { heap } from '../engine/wasm/heap.js';
import { builtin } from '../program/builtin.js';
import { canonicalHash, canonicalize } from '../program/canonical.js';
import { parseProgram } from '../program/parse.js';
import { printProgram } from '../program/print.js';
import type { Program } from '../program/program.js';
import { OutOfMemoryError } from '../wasm/api.js';
import {
  CandidateEvaluator,
  type Evaluation,
  type EvaluationOptions,
  type HurdleStage,
  noCounts,
} from './candidate-evaluator.js';
import { shortenTask } from './fingerprint.js';
import { combine } from './summary.js';

afterEach(() => {
  expect(heap.used).toBe(0);
});

const TRAIN = 20;
const VALID = 6;

function makeTasks(loss: Loss = 'rms', count = 3): Task[] {
  const features = loss === 'multiclass' ? 10 : 4;
  return Array.from({ length: count }, (_, k) => smallTask(features, loss, k, TRAIN));
}

function withEvaluator<T>(
  tasks: readonly Task[],
  options: Partial<EvaluationOptions>,
  use: (evaluator: CandidateEvaluator) => T,
): T {
  const evaluator = new CandidateEvaluator(tasks, { ...PLAIN, ...options });
  try {
    return use(evaluator);
  } finally {
    evaluator.dispose();
  }
}

/** What a plain evaluation says, without anything that saves time. */
function measure(tasks: readonly Task[], program: Program, options: Partial<EvaluationOptions> = {}) {
  const { precision, epochs, fitness } = { ...PLAIN, ...options };
  const evaluator = wasmEngine(precision).prepare(tasks, { epochs });
  const outcomes = evaluator.evaluate(program);
  evaluator.dispose();
  return {
    fitness: combine(
      fitness,
      outcomes.map((outcome) => outcome.fitness),
    ),
    trainSteps: outcomes.reduce((total, { trainSteps }) => total + trainSteps, 0),
  };
}

function shorten(tasks: readonly Task[], stage: HurdleStage): Task[] {
  return tasks.map((task) => shortenTask(task, stage));
}

function randomPrograms(count: number, loss: Loss = 'rms', seed = SEED): Program[] {
  const connected = fc.tuple(programs, readers).map(([random, picks]) => connect(random, labelKind(loss), picks));
  return fc.sample(connected, { numRuns: count, seed });
}

/** Random programs among copies and canonical copies of earlier ones, so that caches have something to find. */
function repeatingPrograms(count: number): Program[] {
  const all: Program[] = [];
  for (const [k, program] of randomPrograms(count).entries()) {
    const earlier = all[(7 * k) % (all.length + 1)] ?? program;
    all.push(k % 3 === 0 ? earlier : k % 3 === 1 ? canonicalize(earlier) : program);
  }
  return all;
}

function program(setup: string[], predict: string[], learn: string[] = []): Program {
  const lines = ['def Setup():', ...setup, 'def Predict(v0):', ...predict, 'def Learn(v0, s0):', ...learn];
  return parseProgram(lines.join('\n'));
}

/** Predicts a number: all of them are different, and so are their fitnesses. */
const constant = (value: number) => program([`s2 = ${value}`], ['s1 = s2 + s3']);

const LINEAR = builtin('paper/linear')!.program;
const NETWORK = builtin('paper/neural-net')!.program;

describe('without anything that saves time', () => {
  it.each(['rms', 'accuracy', 'multiclass'] as const)(
    'the fitness on %s tasks is that of a plain evaluation',
    (loss) => {
      const tasks = makeTasks(loss, 4);
      for (const options of [
        { fitness: 'mean' },
        { fitness: 'median', epochs: 3 },
        { fitness: 'median', precision: 'f32' },
      ] as const) {
        withEvaluator(tasks, options, (evaluator) => {
          let steps = 0;
          const judged = randomPrograms(25, loss);
          for (const one of judged) {
            const { fitness, trainSteps } = measure(tasks, one, options);
            expect(evaluateProgram(evaluator, one, []), printProgram(one, labelKind(loss))).toEqual({
              fitness,
              judgement: 'evaluated',
              atHurdles: [],
              isCut: false,
            });
            expect(evaluator.hash).toBe(canonicalHash(one, labelKind(loss)));
            steps += trainSteps;
          }
          const { work } = evaluator.counts;
          expect(evaluator.counts).toEqual({ ...noCounts(), evaluated: judged.length, trainSteps: steps, work });
        });
      }
    },
  );
});

describe('caches', () => {
  const tasks = makeTasks();

  it('know programs of one canonical form', () => {
    withEvaluator(tasks, { fingerprint: FINGERPRINT }, (evaluator) => {
      const known = new Map<string, Evaluation>();
      for (const one of repeatingPrograms(150)) {
        const evaluation = evaluateProgram(evaluator, one, []);
        const first = known.get(canonicalHash(one));
        expect(evaluation.judgement === 'canonical').toBe(first !== undefined);
        if (first === undefined) known.set(canonicalHash(one), evaluation);
        else expect(evaluation).toEqual({ ...first, judgement: 'canonical' });
        if (evaluation.judgement === 'evaluated') expect(evaluation.fitness).toBe(measure(tasks, one).fitness);
      }
      expect(evaluator.counts.canonicalHits).toBeGreaterThan(50);
    });
  });

  it('know programs that predict the same, after a few steps', () => {
    const sum = program(['s3 = 2'], ['s2 = mean(v0)', 's1 = s2 + s2']);
    const product = program(['s3 = 2'], ['s2 = mean(v0)', 's1 = s2 * s3']);
    withEvaluator(tasks, { fingerprint: FINGERPRINT }, (evaluator) => {
      const first = evaluateProgram(evaluator, sum, []);
      expect(first.judgement).toBe('evaluated');
      const { trainSteps } = evaluator.counts;
      expect(trainSteps).toBe(3 * TRAIN + 2 * 4);
      expect(evaluateProgram(evaluator, product, [])).toEqual({ ...first, judgement: 'fingerprint' });
      expect(evaluator.counts.trainSteps).toBe(trainSteps + 2 * 4);
      // Its canonical form is known from now on, and costs no step.
      expect(evaluateProgram(evaluator, product, [])).toEqual({ ...first, judgement: 'canonical' });
      expect(evaluator.counts).toMatchObject({
        evaluated: 1,
        fingerprintHits: 1,
        canonicalHits: 1,
        trainSteps: trainSteps + 2 * 4,
      });
    });
  });

  it('forget what was not used for long', () => {
    withEvaluator(tasks, { fingerprint: { ...FINGERPRINT, cache: 2 } }, (evaluator) => {
      const judge = (value: number) => evaluateProgram(evaluator, constant(value), []).judgement;
      expect([1, 2, 3, 1].map(judge)).toEqual(Array(4).fill('evaluated'));
      // 3 is used, so 1 makes room for 2; fingerprints are used only where canonical forms are not known.
      expect([3, 2, 3, 1].map(judge)).toEqual(['canonical', 'evaluated', 'canonical', 'fingerprint']);
    });
  });

  it('a copy of a known program counts as a hit, and costs the same', () => {
    withEvaluator(tasks, { fingerprint: FINGERPRINT }, (evaluator) => {
      evaluateProgram(evaluator, LINEAR, []);
      const { work } = evaluator.counts;
      evaluateProgram(evaluator, LINEAR, []);
      const hit = evaluator.counts.work - work;
      evaluator.skip();
      expect(evaluator.counts).toMatchObject({ canonicalHits: 2, work: work + 2 * hit });
    });
  });
});

describe('work', () => {
  it('is the cost of the fingerprint and of the evaluation, on their tasks and in all epochs', () => {
    const tasks = makeTasks('rms', 5);
    withEvaluator(tasks, { fingerprint: FINGERPRINT, epochs: 3 }, (evaluator) => {
      const workOf = (one: Program) => {
        const before = evaluator.counts.work;
        evaluateProgram(evaluator, one, []);
        return evaluator.counts.work - before;
      };
      const [first, second] = [workOf(NETWORK), workOf(NETWORK)];
      const cost = programCost(NETWORK, 4, { train: 3 * TRAIN, valid: 3 * VALID }, 'scalar');
      expect(second).toBeGreaterThan(0);
      const { train, valid, tasks: fingerprinted } = FINGERPRINT;
      const part = (train + valid) / (3 * (TRAIN + VALID));
      expect((first - second) / cost).toBeCloseTo(5 + fingerprinted * part, 9);
    });
  });
});

describe('the budget', () => {
  const tasks = makeTasks();

  it('is a multiple of the cost of a plain network, and what costs exactly that much is run', () => {
    withEvaluator(tasks, { budget: 1 }, (evaluator) => {
      expect(evaluateProgram(evaluator, NETWORK, []).judgement).toBe('evaluated');
    });
    for (const epochs of [1, 7]) {
      const examples = { train: TRAIN * epochs, valid: VALID * epochs };
      for (const one of [NETWORK, LINEAR, program(['m0 = gaussian(0, 1)', 's1 = norm(m0)', 's2 = s1 + s1'], [])]) {
        const ratio = programCost(one, 4, examples, 'scalar') / networkCost(4, examples);
        const judge = (budget: number) =>
          withEvaluator(tasks, { budget, epochs }, (evaluator) => evaluateProgram(evaluator, one, []).judgement);
        expect(judge(1.0001 * ratio)).toBe('evaluated');
        expect(judge(0.9999 * ratio)).toBe('over-budget');
      }
    }
  });

  it('leaves programs that cost more without a run, and without a place in the caches', () => {
    withEvaluator(tasks, { budget: 0.99, fingerprint: FINGERPRINT }, (evaluator) => {
      let perProgram: number | undefined;
      for (let k = 1; k <= 3; k++) {
        expect(evaluateProgram(evaluator, NETWORK, [])).toEqual({
          fitness: 0,
          judgement: 'over-budget',
          atHurdles: [],
          isCut: false,
        });
        const { work } = evaluator.counts;
        perProgram ??= work;
        expect(evaluator.counts).toEqual({ ...noCounts(), overBudget: k, work: k * perProgram });
      }
      expect(evaluator.save().canonical.keys).toHaveLength(0);
    });
  });

  it('ignores dead code', () => {
    const [line] = LINEAR.learn;
    const padded = { ...LINEAR, learn: [...LINEAR.learn, ...Array(60).fill(line!)] };
    withEvaluator(tasks, { budget: 0.99 }, (evaluator) => {
      expect(evaluateProgram(evaluator, padded, []).judgement).toBe('evaluated');
    });
  });
});

describe('hurdles', () => {
  const tasks = makeTasks();
  const [first, second] = STAGES.map((stage) => measure(shorten(tasks, stage), LINEAR)) as [
    ReturnType<typeof measure>,
    ReturnType<typeof measure>,
  ];
  const full = measure(tasks, LINEAR);
  const above = (x: number) => x * (1 + 2 ** -50);
  const judge = (hurdles: readonly number[], stages = STAGES) =>
    withEvaluator(tasks, { hurdles: { stages, audit: 1000 } }, (evaluator) => ({
      evaluation: evaluateProgram(evaluator, LINEAR, hurdles),
      counts: evaluator.counts,
    }));

  it('are passed by a program that reaches exactly that much', () => {
    for (const hurdles of [[first.fitness, second.fitness], [0, 0], [first.fitness], []]) {
      const { evaluation, counts } = judge(hurdles);
      expect(evaluation).toEqual({
        fitness: full.fitness,
        judgement: 'evaluated',
        atHurdles: [first.fitness, second.fitness],
        isCut: false,
      });
      expect(counts).toMatchObject({
        cut: 0,
        audited: 0,
        evaluated: 1,
        trainSteps: first.trainSteps + second.trainSteps + full.trainSteps,
      });
    }
  });

  it('look at their examples as often as they say', () => {
    const stage = { train: 8, valid: 4, epochs: 3 };
    const thrice = measure(shorten(tasks, stage), LINEAR, { epochs: 3 });
    expect(thrice.trainSteps).toBe(3 * second.trainSteps);
    expect(thrice.fitness).not.toBe(second.fitness);
    const { evaluation, counts } = judge([above(thrice.fitness)], [stage]);
    expect(evaluation).toMatchObject({ fitness: thrice.fitness, isCut: true });
    expect(counts.trainSteps).toBe(thrice.trainSteps);
  });

  it('cut a program below, which then costs a fraction', () => {
    const cut = judge([above(first.fitness), 0]);
    expect(cut.evaluation).toEqual({
      fitness: first.fitness,
      judgement: 'cut',
      atHurdles: [first.fitness],
      isCut: true,
    });
    expect(cut.counts).toMatchObject({ cut: 1, audited: 0, evaluated: 0, trainSteps: first.trainSteps });
    expect(first.trainSteps).toBeLessThan(full.trainSteps / 5);
    expect(cut.counts.work).toBeLessThan(judge([]).counts.work);
    const later = judge([first.fitness, above(second.fitness)]);
    expect(later.evaluation).toEqual({
      fitness: second.fitness,
      judgement: 'cut',
      atHurdles: [first.fitness, second.fitness],
      isCut: true,
    });
    expect(later.counts).toMatchObject({ cut: 1, evaluated: 0, trainSteps: first.trainSteps + second.trainSteps });
  });

  it('let every n-th of those below be evaluated in full', () => {
    const values = Array.from({ length: 9 }, (_, k) => k + 1);
    withEvaluator(tasks, { hurdles: { stages: STAGES, audit: 3 } }, (evaluator) => {
      const judged = values.map((value) => evaluateProgram(evaluator, constant(value), [2, 2]));
      expect(judged.map(({ judgement }) => judgement)).toEqual(
        values.map((value) => (value % 3 === 0 ? 'audited' : 'cut')),
      );
      for (const [k, { fitness, isCut, atHurdles, judgement }] of judged.entries()) {
        const atFirst = measure(shorten(tasks, STAGES[0]!), constant(values[k]!)).fitness;
        const inFull = measure(tasks, constant(values[k]!)).fitness;
        expect(atHurdles).toEqual([atFirst]);
        expect([fitness, isCut]).toEqual(judgement === 'audited' ? [inFull, false] : [atFirst, true]);
      }
      expect(evaluator.counts).toMatchObject({ cut: 9, audited: 3, evaluated: 3 });
    });
  });

  it('leave their marks in the caches', () => {
    const sum = program(['s3 = 2'], ['s2 = mean(v0)', 's1 = s2 + s2']);
    const product = program(['s3 = 2'], ['s2 = mean(v0)', 's1 = s2 * s3']);
    // Cut at either hurdle, audited, passed.
    for (const [hurdles, audit] of [
      [[2, 0], 1000],
      [[0, 2], 1000],
      [[2, 0], 1],
      [[0, 2], 1],
      [[0, 0], 1000],
    ] as const) {
      withEvaluator(tasks, { fingerprint: FINGERPRINT, hurdles: { stages: STAGES, audit } }, (evaluator) => {
        const original = evaluateProgram(evaluator, sum, hurdles);
        const { cut, audited, evaluated } = evaluator.counts;
        expect(original.isCut).toBe(audit > 1 && Math.max(...hurdles) === 2);
        expect(original.atHurdles).toHaveLength(hurdles[0] === 2 ? 1 : 2);
        expect(evaluateProgram(evaluator, sum, [0, 0])).toEqual({ ...original, judgement: 'canonical' });
        expect(evaluateProgram(evaluator, product, [0, 0])).toEqual({ ...original, judgement: 'fingerprint' });
        expect(evaluateProgram(evaluator, product, [0, 0])).toEqual({ ...original, judgement: 'canonical' });
        expect(evaluator.counts).toMatchObject({ cut, audited, evaluated, canonicalHits: 2, fingerprintHits: 1 });
      });
    }
  });
});

describe('where memory does not suffice', () => {
  it('gives everything back, whichever allocation fails', () => {
    const { allocate } = heap;
    const tasks = makeTasks();
    const options = { ...PLAIN, fingerprint: FINGERPRINT, hurdles: { stages: STAGES, audit: 4 } };
    let count = 0;
    let failing = 0;
    heap.allocate = (bytes) => {
      if (count++ === failing) throw new OutOfMemoryError('none left');
      return allocate.call(heap, bytes);
    };
    try {
      for (; ; failing++) {
        count = 0;
        try {
          new CandidateEvaluator(tasks, options).dispose();
          break;
        } catch (error) {
          expect(error).toBeInstanceOf(OutOfMemoryError);
          expect(heap.used).toBe(0);
        }
      }
    } finally {
      Object.assign(heap, { allocate });
    }
    expect(failing).toBeGreaterThan(10);
  });
});
