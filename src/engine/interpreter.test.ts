import { describe, expect, it } from 'vitest';
import { smallTask } from '../../tests/support/arbitraries.js';
import { sum } from '../ops/semantics.js';
import { simplify } from '../program/liveness.js';
import { parseProgram } from '../program/parse.js';
import { exp } from '../util/elementary.js';
import type { Examples, Loss, Task } from './engine.js';
import { interpreter } from './interpreter.js';

function program(setup: string, predict: string, learn: string) {
  return parseProgram(`def Setup():\n${setup}\ndef Predict():\n${predict}\ndef Learn():\n${learn}`);
}

function examples(rows: readonly (readonly number[])[], labels: readonly number[]): Examples {
  return { count: rows.length, features: Float64Array.from(rows.flat()), labels: Float64Array.from(labels) };
}

function task(labels: readonly number[], loss: Loss = 'rms', seed = 0, features = 2): Task {
  const rows = labels.map((_, k) => Array.from({ length: features }, (_, j) => k + 1 + 10 * j));
  return { features, loss, train: examples(rows, labels), valid: examples(rows, labels), seed };
}

function run(p: ReturnType<typeof program>, t: Task, epochs = 1) {
  const outcome = interpreter.prepare([t], { trace: true, epochs }).evaluate(p)[0]!;
  return { ...outcome, trace: outcome.trace! };
}

describe('the loop', () => {
  it('zeroes memory, runs Setup once, then Predict and Learn for each example, then Predict only', () => {
    // s2 counts Setup, s3 Predict and s4 Learn; the prediction is s2 + 10 s3 + 100 s4.
    const counts = program(
      's5 = 0.001\ns6 = 0.01\ns7 = 0.1\ns2 = s2 + s5',
      's3 = s3 + s6\ns1 = s2 + s3\ns1 = s1 + s4',
      's4 = s4 + s7',
    );
    const { predictions } = run(counts, task([0, 0])).trace;
    expect(predictions.map((x) => Number(x.toFixed(3)))).toEqual([0.011, 0.121, 0.231, 0.241]);
  });

  it('gives the features to Predict and again to Learn', () => {
    const squeezing = program('', 's1 = norm(v0)\ns1 = s1 + s2\nv0 = s3 * v0', 's2 = norm(v0)');
    const { predictions } = run(squeezing, task([0, 0])).trace;
    const norms = [Math.sqrt(1 + 121), Math.sqrt(4 + 144)];
    expect(predictions).toEqual([norms[0], norms[1]! + norms[0]!, norms[0]! + norms[1]!, norms[1]! + norms[1]!]);
  });

  it('hides the label from Predict, in training and validation', () => {
    const { predictions } = run(program('', 's1 = s0 + s2', 's2 = s2 + s0'), task([3, 4])).trace;
    expect(predictions).toEqual([0, 3, 7, 7]);
  });

  it('squashes the root mean square error', () => {
    const { fitness, trace } = run(program('', 's1 = s2 + s3', ''), task([3, -4]));
    expect(trace.validErrors).toEqual([3, 4]);
    expect(fitness).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(Math.sqrt(12.5)), 15);
  });

  it('counts training steps', () => {
    expect(run(program('', '', ''), task([1, 2, 3]), 4).trainSteps).toBe(12);
  });
});

describe('early stop', () => {
  it('at an error above 100, whose example is not recorded', () => {
    const at = (labels: number[]) => run(program('', '', ''), task(labels));
    expect(at([100, 1]).trace.trainErrors).toEqual([100, 1]);
    const stopped = at([1, 100.5, 1]);
    expect(stopped).toMatchObject({ fitness: 0, trainSteps: 2, trace: { trainErrors: [1], validErrors: [] } });
  });

  it('at NaN', () => {
    expect(run(program('s2 = -1', 's1 = log(s2)', ''), task([1, 1]))).toMatchObject({ fitness: 0, trainSteps: 1 });
  });

  it('in validation too', () => {
    // The prediction grows by a factor 10 from one call to the next: 4 training and 4 validation examples.
    const growing = program('s2 = 10\ns3 = 0.001', 's3 = s3 * s2\ns1 = abs(s3)', '');
    const { fitness, trace } = run(growing, task([0, 0, 0, 0]));
    expect(trace.trainErrors).toHaveLength(4);
    expect(trace.validErrors).toHaveLength(1);
    expect(fitness).toBe(0);
  });

  it('in a later epoch keeps the best of those before', () => {
    const growing = program('s2 = 10\ns3 = 0.0001', 's3 = s3 * s2\ns1 = abs(s3)', '');
    const once = run(growing, task([0, 0]));
    const twice = run(growing, task([0, 0]), 3);
    expect(once.fitness).toBeGreaterThan(0);
    expect(twice.fitness).toBe(once.fitness);
    expect(twice.trainSteps).toBeLessThan(6);
  });

  it('in validation ends the task too, and keeps the best of the epochs before', () => {
    // Fails in the second validation: 0.001, 0.01 | 0.1, 1 || 10, 100 | 1000
    const growing = program('s2 = 10\ns3 = 0.0001', 's3 = s3 * s2\ns1 = abs(s3)', '');
    const { fitness, trainSteps, trace } = run(growing, task([0, 0]), 5);
    expect(fitness).toBe(run(growing, task([0, 0])).fitness);
    expect(trainSteps).toBe(4);
    expect(trace.validErrors).toHaveLength(2);
  });

  it('does not look at memory that is no prediction', () => {
    expect(run(program('s2 = -1\ns3 = log(s2)', '', ''), task([1, 1])).fitness).toBeGreaterThan(0);
  });
});

