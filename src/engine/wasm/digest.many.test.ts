import { afterEach, describe, expect, it } from 'vitest';
import { pickCases } from '../../../tests/support/amount.js';
import {
  DIGEST_CASE,
  DIGEST_CASES,
  digestOf,
  LAYOUTS,
  makeTasks,
  withEvaluator,
} from '../../../tests/support/digests.js';
import { parseProgram, parseSource } from '../../program/parse.js';
import type { Program } from '../../program/program.js';
import type { Examples, Task } from '../engine.js';
import { wasmEngine } from './engine.js';
import { heap } from './heap.js';

afterEach(() => {
  expect(heap.used).toBe(0);
});

function program(setup: readonly string[], predict: readonly string[], learn: readonly string[] = []): Program {
  const lines = ['def Setup():', ...setup, 'def Predict(v0):', ...predict, 'def Learn(v0, s0):', ...learn];
  return parseProgram(lines.join('\n'));
}

const MEAN_OF_FEATURES = program([], ['s1 = mean(v0)']);
/** The prediction is v0: v3 stays zero. */
const { program: FEATURES } = parseSource('def Setup():\ndef Predict(v0):\n  v2 = v0 + v3\ndef Learn(v0, v1):\n');

// tests/property has digests of random programs.
describe.each(pickCases(DIGEST_CASES, 3))(`the digest: ${DIGEST_CASE}`, (shape) => {
  const { precision, features, count, loss } = shape;
  const tasks = makeTasks(features, loss, count);

  it('sees one prediction that differs a little, of any task at any example', () => {
    const reading = loss === 'multiclass' ? FEATURES : MEAN_OF_FEATURES;
    const change = precision === 'f64' ? 1e-8 : 1e-4;
    const before = withEvaluator(shape, tasks, (evaluator) => digestOf(evaluator, reading));
    for (const k of [0, count >> 1, count - 1]) {
      for (const part of ['train', 'valid'] as const) {
        for (const example of [0, tasks[k]![part].count - 1]) {
          // Of a vector, one component; of a mean, all of them.
          const places = loss === 'multiclass' ? [0, features >> 1, features - 1] : [undefined];
          for (const component of places) {
            const changed = changeExample(tasks, { k, part, example, component }, (x) => x * (1 + change));
            const after = withEvaluator(shape, changed, (evaluator) => digestOf(evaluator, reading));
            expect(after, `task ${k}, ${part}, example ${example}, component ${component}`).not.toBe(before);
          }
        }
      }
    }
  });
});

interface Place {
  readonly k: number;
  readonly part: 'train' | 'valid';
  readonly example: number;
  /** All of them if there is none. */
  readonly component: number | undefined;
}

/** The tasks, with other features of one example. */
function changeExample(tasks: readonly Task[], { k, part, example, component }: Place, change: (x: number) => number) {
  return tasks.map((task, n) => {
    if (n !== k) return task;
    const { features: F } = task;
    const isChanged = (at: number) =>
      Math.floor(at / F) === example && (component === undefined || at % F === component);
    const examples: Examples = {
      ...task[part],
      features: task[part].features.map((x, at) => (isChanged(at) ? change(x) : x)),
    };
    return { ...task, [part]: examples };
  });
}

