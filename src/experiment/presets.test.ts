import { describe, expect, test } from 'vitest';
import { wasmEngine } from '../engine/wasm/engine.js';
import { OPS } from '../ops/ops.js';
import { builtin } from '../program/builtin.js';
import { FUNCTION_NAMES, type Program } from '../program/program.js';
import { regressionTaskAt } from '../tasks/regression.js';
import { parseTaskSet, type RegressionTaskSet, regressionSeed } from '../tasks/task-sets.js';
import { mean } from '../util/stats.js';
import type { Config } from './config.js';
import { ConfigError } from './config-error.js';
import { printConfig, readConfig } from './config-text.js';
import { findPreset, PRESETS, presetNames } from './presets.js';
import { readProgram, resolvePrograms } from './program-references.js';

function unread(path: string): string {
  throw new Error(`read ${path}`);
}

/** The numbers of the ops, as the paper and the yardstick write them. */
function opNumbers({ space }: Config): number[][] {
  return FUNCTION_NAMES.map((name) => space[name].ops.map((op) => OPS.findIndex((row) => row.name === op)));
}

function sizes({ space }: Config): string {
  return FUNCTION_NAMES.map((name) => `${space[name].min}-${space[name].max}`).join(' ');
}

function memory({ space }: Config): string {
  const { scalars, vectors, matrices } = space.memory;
  return `${scalars}/${vectors}/${matrices}`;
}

test.each(PRESETS.map(({ name, config }) => [name, config] as const))('%s prints and reads back', (name, config) => {
  expect(config.name).toBe(name);
  expect(resolvePrograms(config, unread)).toEqual(config);
  expect(readConfig(printConfig(config), name, { readFile: unread })).toEqual(config);
  expect(readConfig(`extends: ${name}`, name, { readFile: unread })).toEqual(config);
});

test('have names of their own', () => {
  expect(new Set(presetNames()).size).toBe(PRESETS.length);
  expect(findPreset('linear')).toBe(PRESETS[0]!.config);
  expect(() => findPreset('digts')).toThrow(
    new ConfigError([{ path: [], message: 'there is no preset "digts"; did you mean "digits"?' }]),
  );
  expect(() => findPreset('constructor')).toThrow(ConfigError);
});

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, k) => first + k);

test('linear is the demo-search of the yardstick', () => {
  const config = findPreset('linear');
  const ops = [2, 3, 18, 23, 27, 56];
  expect(opNumbers(config)).toEqual([ops, ops, ops]);
  expect([memory(config), sizes(config)]).toEqual(['4/3/1', '10-10 2-2 8-8']);
  expect(config.tasks.search).toEqual({
    set: 'linear-search',
    count: 10,
    features: 4,
    train: 100,
    valid: 100,
    epochs: 1,
  });
  expect(config.search).toEqual({
    method: 'evolution',
    population: 1000,
    tournament: 10,
    mutationProbability: 0.9,
    mutations: {
      weights: { 'alter-argument': 1, 'randomize-instruction': 1, 'randomize-function': 1 },
      constants: 'released',
    },
    without: [],
    initial: ['random'],
  });
  expect(config.evaluation).toMatchObject({ fitness: 'mean', budget: null, fingerprint: { train: 10, valid: 10 } });
  // discovery-linear
  expect(config.experiment.algorithms).toBe(400_000);
  expect(config.tasks.select).toMatchObject({ count: 100, train: 1000, valid: 100 });
  expect(config.stop.fitness).toBe(0.9999);
});

test('full-space is the full-space-search of the yardstick', () => {
  const config = findPreset('full-space');
  const many = [...range(0, 55), 60, 61];
  expect(opNumbers(config)).toEqual([range(56, 64), many, many]);
  expect([memory(config), sizes(config)]).toEqual(['8/14/3', '0-21 0-21 0-45']);
  expect(config.tasks.search).toMatchObject({ set: 'network-search', count: 10, features: 16, train: 800, valid: 100 });
  expect(config.search).toMatchObject({
    population: 100,
    tournament: 10,
    mutationProbability: 0.9,
    initial: ['empty'],
  });
  expect(config.search.mutations.weights).toEqual({
    'alter-argument': 1,
    'randomize-function': 1,
    insert: 1,
    remove: 1,
  });
  expect(config.evaluation).toMatchObject({ fitness: 'mean', budget: 4, hurdles: null });
  expect(config.evaluation.fingerprint).not.toBeNull();
  expect(config.experiment.algorithms).toBe(120_000);
});

test.each([
  ['linear-learn', '4/3/1', '0-0 0-0 4-4', [[], [], [2, 3, 18, 23]]],
  ['linear-paper', '4/3/1', '5-5 1-1 4-4', [[56, 57], [27], [2, 3, 18, 23]]],
  ['affine-learn', '5/3/1', '0-0 0-0 6-6', [[], [], [1, 2, 3, 18, 23]]],
  [
    'affine',
    '5/3/1',
    '6-6 2-2 6-6',
    [
      [56, 57],
      [1, 27],
      [1, 2, 3, 18, 23],
    ],
  ],
  [
    'network',
    '4/8/2',
    '21-21 3-3 9-9',
    [
      [56, 63, 64],
      [27, 31, 48],
      [2, 3, 16, 18, 23, 25, 28, 39],
    ],
  ],
])('%s has the space of the supplement', (name, addresses, lengths, ops) => {
  const config = findPreset(name);
  expect([memory(config), sizes(config), opNumbers(config)]).toEqual([addresses, lengths, ops]);
  expect(config.search).toMatchObject({ population: 1000, tournament: 10, mutationProbability: 0.9 });
});

/** The mean fitness on the first tasks that a preset selects on. */
function select({ tasks: { select } }: Config, program: Program): number {
  const set = parseTaskSet(select.set) as RegressionTaskSet;
  const options = { features: select.features!, trainExamples: select.train!, validExamples: select.valid! };
  const tasks = range(0, 9).map((k) => regressionTaskAt(set.family, options, regressionSeed(set, 0), k));
  const evaluator = wasmEngine('f64').prepare(tasks);
  const fitnesses = evaluator.evaluate(program).map(({ fitness }) => fitness);
  evaluator.dispose();
  return mean(fitnesses);
}

describe('a known solution is good enough to stop', () => {
  test.each([
    ['linear', 'paper/linear'],
    ['linear-learn', 'paper/linear'],
    ['linear-paper', 'paper/linear'],
    ['affine-learn', 'paper/affine'],
    ['affine', 'paper/affine'],
  ])('%s: %s', (name, solution) => {
    const config = findPreset(name);
    const { program } = builtin(solution)!;
    const given = config.space.base === undefined ? program : readProgram(config.space.base, config.space.memory);
    expect(given.learn === program.learn || given.learn.length === 0).toBe(true);
    expect(select(config, { ...given, learn: program.learn })).toBeGreaterThan(config.stop.fitness!);
  });

  test('network, and a linear model is not', () => {
    const config = findPreset('network');
    const { text } = builtin('paper/neural-net-no-bias')!;
    const network = readProgram(text.replaceAll('gaussian(0, 0.1)', 'gaussian(0, 0.3)'), config.space.memory, 'scalar');
    expect(select(config, network)).toBeGreaterThan(config.stop.fitness!);
    expect(select(config, builtin('paper/linear')!.program)).toBeLessThan(0.5);
  });
});