describe('epochs', () => {
  it('are all recorded', () => {
    const { trainErrors, validErrors, predictions } = run(program('', 's1 = norm(v0)', ''), task([0, 0, 0]), 3).trace;
    expect([trainErrors.length, validErrors.length, predictions.length]).toEqual([9, 9, 18]);
  });

  it('repeat the training examples and validate after each, keeping the best', () => {
    // The prediction is the number of training steps so far; the label 4 is met after the second epoch of two.
    const counter = program('s3 = 1', 's1 = abs(s2)', 's2 = s2 + s3');
    const fitnesses = [1, 2, 3].map((epochs) => run(counter, task([4, 4]), epochs).fitness);
    expect(fitnesses[0]).toBeLessThan(1);
    expect(fitnesses[1]).toBe(1);
    expect(fitnesses[2]).toBe(1);
  });
});

describe('classification', () => {
  it('gives Learn the probability, and in validation leaves the prediction alone', () => {
    const { predictions, trainErrors, validErrors } = run(
      program('s3 = 2', 's1 = abs(s3)\ns4 = abs(s2)', 's2 = abs(s1)'),
      task([1, 0], 'accuracy'),
    ).trace;
    const p = 1 / (1 + Math.exp(-2));
    expect(predictions).toEqual([2, 2, 2, 2]);
    expect(trainErrors[0]).toBeCloseTo(1 - p, 15);
    expect(trainErrors[1]).toBeCloseTo(p, 15);
    expect(validErrors).toEqual([0, 1]);
    // What Learn stored is the probability.
    const shown = run(program('s3 = 2', 's1 = abs(s3)\ns1 = s1 + s2', 's2 = abs(s1)'), task([1, 1], 'accuracy'));
    expect(shown.trace.predictions[1]).toBeCloseTo(2 + p, 12);
  });

  it('has the accuracy as fitness; a probability of one half is the first class', () => {
    expect(run(program('', 's1 = abs(s3)', ''), task([0, 0, 1, 0], 'accuracy')).fitness).toBe(0.75);
    // Where Predict does not write it, the probability of the step before stays.
    expect(run(program('', '', ''), task([0, 0, 1, 0], 'accuracy')).fitness).toBe(0.25);
  });

  it('of many classes: the label is a vector, the prediction the largest component', () => {
    // Learns to predict the last label: v2 = the label of the step before.
    const last = parseProgram('def Setup():\ndef Predict():\nv2 = abs(v3)\ndef Learn(v0, v1):\nv3 = abs(v1)');
    const { fitness, trace } = run(last, task([3, 3, 7], 'multiclass', 0, 12));
    expect(trace.validErrors).toEqual([1, 1, 0]);
    expect(fitness).toBeCloseTo(1 / 3, 15);
    // Softmax over ten components: 0.1 each at first, then e for the label seen before and 1 for the others.
    expect(trace.trainErrors[0]).toBeCloseTo(0.9, 12);
    expect(trace.trainErrors[1]).toBeCloseTo(1 - Math.E / (Math.E + 9), 12);
  });

  it('counts NaN as the first class, in validation', () => {
    // The prediction is 1 / 0 - 1 / 0 from the third call on, which is the first validation example.
    const late = 's5 = s5 + s6\ns7 = s8 - s5\ns7 = heaviside(s7)\ns7 = 1 / s7\ns1 = s7 - s7';
    const two = run(program('s6 = 1\ns8 = 2', late, ''), task([1, 0], 'accuracy'));
    expect(two.trace.predictions).toEqual([0, 0, Number.NaN, Number.NaN]);
    expect(two.trace.validErrors).toEqual([1, 0]);
    const many = parseProgram(
      `def Setup():\ns6 = 1\ns8 = 2\ndef Predict():\n${late}\nv2 = bcast(s1)\ndef Learn(v0, v1):`,
    );
    expect(run(many, task([3, 0], 'multiclass', 0, 12)).trace.validErrors).toEqual([1, 0]);
  });

  it('of many classes: the first of equals wins, and only ten components count', () => {
    const equal = parseProgram('def Setup():\ndef Predict():\nv2 = abs(v3)\nv2[11] = 9\ndef Learn(v0, v1):');
    expect(run(equal, task([0, 1, 9], 'multiclass', 0, 12)).trace.validErrors).toEqual([0, 1, 1]);
  });

  it('of many classes: large predictions do not overflow, and the order of the sum is that of all sums', () => {
    const large = parseProgram(
      'def Setup():\ns2 = 1000\ndef Predict():\nv2 = s2 * v3\ndef Learn(v0, v1):\nv3 = v3 + v1',
    );
    const { trainErrors } = run(large, task([4, 4, 5], 'multiclass', 0, 12)).trace;
    expect(trainErrors[1]).toBe(0);
    expect(trainErrors[2]).toBe(1);
    const features = parseProgram('def Setup():\ndef Predict():\nv2 = abs(v0)\ndef Learn(v0, v1):');
    const rows = Array.from({ length: 30 }, (_, i) =>
      Array.from({ length: 12 }, (_, k) => ((i + 3) * (k + 1) * 0.37) % 2.9),
    );
    const train = examples(rows, Array(30).fill(2));
    const errors = run(features, { ...task([2], 'multiclass', 0, 12), train }).trace.trainErrors;
    for (const [k, row] of rows.entries()) {
      const e = row.slice(0, 10).map((x) => exp(x - Math.max(...row.slice(0, 10))));
      expect(errors[k]).toBe(Math.abs(1 - e[2]! / sum(10, (j) => e[j]!)));
    }
  });

  it('softmax leaves zero beyond the classes, for Learn', () => {
    const beyond = parseProgram(
      'def Setup():\ns2 = 5\ndef Predict():\nv2 = bcast(s2)\nv2 = v2 - v3\ndef Learn(v0, v1):\nv3 = v2 + v3',
    );
    const { predictions } = run(beyond, task([0, 0], 'multiclass', 0, 12)).trace;
    expect(predictions.slice(12 + 10, 24)).toEqual([5, 5]);
    expect(predictions[12]).toBeCloseTo(4.9, 12);
  });
});

