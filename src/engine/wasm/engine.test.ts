import { afterEach, describe, expect, it } from 'vitest';
import { smallTask } from '../../../tests/support/arbitraries.js';
import { BUILTIN_NAMES, builtin } from '../../program/builtin.js';
import { parseProgram } from '../../program/parse.js';
import type { Program } from '../../program/program.js';
import { OutOfMemoryError } from '../../wasm/api.js';
import { type Loss, labelKind, type Task, TaskError } from '../engine.js';
import { interpreter, interpreterF32 } from '../interpreter.js';
import { sigmoid } from '../loss.js';
import { chooseLayout, wasmEngine } from './engine.js';
import { heap } from './heap.js';

const LAYOUTS = ['lanes', 'dense'] as const;
const EMPTY: Program = { setup: [], predict: [], learn: [] };

afterEach(() => {
  expect(heap.used).toBe(0);
});

/** Programs of the paper that have labels of this kind. */
function paperPrograms(loss: Loss): [string, Program][] {
  return BUILTIN_NAMES.map((name) => [name, builtin(name)!] as const)
    .filter(([, { labels }]) => labels === labelKind(loss))
    .map(([name, { program }]) => [name, program]);
}

// tests/property and tests/campaigns compare it with the interpreter on random programs.
describe('the fast engine', () => {
  it.each(['rms', 'accuracy', 'multiclass'] as const)("runs the paper's programs on %s tasks", (loss) => {
    const tasks = [1, 2, 3].map((seed) => smallTask(12, loss, seed, 60));
    const reference = interpreter.prepare(tasks, { epochs: 2, trace: true });
    const expected = paperPrograms(loss).map(([name, program]) => ({ name, program, by: reference.evaluate(program) }));
    for (const kind of LAYOUTS) {
      const evaluator = wasmEngine('f64', kind).prepare(tasks, { epochs: 2, trace: true });
      for (const { name, program, by } of expected) expect(evaluator.evaluate(program), name).toStrictEqual(by);
      evaluator.dispose();
    }
  });

  it('gives Learn the features as they were if Predict changes them', () => {
    const program = parseProgram(
      'def Setup():\n  s4 = 1\n  v1[0] = 0.5\ndef Predict(v0):\n  v0 = v0 * v1\n  s1 = mean(v0)\ndef Learn(v0, s0):\n  v1 = v1 + v0\n',
    );
    const tasks = [1, 2, 3].map((seed) => smallTask(4, 'rms', seed, 6));
    for (const kind of LAYOUTS) {
      const evaluator = wasmEngine('f64', kind).prepare(tasks, { trace: true });
      expect(evaluator.evaluate(program)).toStrictEqual(interpreter.prepare(tasks, { trace: true }).evaluate(program));
      evaluator.dispose();
    }
  });

  it('takes tasks of different numbers of examples together, and answers in their order', () => {
    const sizes = [4, 9, 4, 5, 9, 4, 4, 5, 4, 4];
    const tasks = sizes.map((size, k) => {
      const task = smallTask(4, 'accuracy', k, size);
      const { features, labels } = task.valid;
      return k % 4 === 0
        ? { ...task, valid: { count: 3, features: features.slice(0, 12), labels: labels.slice(0, 3) } }
        : task;
    });
    const { program } = builtin('paper/linear')!;
    const expected = interpreter.prepare(tasks, { trace: true }).evaluate(program);
    for (const kind of LAYOUTS) {
      const evaluator = wasmEngine('f64', kind).prepare(tasks, { trace: true });
      expect(evaluator.evaluate(program)).toStrictEqual(expected);
      evaluator.dispose();
    }
  });

  it('stops a task that fails and goes on with the others; when all have failed it ends', () => {
    const grow = parseProgram(
      'def Setup():\n  s2 = 1\ndef Predict(v0):\n  s1 = s2 * s3\ndef Learn(v0, s0):\n  s2 = s2 + s2\n  s3 = abs(s0)\n',
    );
    const task = (label: number): Task => {
      const base = smallTask(4, 'rms', 3, 40);
      const flat = (labels: Float64Array) => labels.map(() => label);
      return {
        ...base,
        train: { ...base.train, labels: flat(base.train.labels) },
        valid: { ...base.valid, labels: flat(base.valid.labels) },
      };
    };
    const tasks = [task(1), task(0), task(1e-3), task(1), task(0.5)];
    const expected = interpreter.prepare(tasks, { trace: true }).evaluate(grow);
    expect(expected.map(({ trainSteps }) => trainSteps)).toEqual([8, 40, 18, 8, 9]);
    for (const kind of LAYOUTS) {
      const evaluator = wasmEngine('f64', kind).prepare(tasks, { trace: true });
      expect(evaluator.evaluate(grow)).toStrictEqual(expected);
      evaluator.dispose();
      const failing = wasmEngine('f64', kind).prepare([task(1), task(2)], { trace: true });
      expect(failing.evaluate(grow).map(({ fitness }) => fitness)).toEqual([0, 0]);
      failing.dispose();
    }
  });

  it.each([-1, 0, 0.5, 1, 3.7, 7, 8, 9, 12, 100])('trains for at most %d steps if told so', (maxTrainSteps) => {
    const tasks = [1, 2, 3].map((seed) => smallTask(4, 'rms', seed, 8));
    const { program } = builtin('paper/linear')!;
    const expected = interpreter.prepare(tasks, { epochs: 2, trace: true }).evaluate(program, maxTrainSteps);
    expect(expected[0]!.trainSteps).toBe(Math.max(0, Math.min(Math.ceil(maxTrainSteps), 16)));
    for (const kind of LAYOUTS) {
      const evaluator = wasmEngine('f64', kind).prepare(tasks, { epochs: 2, trace: true });
      expect(evaluator.evaluate(program, maxTrainSteps)).toStrictEqual(expected);
      evaluator.dispose();
    }
  });

  it.each(['rms', 'multiclass'] as const)(
    'gives the predictions of %s tasks in one array, for fingerprints',
    (loss) => {
      const tasks = [4, 6, 4].map((size, seed) => smallTask(11, loss, seed, size));
      const programs = paperPrograms(loss).map(([, program]) => program);
      for (const precision of ['f64', 'f32'] as const) {
        for (const kind of LAYOUTS) {
          const evaluator = wasmEngine(precision, kind).prepare(tasks, { trace: true });
          for (const program of programs) {
            const traces = evaluator.evaluate(program).map(({ trace }) => trace!.predictions);
            const sizes = tasks.map(({ train, valid }) => (train.count + valid.count) * (loss === 'rms' ? 1 : 11));
            const padded = traces.flatMap((trace, k) => [
              ...trace,
              ...new Array<number>(sizes[k]! - trace.length).fill(Number.NaN),
            ]);
            expect([...evaluator.readPredictions()]).toEqual(padded);
          }
          evaluator.dispose();
        }
      }
    },
  );

  it('runs one program after the other without traces of the one before', () => {
    const tasks = [1, 2, 3].map((seed) => smallTask(4, 'rms', seed, 10));
    const evaluator = wasmEngine('f64').prepare(tasks);
    const programs = paperPrograms('rms').map(([, program]) => program);
    const first = programs.map((program) => evaluator.evaluate(program));
    for (const k of [3, 0, 5, 2, 1, 4]) {
      evaluator.evaluate(EMPTY);
      expect(evaluator.evaluate(programs[k]!)).toStrictEqual(first[k]);
    }
    evaluator.dispose();
  });

  it.each(['f64', 'f32'] as const)('tells two classes apart exactly where the sigmoid does, in %s', (precision) => {
    // Around the smallest number whose sigmoid exceeds one half.
    const ulp = precision === 'f64' ? 2 ** -53 : 2 ** -24;
    let [below, above] = [1e-17, 1e-15];
    while (above / below > 1 + ulp) {
      const middle = (below + above) / 2;
      if (middle === below || middle === above) break;
      if (sigmoid(middle) > 0.5) above = middle;
      else below = middle;
    }
    const near = Array.from({ length: 81 }, (_, k) => above * (1 + (k - 40) * 2 * ulp));
    const values = [...near, 0, -0, 1e-17, -1e-17, 3e-16, 1e-15, -1];
    const base = smallTask(2, 'accuracy', 1, 1);
    const features = Float64Array.from(values.flatMap((x) => [x, 0]));
    const valid = { count: values.length, features, labels: new Float64Array(values.length).fill(1) };
    const program = parseProgram(
      'def Setup():\n  v1[0] = 1\ndef Predict(v0):\n  s1 = dot(v0, v1)\ndef Learn(v0, s0):\n',
    );
    const reference = precision === 'f64' ? interpreter : interpreterF32;
    const expected = reference.prepare([{ ...base, valid }], { trace: true }).evaluate(program);
    const wrong = expected[0]!.trace!.validErrors.filter((error) => error === 1).length;
    expect(wrong).toBeGreaterThan(3);
    expect(wrong).toBeLessThan(values.length - 3);
    for (const kind of LAYOUTS) {
      const evaluator = wasmEngine(precision, kind).prepare([{ ...base, valid }], { trace: true });
      expect(evaluator.evaluate(program)).toStrictEqual(expected);
      evaluator.dispose();
    }
  });

  it.each([2, 3, 257, 3072])('runs at %i features', (features) => {
    const { program } = builtin('paper/linear')!;
    const tasks = [1, 2, 3].map((seed) => {
      const task = smallTask(features, 'accuracy', seed, 3);
      return { ...task, train: { ...task.train, features: task.train.features.map((x) => x / features) } };
    });
    const expected = interpreter.prepare(tasks, { trace: true }).evaluate(program);
    for (const kind of [...LAYOUTS, undefined]) {
      const evaluator = wasmEngine('f64', kind).prepare(tasks, { trace: true });
      expect(evaluator.evaluate(program)).toStrictEqual(expected);
      evaluator.dispose();
    }
  });

  it('has matrices of 3,072 x 3,072', () => {
    const program = parseProgram(
      'def Setup():\n  m0 = uniform(-0.01, 0.01)\ndef Predict(v0):\n  v1 = dot(m0, v0)\n  s1 = mean(v1)\ndef Learn(v0, s0):\n  m1 = outer(v0, v1)\n  m0 = m0 + m1\n',
    );
    const task = smallTask(3072, 'rms', 1, 1);
    const small = {
      ...task,
      valid: {
        ...task.valid,
        count: 1,
        features: task.valid.features.slice(0, 3072),
        labels: task.valid.labels.slice(0, 1),
      },
    };
    const outcomes = (['lanes', 'dense'] as const).map((kind) => {
      const evaluator = wasmEngine('f32', kind).prepare([small], { trace: true });
      const [outcome] = evaluator.evaluate(program);
      evaluator.dispose();
      return outcome!;
    });
    expect(outcomes[0]).toStrictEqual(outcomes[1]);
    expect(outcomes[0]!.trainSteps).toBe(1);
    expect(new Set(outcomes[0]!.trace!.predictions).size).toBe(2);
  });
});

