import { afterEach, describe, expect, it } from 'vitest';
import { builtin } from '../../program/builtin.js';
import { parseProgram } from '../../program/parse.js';
import { RandomStream } from '../../util/random.js';
import { type Loss, type Task, TaskError } from '../engine.js';
import { interpreter, interpreterF32 } from '../interpreter.js';
import { heap } from '../wasm/heap.js';
import { largeEngine } from './engine.js';

function makeTask(features: number, loss: Loss, seed: number, train = 40): Task {
  const random = new RandomStream(seed);
  const draw = (count: number) => ({
    count,
    features: Float64Array.from({ length: count * features }, () => random.gaussian() / Math.sqrt(features)),
    labels: Float64Array.from({ length: count }, () => random.integer(2)),
  });
  return { features, loss, train: draw(train), valid: draw(20), seed };
}

afterEach(() => {
  expect(heap.used).toBe(0);
});

describe('the engine for many features', () => {
  const { program } = builtin('paper/evolved')!;

  it('evaluates several tasks one after the other, over epochs and with a limit of steps', () => {
    const tasks = [makeTask(12, 'accuracy', 1), makeTask(12, 'accuracy', 2, 30)];
    for (const limit of [undefined, 0, 17, 50]) {
      const expected = interpreter.prepare(tasks, { epochs: 2 }).evaluate(program, limit);
      expect(largeEngine('f64', 4).prepare(tasks, { epochs: 2 }).evaluate(program, limit)).toEqual(expected);
    }
  });

  it('computes in f32 if asked to', () => {
    const task = makeTask(20, 'accuracy', 3);
    const [expected] = interpreterF32.prepare([task], { trace: true }).evaluate(program);
    const [actual] = largeEngine('f32', 4).prepare([task], { trace: true }).evaluate(program);
    const [exact] = interpreter.prepare([task], { trace: true }).evaluate(program);
    const distance = (a: readonly number[], b: readonly number[]) =>
      Math.max(...a.map((x, k) => Math.abs(x - b[k]!) / Math.max(1, Math.abs(x))));
    expect(distance(expected!.trace!.predictions, actual!.trace!.predictions)).toBeLessThan(1e-5);
    expect(distance(exact!.trace!.predictions, actual!.trace!.predictions)).toBeGreaterThan(1e-8);
    expect(actual!.trace!.predictions.every((x) => Math.fround(x) === x)).toBe(true);
  });

  it.each([
    ['0 * Infinity', 's2 = 0\nv2 = 1 / v3\nm1 = outer(v2, v0)\nm0 = s2 * m1'],
    ['Infinity - Infinity', 'v2 = 1 / v3\nm1 = outer(v2, v2)\nm0 = m1 - m1'],
    ['an overflow between the sides', 's2 = 1e200\nv2 = s2 * v0\nm1 = outer(v2, v2)\nm0 = m1 - m1'],
    [
      'what vanishes between the sides',
      's2 = 1e-200\nv2 = s2 * v0\nm0 = outer(v2, v2)\ns2 = 1e200\nm0 = s2 * m0\nm0 = s2 * m0',
    ],
    ['an infinite vector', 'm0 = outer(v0, v0)\nv0 = 1 / v3'],
    ['a NaN in a matrix that is 0 elsewhere', 'm1 = m2 / m2\nm0 = m1 - m1'],
  ])('does not hide %s', (_, code) => {
    const wild = parseProgram(
      `def Setup():\ndef Predict():\n${code}\nv4 = dot(m0, v0)\ns1 = dot(v4, v0)\ndef Learn():\n`,
    );
    const task = makeTask(5, 'rms', 4);
    const [expected] = interpreter.prepare([task], { trace: true }).evaluate(wild);
    expect(largeEngine('f64').prepare([task], { trace: true }).evaluate(wild)).toEqual([expected]);
  });

  it('keeps about one array for each matrix', () => {
    const F = 128;
    const arrays: number[] = [];
    const allocate = heap.allocate.bind(heap);
    heap.allocate = (bytes) => {
      if (bytes >= F * F * 8) arrays.push(bytes);
      return allocate(bytes);
    };
    try {
      largeEngine('f64', 6)
        .prepare([makeTask(F, 'accuracy', 5, 100)])
        .evaluate(program);
    } finally {
      heap.allocate = allocate;
    }
    expect(arrays.length).toBeLessThanOrEqual(4);
  });

  it('refuses tasks that no engine can run on', () => {
    expect(() => largeEngine('f64').prepare([makeTask(1, 'rms', 6)])).toThrow(TaskError);
  });
});
