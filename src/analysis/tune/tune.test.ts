import { describe, expect, test } from 'vitest';
import { builtin } from '../../program/builtin.js';
import { parseProgram } from '../../program/parse.js';
import { openBuiltinTasks } from '../../tasks/open-tasks.js';
import { type Judge, localJudge } from '../judge.js';
import { scaleConstants, tunableConstants } from './constants.js';
import { TUNING_METHODS, type TuneSettings, tune } from './tune.js';

const PROGRAM = parseProgram(`
def Setup():
  s2 = 0.0001
  s5 = 3
  v3 = gaussian(0, 0.5)
def Predict():
  s1 = dot(v0, v3)
def Learn():
  s3 = s0 - s1
  s3 = s2 * s3
  v2 = s3 * v0
  v3 = v3 + v2
`);

describe('constants', () => {
  test('are those that reach a prediction and are not 0', () => {
    expect(tunableConstants(PROGRAM, 'scalar')).toEqual([
      { function: 'setup', index: 0, slot: 0, value: 0.0001 },
      { function: 'setup', index: 2, slot: 1, value: 0.5 },
    ]);
    expect(tunableConstants(parseProgram('def Setup():\ndef Predict():\ndef Learn():\n'), 'scalar')).toEqual([]);
  });

  test('are scaled one by one, and stay finite', () => {
    const scaled = scaleConstants(PROGRAM, tunableConstants(PROGRAM, 'scalar'), [10, 0.1]);
    expect(scaled.setup[0]!.const1).toBeCloseTo(0.001, 12);
    expect(scaled.setup[2]).toMatchObject({ const1: 0, const2: 0.05 });
    expect({ ...scaled, setup: [] }).toEqual({ ...PROGRAM, setup: [] });
    const huge = parseProgram('def Setup():\n  s2 = 1e308\ndef Predict():\n  s1 = s2 + s1\ndef Learn():\n');
    expect(scaleConstants(huge, tunableConstants(huge, 'scalar'), [1000]).setup[0]!.const1).toBe(Number.MAX_VALUE);
  });
});

async function linearJudge(count = 4): Promise<Judge> {
  const tasks = await openBuiltinTasks({ name: 'linear', count, seed: 1, features: 4, train: 400, valid: 50 });
  return localJudge(tasks, { epochs: 1, precision: 'f64' });
}

const SETTINGS: TuneSettings = { method: 'race', trials: 30, seed: 3, fitness: 'mean' };

describe.each(TUNING_METHODS)('%s', (method) => {
  test('finds a learning rate, within its budget, the same every time', async () => {
    const judge = await linearJudge();
    const spentAt: number[] = [];
    const settings = { ...SETTINGS, method };
    const tuned = await tune(PROGRAM, 'scalar', judge, settings, ({ spent }) => void spentAt.push(spent));
    expect(tuned.before.fitness).toBeLessThan(0.6);
    expect(tuned.best.fitness).toBeGreaterThan(0.9);
    expect(tuned.spent).toBeLessThanOrEqual(30);
    expect(tuned.spent).toBeGreaterThan(25);
    expect(spentAt).toEqual([...spentAt].sort((a, b) => a - b));
    expect(spentAt.at(-1)).toBeCloseTo(tuned.spent, 9);
    const [verdict] = await judge.judge([{ program: tuned.program, tasks: [0, 1, 2, 3] }]);
    expect(verdict!.map(({ fitness }) => fitness)).toEqual(tuned.best.fitnesses);
    expect(Math.max(...tuned.candidates.map(({ fitness }) => fitness))).toBe(tuned.best.fitness);
    for (const { exponents } of tuned.candidates) for (const x of exponents) expect(Math.abs(x)).toBeLessThanOrEqual(3);
    expect(await tune(PROGRAM, 'scalar', judge, settings)).toEqual(tuned);
    judge.dispose();
  });

  test('never answers with something worse than what it was given', async () => {
    const judge = await linearJudge();
    const { program } = builtin('paper/linear')!;
    const { best, before } = await tune(program, 'scalar', judge, { ...SETTINGS, method, trials: 2 });
    expect(best.fitness).toBeGreaterThanOrEqual(before.fitness);
    judge.dispose();
  });
});

test('a program without constants is measured as it is', async () => {
  const judge = await linearJudge();
  const still = parseProgram('def Setup():\ndef Predict():\n  s1 = mean(v0)\ndef Learn():\n');
  const tuned = await tune(still, 'scalar', judge, SETTINGS);
  expect(tuned).toMatchObject({ constants: [], program: still, spent: 1 });
  expect(tuned.best).toBe(tuned.before);
  judge.dispose();
});