describe.each(LAYOUTS)('the digest: $precision, $kind', (layout) => {
  const { precision } = layout;
  const tasks = makeTasks(4, 'rms', 11);

  it('tells where the one prediction is that is not zero', () => {
    const zero = makeTasks(4, 'rms', 11).map((task) => ({
      ...task,
      train: { ...task.train, features: new Float64Array(task.train.features.length) },
      valid: { ...task.valid, features: new Float64Array(task.valid.features.length) },
    }));
    const digests = new Set<string>();
    let places = 0;
    for (let k = 0; k < zero.length; k++) {
      for (const part of ['train', 'valid'] as const) {
        for (let example = 0; example < zero[k]![part].count; example++, places++) {
          const changed = changeExample(zero, { k, part, example, component: undefined }, () => 1);
          digests.add(withEvaluator(layout, changed, (evaluator) => digestOf(evaluator, MEAN_OF_FEATURES)));
        }
      }
    }
    expect(places).toBe(11 * 11);
    expect(digests.size).toBe(places);
  });

  it('does not see the signs of zeros', () => {
    const zero = (sign: number) => program(['s3 = 0', `s4 = ${sign}`], ['s1 = s3 * s4']);
    withEvaluator(layout, tasks, (evaluator) => {
      const positive = digestOf(evaluator, zero(1));
      expect(Object.is(evaluator.readPredictions()[0], 0)).toBe(true);
      const negative = digestOf(evaluator, zero(-1));
      expect(Object.is(evaluator.readPredictions()[0], -0)).toBe(true);
      expect(negative).toBe(positive);
    });
  });

  it('does not see which NaN it is', () => {
    // The quotient of zeros has a sign on some processors; abs takes it away, and another change of sign gives it to others.
    const nan = (...lines: string[]) => program([], ['s1 = s2 / s2', ...lines]);
    const classified = makeTasks(4, 'accuracy', 3);
    for (const some of [tasks, classified]) {
      withEvaluator(layout, some, (evaluator) => {
        const digests = [
          nan(),
          nan('s1 = abs(s1)'),
          nan('s1 = abs(s1)', 's3 = s2 - s1', 's1 = s3 + s1'),
          program(['s3 = -1'], ['s1 = s2 / s2', 's1 = abs(s1)', 's1 = s3 * s1']),
          program(['s3 = -1'], ['s1 = log(s3)']),
        ].map((one) => digestOf(evaluator, one));
        expect(new Set(digests).size).toBe(1);
        expect(digestOf(evaluator, program([], []))).not.toBe(digests[0]);
      });
    }
  });

  it('counts the examples until tasks stop', () => {
    // Predicts 0 so many times, then 200, which stops every task.
    const stopAfter = (times: number) =>
      program(
        ['s3 = 1', `s4 = ${times}`, 's5 = 200'],
        ['s6 = s2 - s4', 's6 = heaviside(s6)', 's1 = s5 * s6'],
        ['s2 = s2 + s3'],
      );
    withEvaluator(layout, tasks, (evaluator) => {
      const digests = [0, 1, 2, 3, 4].map((times) => {
        const digest = digestOf(evaluator, stopAfter(times));
        expect(evaluator.countTrainSteps()).toBe((times + 1) * tasks.length);
        return digest;
      });
      expect(new Set(digests).size).toBe(5);
    });
  });

  it.each([0, 1])('goes on with the tasks that do not stop, if every third from %i on does', (first) => {
    // A label that no prediction comes near stops those at their third example.
    const failing = tasks.map((task, k) =>
      k % 3 === first
        ? { ...task, train: { ...task.train, labels: task.train.labels.map((y, n) => (n === 2 ? 1000 : y)) } }
        : task,
    );
    // Counts examples in s2, and predicts a little more from the fourth on.
    const later = program(
      ['s3 = 1', 's4 = 3', 's5 = 0.001'],
      ['s1 = mean(v0)', 's6 = s2 - s4', 's6 = heaviside(s6)', 's6 = s5 * s6', 's1 = s1 + s6'],
      ['s2 = s2 + s3'],
    );
    withEvaluator(layout, failing, (evaluator) => {
      const digest = digestOf(evaluator, MEAN_OF_FEATURES);
      expect([...evaluator.readTrainSteps()].filter((steps) => steps === 3)).toHaveLength(4);
      expect(digestOf(evaluator, later)).not.toBe(digest);
      expect(digestOf(evaluator, MEAN_OF_FEATURES)).toBe(digest);
    });
  });

  it('does not see what happens where there is no task', () => {
    // Where there is no task a sum is zero, and zero divided by itself is not 1.
    const one = program([], ['s2 = dot(v0, v0)', 's3 = mean(v0)', 's2 = s2 / s2', 's1 = s2 * s3']);
    const { program: same } = parseSource(
      'def Setup():\ndef Predict(v0):\n  v4 = v0 / v0\n  v2 = v4 * v0\ndef Learn(v0, v1):\n',
    );
    for (const count of [1, 3, 7]) {
      withEvaluator(layout, makeTasks(5, 'rms', count), (evaluator) => {
        expect(digestOf(evaluator, one)).toBe(digestOf(evaluator, MEAN_OF_FEATURES));
      });
      withEvaluator(layout, makeTasks(11, 'multiclass', count), (evaluator) => {
        expect(digestOf(evaluator, same)).toBe(digestOf(evaluator, FEATURES));
      });
    }
  });

  it('does not see rounding, for the most part', () => {
    const setup = ['v1 = gaussian(0, 1)', 'v2 = gaussian(0, 1)', 'v3 = gaussian(0, 1)'];
    const terms = ['s2 = dot(v0, v1)', 's3 = dot(v0, v2)', 's4 = dot(v0, v3)'];
    const one = program(setup, [...terms, 's5 = s2 + s3', 's1 = s5 + s4']);
    const other = program(setup, [...terms, 's5 = s3 + s4', 's1 = s2 + s5']);
    // A number in f32 loses only seven bits, so with many of them one is likely to lie beside a boundary.
    const count = precision === 'f64' ? 10 : 1;
    const draws = 40;
    let [equal, equalPredictions] = [0, 0];
    for (let seed = 1; seed <= draws; seed++) {
      withEvaluator(layout, makeTasks(4, 'rms', count, seed), (evaluator) => {
        const digest = digestOf(evaluator, one);
        const predictions = evaluator.readPredictions().slice();
        if (digestOf(evaluator, other) === digest) equal++;
        if (evaluator.readPredictions().every((x, k) => x === predictions[k])) equalPredictions++;
      });
    }
    expect(equalPredictions).toBeLessThan(draws / 4);
    expect(equal).toBeGreaterThanOrEqual(precision === 'f64' ? draws - 1 : 0.7 * draws);
  });

  it('needs a trace and a run', () => {
    const untraced = wasmEngine(precision, layout.kind).prepare(tasks);
    expect(() => untraced.readDigest()).toThrow('run a program first');
    untraced.run(MEAN_OF_FEATURES);
    expect(() => untraced.readDigest()).toThrow('prepare with trace');
    untraced.dispose();
    expect(() => untraced.readDigest()).toThrow('run a program first');
  });
});
