import { afterEach, describe, expect, it } from 'vitest';
import { smallTask } from '../../../tests/support/arbitraries.js';
import { builtin } from '../../program/builtin.js';
import { OutOfMemoryError } from '../../wasm/api.js';
import { interpreter } from '../interpreter.js';
import { wasmEngine } from './engine.js';
import { heap } from './heap.js';

afterEach(() => {
  expect(heap.used).toBe(0);
});

describe('the heap', () => {
  it('gives regions that do not overlap and begin at lines of the cache', () => {
    const sizes = [1, 64, 65, 1000, 16, 4096];
    const regions = sizes.map((size) => ({ size, begin: heap.allocate(size) }));
    for (const a of regions) {
      expect(a.begin % 64).toBe(0);
      expect(a.begin).toBeGreaterThan(0);
      for (const b of regions) {
        if (a !== b) expect(a.begin + a.size <= b.begin || b.begin + b.size <= a.begin).toBe(true);
      }
    }
    for (const { begin } of regions) heap.release(begin);
  });

  it.each([
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ])('makes one range of what is released side by side, in the order %i %i %i', (...order) => {
    const guard = heap.allocate(64);
    const parts = [640, 64, 128].map((size) => heap.allocate(size));
    const end = heap.allocate(64);
    for (const k of order) heap.release(parts[k]!);
    const whole = heap.allocate(640 + 64 + 128);
    expect(whole).toBe(parts[0]);
    for (const region of [guard, end, whole]) heap.release(region);
  });

  it('uses what was released at the end again, and the first hole that is large enough', () => {
    const [a, b, c] = [heap.allocate(64), heap.allocate(256), heap.allocate(64)];
    heap.release(b);
    const small = heap.allocate(64);
    expect(small).toBe(b);
    const rest = heap.allocate(192);
    expect(rest).toBe(b + 64);
    for (const region of [a, c, small, rest]) heap.release(region);
    expect(heap.allocate(64)).toBe(a);
    heap.release(a);
  });

  it('refuses what it did not give, and what is too large, and stays as it was', () => {
    expect(() => heap.release(12345)).toThrow(RangeError);
    const before = heap.memory.buffer.byteLength;
    expect(() => heap.allocate(2 ** 32)).toThrow(OutOfMemoryError);
    expect(() => heap.allocate(2 ** 32)).toThrow(/this needs 4\.0 GiB/);
    expect(heap.memory.buffer.byteLength).toBe(before);
  });

  it('keeps what it holds when it grows', () => {
    const region = heap.allocate(64);
    heap.f64[region / 8] = 0.5;
    const large = heap.allocate(heap.memory.buffer.byteLength);
    expect(heap.f64[region / 8]).toBe(0.5);
    for (const r of [region, large]) heap.release(r);
  });
});

describe('evaluators on the heap', () => {
  const { program } = builtin('paper/neural-net')!;
  const noisy = builtin('paper/evolved')!.program;

  it('do not disturb each other, also when memory grows between their runs', () => {
    const tasks = [4, 4, 7].map((features, k) =>
      [1, 2, 3].map((seed) => smallTask(features, 'rms', 10 * k + seed, 10)),
    );
    const expected = tasks.map((t) => interpreter.prepare(t, { trace: true }).evaluate(noisy));
    const evaluators = tasks.map((t) => wasmEngine('f64').prepare(t, { trace: true }));
    const grown: number[] = [];
    for (let round = 0; round < 3; round++) {
      const before = heap.memory.buffer.byteLength;
      for (const [k, evaluator] of evaluators.entries()) {
        evaluator.evaluate(program);
        if (k === round) grown.push(heap.allocate(before));
        expect(evaluator.evaluate(noisy)).toStrictEqual(expected[k]);
      }
      expect(heap.memory.buffer.byteLength).toBeGreaterThan(before);
    }
    for (const evaluator of evaluators) evaluator.dispose();
    for (const region of grown) heap.release(region);
  });

  it('work beyond 2 GiB, where addresses do not fit in signed numbers', () => {
    const first = heap.allocate(2 ** 31 + 64);
    const tasks = [1, 2, 3].map((seed) => smallTask(5, 'rms', seed, 10));
    for (const kind of ['lanes', 'dense'] as const) {
      const evaluator = wasmEngine('f64', kind).prepare(tasks, { trace: true });
      expect(evaluator.evaluate(noisy)).toStrictEqual(interpreter.prepare(tasks, { trace: true }).evaluate(noisy));
      evaluator.dispose();
    }
    heap.release(first);
  });
});
