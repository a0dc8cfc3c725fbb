import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a plain JavaScript file without types
import { builtinModule } from '../../scripts/generate.js';
import { labelKind } from '../../src/engine/engine.js';
import { interpreter } from '../../src/engine/interpreter.js';
import { BUILTIN_NAMES, builtin } from '../../src/program/builtin.js';
import { programFromJson, programToJson } from '../../src/program/json.js';
import { simplify } from '../../src/program/liveness.js';
import { parseSource } from '../../src/program/parse.js';
import { printProgram } from '../../src/program/print.js';
import { regressionTaskAt } from '../../src/tasks/regression.js';
import { smallTask } from '../support/arbitraries.js';

const SIZES = { linear: [1, 1, 4], affine: [1, 2, 5], 'neural-net': [3, 5, 11], 'neural-net-no-bias': [3, 3, 9] };

describe('the built-in programs', () => {
  it('are those of the paper', () => {
    expect(BUILTIN_NAMES.filter((name) => !name.startsWith('gallery/')).sort()).toEqual(
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
        'logistic-multiclass',
        'multi-class-raw',
        'neural-net',
        'neural-net-multiclass',
        'neural-net-no-bias',
        'rediscovered-net',
      ].map((name) => `paper/${name}`),
    );
    expect(builtin('paper/nothing')).toBeUndefined();
    expect(builtin('constructor')).toBeUndefined();
  });

  it('come from their .alg files as they stand (npm run docs)', () => {
    expect(readFileSync(new URL('../../src/program/builtin-texts.ts', import.meta.url), 'utf8')).toBe(builtinModule());
  });

  it.each(BUILTIN_NAMES)('%s is described, printed, read back and run', (name) => {
    const { about, program, labels } = builtin(name)!;
    expect(about.length).toBeGreaterThan(20);
    expect(parseSource(printProgram(program, labels))).toEqual({ program, labels });
    expect(programFromJson(JSON.parse(JSON.stringify(programToJson(program, labels))))).toEqual({ program, labels });
    for (const loss of (['rms', 'accuracy', 'multiclass'] as const).filter((l) => labelKind(l) === labels)) {
      const evaluator = interpreter.prepare([smallTask(10, loss, 3, 40)], { trace: true });
      const outcomes = evaluator.evaluate(program);
      for (const { fitness } of outcomes) expect(fitness >= 0 && fitness <= 1).toBe(true);
      expect(evaluator.evaluate(simplify(program, labels))).toStrictEqual(outcomes);
    }
  });

  it.each(Object.entries(SIZES))('%s has the sizes of the known solution', (name, sizes) => {
    const { setup, predict, learn } = builtin(`paper/${name}`)!.program;
    expect([setup.length, predict.length, learn.length]).toEqual(sizes);
  });

  it('solve the tasks that they are made for', () => {
    const options = { features: 8, trainExamples: 1000, validExamples: 100 };
    const fitness = (name: string, family: 'linear' | 'affine' | 'network') =>
      interpreter.prepare([regressionTaskAt(family, options, 5, 0)]).evaluate(builtin(name)!.program)[0]!.fitness;
    expect(fitness('paper/linear', 'linear')).toBeGreaterThan(0.9999);
    expect(fitness('paper/affine', 'affine')).toBeGreaterThan(0.9999);
    expect(fitness('paper/linear', 'affine')).toBeLessThan(0.9);
    expect(fitness('paper/neural-net', 'network')).toBeGreaterThan(fitness('paper/linear', 'network'));
  });
});