describe('the choice of a layout', () => {
  it('is dense where rows fill registers, and lanes where they do not and tasks do', () => {
    expect(chooseLayout(4, 10, 'f64').kind).toBe('dense');
    expect(chooseLayout(5, 10, 'f64').kind).toBe('lanes');
    expect(chooseLayout(5, 1, 'f64').kind).toBe('dense');
    expect(chooseLayout(6, 10, 'f32').kind).toBe('lanes');
    expect(chooseLayout(29, 10, 'f64').kind).toBe('lanes');
    expect(chooseLayout(31, 10, 'f64').kind).toBe('dense');
    expect(chooseLayout(3072, 10, 'f64')).toMatchObject({ kind: 'dense', tasks: 1 });
  });

  it('makes blocks that most tasks fill', () => {
    for (const features of [2, 3, 4, 7, 8, 16, 24, 31, 32, 64]) {
      for (const precision of ['f64', 'f32'] as const) {
        for (let count = 1; count <= 100; count++) {
          const { tasks, kind } = chooseLayout(features, count, precision);
          const computed = Math.ceil(count / tasks) * tasks;
          expect(computed, `${features} ${precision} ${count} ${kind}`).toBeLessThan(count * 1.5 + 1);
        }
      }
    }
  });
});

describe('tasks that cannot be run', () => {
  const good = smallTask(4, 'rms', 1, 5);
  const change = (change: Partial<Task>) => [{ ...good, ...change }];
  const nothing = { count: 0, features: new Float64Array(0), labels: new Float64Array(0) };
  it.each<[string, readonly Task[], RegExp]>([
    ['no tasks', [], /at least one task/],
    ['one feature', [smallTask(1, 'rms', 1, 5)], /at least 2 features, not 1/],
    [
      'features that are not numbers',
      change({ train: { ...good.train, features: good.train.features.map(() => Number.NaN) } }),
      /training examples have features that are not finite/,
    ],
    [
      'infinite features',
      change({ valid: { ...good.valid, features: good.valid.features.map(() => Number.POSITIVE_INFINITY) } }),
      /validation examples have features that are not finite/,
    ],
    [
      'labels that are not numbers',
      change({ train: { ...good.train, labels: good.train.labels.map(() => Number.NaN) } }),
      /label/,
    ],
    ['no training examples', change({ train: nothing }), /at least one training example/],
    ['no validation examples', change({ valid: nothing }), /at least one validation example/],
    ['arrays of other lengths', change({ train: { ...good.train, count: 6 } }), /do not have 6 rows/],
    ['different feature sizes', [good, smallTask(5, 'rms', 1, 5)], /same number of features/],
  ])('%s are refused before anything runs', (_, tasks, message) => {
    for (const kind of [...LAYOUTS, undefined]) {
      expect(() => wasmEngine('f64', kind).prepare(tasks)).toThrow(TaskError);
      expect(() => wasmEngine('f64', kind).prepare(tasks)).toThrow(message);
    }
  });

  it('f32 refuses numbers that become infinite', () => {
    const large = change({ train: { ...good.train, features: good.train.features.map(() => 1e300) } });
    expect(() => wasmEngine('f32').prepare(large)).toThrow(/so large that f32 cannot hold/);
    const labels = change({ train: { ...good.train, labels: good.train.labels.map(() => 1e300) } });
    expect(() => wasmEngine('f32').prepare(labels)).toThrow(/so large that f32 cannot hold/);
  });

  it('more examples than WebAssembly has memory for are refused, and nothing is kept', () => {
    // Arrays that only pretend to be that long: no machine need have the memory to test this.
    const count = 3_000_000;
    const vast = Object.defineProperty(new Float64Array(0), 'length', { value: count * 256 });
    const examples = { count, features: vast, labels: new Float64Array(count) };
    const task: Task = { ...smallTask(256, 'rms', 1, 1), train: examples };
    expect(() => wasmEngine('f64').prepare([task])).toThrow(OutOfMemoryError);
    expect(() => wasmEngine('f64').prepare([task])).toThrow(/GiB, and WebAssembly has at most 4 GiB.*f32/);
  });

  it('operands that need more memory than there is are refused before anything runs', () => {
    const task = smallTask(4096, 'rms', 1, 1);
    const evaluator = wasmEngine('f64').prepare([task]);
    const matrices = Array.from(
      { length: 40 },
      (_, k) => `  m${k} = outer(v0, v0)\n  s1 = norm(m${k})\n  s2 = s2 + s1\n`,
    );
    const program = parseProgram(
      `def Setup():\ndef Predict(v0):\n${matrices.join('')}  s1 = abs(s2)\ndef Learn(v0, s0):\n`,
      { scalars: 5, vectors: 5, matrices: 64 },
    );
    expect(() => evaluator.evaluate(program)).toThrow(/GiB/);
    expect(evaluator.evaluate(builtin('paper/linear')!.program)).toHaveLength(1);
    evaluator.dispose();
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d epochs are refused', (epochs) => {
    for (const engine of [interpreter, wasmEngine('f64')]) {
      expect(() => engine.prepare([good], { epochs })).toThrow(TaskError);
    }
  });

  it('more steps than can be counted are refused, and a limit that is not a number', () => {
    for (const engine of [interpreter, wasmEngine('f64')]) {
      expect(() => engine.prepare([good], { epochs: 2 ** 29 })).toThrow(/epochs of so many examples/);
      const evaluator = engine.prepare([good]);
      expect(() => evaluator.evaluate(EMPTY, Number.NaN)).toThrow(RangeError);
      expect(evaluator.evaluate(EMPTY, 0.5)[0]!.trainSteps).toBe(1);
      expect(evaluator.evaluate(EMPTY, -3)[0]!.trainSteps).toBe(0);
      evaluator.dispose();
    }
  });

  it('more features than distances in a matrix allow are refused', () => {
    expect(() => wasmEngine('f64').prepare([smallTask(8193, 'rms', 1, 1)])).toThrow(/at most 8192 features/);
  });

  it('an evaluator that has not run has no results', () => {
    const evaluator = wasmEngine('f64').prepare([good]);
    expect(() => evaluator.readFitnesses()).toThrow(/run a program first/);
    evaluator.run(EMPTY);
    expect(evaluator.readFitnesses()).toHaveLength(1);
    expect(() => evaluator.readPredictions()).toThrow(/prepare with trace/);
    const wrong = {
      ...EMPTY,
      predict: [{ op: 99, in1: 0, in2: 0, out: 0, index1: 0, index2: 0, const1: 0, const2: 0 }],
    };
    expect(() => evaluator.run(wrong)).toThrow(/no op 99/);
    expect(() => evaluator.readTrainSteps()).toThrow(/run a program first/);
    evaluator.dispose();
  });

  it('a disposed evaluator says so, and may be disposed of again', () => {
    const evaluator = wasmEngine('f64').prepare([good]);
    evaluator.dispose();
    evaluator.dispose();
    expect(() => evaluator.evaluate(EMPTY)).toThrow(/disposed/);
  });
});
