import { afterEach, describe, expect, it } from 'vitest';
import { smallTask } from '../../tests/support/arbitraries.js';
import type { Task } from '../engine/engine.js';
import { wasmEngine } from '../engine/wasm/engine.js';
import { heap } from '../engine/wasm/heap.js';
import { builtin } from '../program/builtin.js';
import { LiveCode } from '../program/flat/live-code.js';
import { parseProgram } from '../program/parse.js';
import type { Program } from '../program/program.js';
import { Fingerprinter, type FingerprintOptions, shortenTask } from './fingerprint.js';

afterEach(() => {
  expect(heap.used).toBe(0);
});

const TASKS = Array.from({ length: 4 }, (_, k) => smallTask(4, 'rms', k, 20));
const OPTIONS: FingerprintOptions = { train: 10, valid: 4, tasks: 3 };

function fingerprint(tasks: readonly Task[], program: Program, options = OPTIONS) {
  const fingerprinter = new Fingerprinter(wasmEngine('f64'), tasks, options);
  const live = new LiveCode('scalar');
  live.setProgram(program);
  const steps = fingerprinter.run(live);
  const { high, low } = fingerprinter;
  fingerprinter.dispose();
  return { high, low, steps };
}

describe('shortenTask', () => {
  it('keeps the first examples, and everything else', () => {
    const task = TASKS[0]!;
    const short = shortenTask(task, { train: 3, valid: 2 });
    expect(short.train).toEqual({
      count: 3,
      features: task.train.features.slice(0, 12),
      labels: task.train.labels.slice(0, 3),
    });
    expect(short.valid).toEqual({
      count: 2,
      features: task.valid.features.slice(0, 8),
      labels: task.valid.labels.slice(0, 2),
    });
    expect(short).toEqual({ ...task, train: short.train, valid: short.valid });
  });

  it('keeps all if there are not so many', () => {
    expect(shortenTask(TASKS[0]!, { train: 1000, valid: 6 })).toEqual(TASKS[0]);
  });
});

describe('Fingerprinter', () => {
  const { program } = builtin('paper/linear')!;
  const { high, low, steps } = fingerprint(TASKS, program);

  it('says how many training steps it took', () => {
    expect(steps).toBe(3 * 10);
    expect(fingerprint(TASKS, program, { train: 100, valid: 1, tasks: 100 }).steps).toBe(4 * 20);
    const failing = parseProgram('def Setup():\ndef Predict(v0):\n  s1 = s2 / s2\ndef Learn(v0, s0):\n');
    expect(fingerprint(TASKS, failing).steps).toBe(3);
  });

  it('does not see later examples and later tasks', () => {
    const others = TASKS.map((task, k) => {
      if (k === 3) return smallTask(4, 'rms', 99, 20);
      const later = smallTask(4, 'rms', 100 + k, 20);
      const splice = (own: Task['train'], other: Task['train'], kept: number) => ({
        count: own.count,
        features: Float64Array.from([...own.features.slice(0, kept * 4), ...other.features.slice(kept * 4)]),
        labels: Float64Array.from([...own.labels.slice(0, kept), ...other.labels.slice(kept)]),
      });
      return { ...task, train: splice(task.train, later.train, 10), valid: splice(task.valid, later.valid, 4) };
    });
    expect(fingerprint(others, program)).toEqual({ high, low, steps });
  });

  it('sees one example and one task more', () => {
    for (const more of [{ train: 11 }, { valid: 5 }, { tasks: 4 }]) {
      expect(fingerprint(TASKS, program, { ...OPTIONS, ...more }), JSON.stringify(more)).not.toMatchObject({
        high,
        low,
      });
    }
  });

  it('is one for programs that compute the same in different ways, and another for others', () => {
    const double = (line: string) =>
      fingerprint(
        TASKS,
        parseProgram(`def Setup():\n  s3 = 2\ndef Predict(v0):\n  s2 = mean(v0)\n  ${line}\ndef Learn(v0, s0):\n`),
      );
    expect(double('s1 = s2 + s2')).toEqual(double('s1 = s2 * s3'));
    expect(double('s1 = s2 * s2')).not.toEqual(double('s1 = s2 * s3'));
  });
});