describe('random ops', () => {
  const noisy = program(
    'v1 = gaussian(0, 1)',
    'v2 = uniform(0, 1)\nv3 = v1 + v2\ns1 = norm(v3)',
    's2 = gaussian(0, 1)',
  );

  it('draw the same for the same task seed, and other numbers for another', () => {
    const predictions = (seed: number) => run(noisy, task([0, 0, 0], 'rms', seed)).trace.predictions;
    expect(predictions(1)).toEqual(predictions(1));
    expect(predictions(1)).not.toEqual(predictions(2));
  });

  it('draw afresh at every example', () => {
    expect(new Set(run(noisy, task(Array(20).fill(0))).trace.predictions).size).toBe(40);
  });

  /** What Predict leaves in v2, one array for each call. */
  function vectors(setup: string, predict: string, learn: string, examplesCount = 20): number[][] {
    const p = parseProgram(`def Setup():\n${setup}\ndef Predict():\n${predict}\ndef Learn(v0, v1):\n${learn}`);
    const { predictions } = run(p, smallTask(10, 'multiclass', 3, examplesCount)).trace;
    return Array.from({ length: predictions.length / 10 }, (_, k) => predictions.slice(10 * k, 10 * k + 10));
  }

  const distinct = (x: readonly number[]) => new Set(x).size === x.length;

  it('draw different numbers for every element of a matrix', () => {
    for (const line of ['m0 = uniform(0, 1)', 'm0 = gaussian(0, 1)']) {
      // Rows of the matrix, one after the other: the product with unit vectors made of the label.
      const rows = vectors(line, 'v2 = dot(m0, v3)', 'v3 = abs(v1)', 60).map((row) => row.map(Math.abs));
      const seen = new Map(rows.filter((row) => row.some((x) => x !== 0)).map((row) => [row.join(), row]));
      expect(seen.size).toBe(10);
      expect(distinct([...seen.values()].flat())).toBe(true);
    }
  });

  it('draw different numbers for two instructions of one step, and for Setup, Predict and Learn', () => {
    // The differences of two equal draws would be zero.
    const same = vectors('', 'v3 = gaussian(0, 1)\nv4 = gaussian(0, 1)\nv2 = v3 - v4', '');
    expect(same.flat().every((x) => x !== 0)).toBe(true);
    const across = vectors(
      'v3 = gaussian(0, 1)',
      'v4 = gaussian(0, 1)\nv5 = v3 - v4\nv6 = v7 - v4\nv2 = v5 * v6',
      'v7 = gaussian(0, 1)',
    );
    expect(across.flat().every((x) => x !== 0)).toBe(true);
  });

  it('are uncorrelated between the instructions of a step', () => {
    const products = vectors('', 'v3 = gaussian(0, 1)\nv4 = gaussian(0, 1)\nv2 = v3 * v4', '', 2000).flat();
    const mean = products.reduce((a, b) => a + b, 0) / products.length;
    expect(Math.abs(mean)).toBeLessThan(5 / Math.sqrt(products.length));
  });

  it('of Learn draw afresh at every step', () => {
    const noise = vectors('', 'v2 = abs(v3)', 'v3 = gaussian(0, 1)');
    const trained = noise.slice(1, 20).map((row) => row.join());
    expect(distinct(noise.slice(1, 20).flat())).toBe(true);
    expect(new Set(trained).size).toBe(trained.length);
  });

  it('draw these very numbers on every machine', () => {
    // Part of what a seed means: a change here changes every search.
    const all = program(
      's2 = gaussian(0, 1)\nm0 = uniform(-1, 1)',
      'v1 = uniform(0, 1)\nv2 = dot(m0, v1)\ns1 = norm(v2)\ns1 = s1 + s2\ns1 = s1 + s3',
      's3 = gaussian(0.5, 0.1)\nv9 = gaussian(0, 1)\nm1 = gaussian(0, 1)',
    );
    expect(run(all, task([0, 0], 'rms', 2020)).trace.predictions).toEqual([
      0.15075601186254511, 0.4382534332895855, 0.5766964349020689, 0.9769065783192384,
    ]);
  });

  it('are not changed by dead code before them', () => {
    const dead = program(
      's7 = gaussian(0, 1)\nv1 = uniform(0, 1)\nv1 = gaussian(0, 1)',
      'v9 = gaussian(0, 1)\nv2 = uniform(0, 1)\nv3 = v1 + v2\ns1 = norm(v3)',
      '',
    );
    const t = smallTask(4, 'rms', 5);
    expect(run(dead, t)).toEqual(run(noisy, t));
    expect(run(simplify(dead), t)).toEqual(run(noisy, t));
  });

  it('have the moments that their constants say, over steps and elements', () => {
    const draws = (line: string) => {
      const p = parseProgram(`def Setup():\ndef Predict():\n${line}\ndef Learn(v0, v1):`);
      return run(p, { ...smallTask(10, 'multiclass', 9, 2000), seed: 77 }).trace.predictions;
    };
    const summary = (x: readonly number[]) => {
      const mean = x.reduce((a, b) => a + b, 0) / x.length;
      return { n: x.length, mean, sd: Math.sqrt(x.reduce((a, b) => a + (b - mean) ** 2, 0) / x.length) };
    };
    const uniform = summary(draws('v2 = uniform(-0.5, 2.5)'));
    expect(uniform.n).toBe(20_060);
    expect(uniform.mean).toBeCloseTo(1, 1);
    expect(uniform.sd).toBeCloseTo(3 / Math.sqrt(12), 1);
    const reversed = draws('v2 = uniform(0.6, 0.2)');
    expect(reversed.every((x) => x > 0.2 && x <= 0.6)).toBe(true);
    const gaussian = summary(draws('v2 = gaussian(3, 0.5)'));
    expect(Math.abs(gaussian.mean - 3)).toBeLessThan((5 * 0.5) / Math.sqrt(gaussian.n));
    expect(Math.abs(gaussian.sd - 0.5)).toBeLessThan((5 * 0.5) / Math.sqrt(2 * gaussian.n));
  });
});

describe('tasks that no engine can run on', () => {
  const good = task([1, 2]);
  it.each([
    [[], 'there must be at least one task'],
    [[{ ...good, features: 1 }], 'a task needs at least 2 features, not 1'],
    [[{ ...good, loss: 'multiclass' as const }], 'a multi-class task needs at least 10 features, not 2'],
    [[{ ...good, train: examples([], []) }], 'a task needs at least one training example'],
    [[{ ...good, valid: examples([[1, 2, 3]], [1]) }], 'the validation examples do not have 1 rows'],
    [[{ ...good, train: examples([[1, Number.NaN]], [1]) }], 'the training examples have features that are not finite'],
    [[{ ...good, valid: examples([[1, 2]], [Number.NaN]) }], 'have a label that rms tasks cannot have: NaN'],
    [[task([3, 10], 'multiclass', 0, 12)], 'have a label that multiclass tasks cannot have: 10'],
    [[good, { ...good, loss: 'accuracy' as const }], 'must have the same number of features and the same loss'],
    [[good, task([1, 2], 'rms', 0, 3)], 'must have the same number of features and the same loss'],
  ])('are refused: %#', (bad, message) => {
    expect(() => interpreter.prepare(bad)).toThrow(message);
  });
});
