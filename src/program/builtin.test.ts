import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a plain JavaScript file without types
import { builtinModule } from '../../scripts/generate.js';
import { smallTask } from '../../tests/support/arbitraries.js';
import { labelKind } from '../engine/engine.js';
import { interpreter } from '../engine/interpreter.js';
import { regressionTaskAt } from '../tasks/regression.js';
import { BUILTIN_NAMES, builtin } from './builtin.js';
import { programFromJson, programToJson } from './json.js';
import { simplify } from './liveness.js';
import { parseSource } from './parse.js';
import { printProgram } from './print.js';

const SIZES = { linear: [1, 1, 4], affine: [1, 2, 5], 'neural-net': [3, 5, 11], 'neural-net-no-bias': [3, 3, 9] };

describe('the built-in programs', () => {
  it('are those of the paper', () => {
    expect([...BUILTIN_NAMES].sort()).toEqual(
      [
        'affine',
        'evolved',
        'evolved-intermediate',
        'evolved-raw',
        'evolved-simplified',
        'fast-training-raw',
        'few-examples-raw',
        'linear',
        'logistic',
        'multi-class-raw',
        'neural-net',
        'neural-net-no-bias',
        'rediscovered-net',
      ].map((name) => `paper/${name}`),
    );
    expect(builtin('paper/nothing')).toBeUndefined();
    expect(builtin('constructor')).toBeUndefined();
  });

  it('come from their .alg files as they stand (npm run docs)', () => {
    expect(readFileSync(new URL('builtin-texts.ts', import.meta.url), 'utf8')).toBe(builtinModule());
  });

  it.each(BUILTIN_NAMES)('%s is described, printed, read back and run', (name) => {
    const { about, program, labels } = builtin(name)!;
    expect(about.length).toBeGreaterThan(20);
    expect(parseSource(printProgram(program, labels))).toEqual({ program, labels });
    expect(programFromJson(JSON.parse(JSON.stringify(programToJson(program, labels))))).toEqual({ program, labels });
    const tasks = (['rms', 'accuracy', 'multiclass'] as const)
      .filter((loss) => labelKind(loss) === labels)
      .map((loss) => smallTask(10, loss, 3, 40));
    const outcomes = interpreter.evaluate(program, tasks, { trace: true });
    for (const { fitness } of outcomes) expect(fitness >= 0 && fitness <= 1).toBe(true);
    expect(interpreter.evaluate(simplify(program, labels), tasks, { trace: true })).toStrictEqual(outcomes);
  });

  it.each(Object.entries(SIZES))('%s has the sizes of the known solution', (name, sizes) => {
    const { setup, predict, learn } = builtin(`paper/${name}`)!.program;
    expect([setup.length, predict.length, learn.length]).toEqual(sizes);
  });

  it('solve the tasks that they are made for', () => {
    const options = { features: 8, trainExamples: 1000, validExamples: 100 };
    const fitness = (name: string, family: 'linear' | 'affine' | 'network') =>
      interpreter.evaluate(builtin(name)!.program, [regressionTaskAt(family, options, 5, 0)])[0]!.fitness;
    expect(fitness('paper/linear', 'linear')).toBeGreaterThan(0.9999);
    expect(fitness('paper/affine', 'affine')).toBeGreaterThan(0.9999);
    expect(fitness('paper/linear', 'affine')).toBeLessThan(0.9);
    expect(fitness('paper/neural-net', 'network')).toBeGreaterThan(fitness('paper/linear', 'network'));
  });
});
