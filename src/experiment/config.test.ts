import { describe, expect, test } from 'vitest';
import { change, type Fields, mistakeOf, plain } from '../../tests/support/plain-config.js';
import { parseConfig } from './config.js';

describe('parseConfig', () => {
  test('fills in every default', () => {
    expect(parseConfig(plain)).toEqual({
      name: 'custom',
      seed: 0,
      precision: 'f64',
      space: {
        memory: plain.space.memory,
        setup: { ops: ['scalar-constant'], min: 1, max: 3, frozen: false },
        predict: { ops: ['scalar-add', 'dot'], min: 1, max: 3, frozen: false },
        learn: {
          ops: ['no-op', 'scalar-add', 'scalar-subtract', 'scalar-multiply', 'vector-scale', 'vector-add'],
          min: 0,
          max: 6,
          frozen: false,
        },
      },
      islands: {
        count: null,
        async: false,
        remote: null,
        migration: { every: null, part: 0.5 },
        vary: [],
      },
      search: {
        method: 'evolution',
        population: 10,
        tournament: 3,
        mutationProbability: 0.9,
        mutations: {
          weights: { insert: 1, remove: 2, 'randomize-function': 3, 'alter-argument': 3 },
          constants: 'paper',
        },
        without: [],
        initial: ['empty'],
      },
      tasks: {
        search: { set: 'linear-search', count: 3, epochs: 1 },
        select: { set: 'linear-select', count: 10, epochs: 1 },
        final: { set: 'linear-final', count: 10, epochs: 1 },
      },
      evaluation: {
        fitness: 'median',
        budget: 4,
        fingerprint: { train: 10, valid: 10, tasks: 10, cache: 100_000 },
        hurdles: null,
      },
      experiment: { algorithms: null, steps: null, noProgress: null },
      select: { at: 'end' },
      stop: { fitness: null, experiments: null, algorithms: null, steps: null, minutes: 1 },
    });
  });

  test('reads its own result back, which is plain data', () => {
    const config = parseConfig(change({ 'evaluation.hurdles': { stages: [{ train: 10, valid: 5 }] } }));
    expect(parseConfig(JSON.parse(JSON.stringify(config)))).toEqual(config);
    expect(config.evaluation.hurdles).toEqual({
      percentile: 75,
      stages: [{ train: 10, valid: 5, epochs: 1 }],
      audit: 256,
    });
  });

  test('takes hurdles after all examples, but some of the epochs only', () => {
    const stages = [{ train: 100, valid: 5, epochs: 1 }];
    const size = { 'tasks.search.train': 100, 'tasks.search.epochs': 2 };
    expect(parseConfig(change({ ...size, 'evaluation.hurdles': { stages } })).evaluation.hurdles?.stages).toEqual(
      stages,
    );
  });

  test('takes one initial program, and ops twice, as lists without repetitions', () => {
    expect(parseConfig(change({ 'search.initial': 'random' })).search.initial).toEqual(['random']);
    const { space } = parseConfig(change({ 'space.learn.ops': '3,1-2,scalar-add,3' }));
    expect(space.learn.ops).toEqual(['scalar-add', 'scalar-subtract', 'scalar-multiply']);
  });

  test('asks nothing of frozen functions but a base', () => {
    const { space } = parseConfig(
      change({ 'space.setup': { frozen: true }, 'space.base': 'paper/linear', 'search.initial': 'random' }),
    );
    expect(space.setup).toEqual({ ops: [], min: 0, max: 0, frozen: true });
  });

  test('leaves optional fields out rather than undefined', () => {
    const config = parseConfig(plain);
    expect(Object.keys(config)).not.toContain('about');
    expect(Object.keys(config.tasks.search)).toEqual(['set', 'count', 'epochs']);
  });

  test.each<[string, unknown, string]>([
    ['serch', {}, 'serch: unknown field "serch"; did you mean "search"?'],
    ['search.populaton', 3, 'search.populaton: unknown field "populaton"; did you mean "population"?'],
    ['name', 'My run', 'name: expected 1 to 64 small letters, digits and hyphens, not "My run"'],
    ['seed', -1, 'seed: expected a whole number of at least 0, not -1'],
    ['seed', 2 ** 53, 'seed: expected a whole number of at least 0, not 9007199254740992'],
    ['precision', 'f16', 'precision: expected "f64" or "f32", not "f16"'],
    ['space.memory.scalars', 1, 'space.memory.scalars: expected a whole number from 2 to 100, not 1'],
    ['space.memory.matrices', undefined, 'space.memory.matrices: missing; expected a whole number from 0 to 100'],
    ['space.learn.max', undefined, 'space.learn.max: missing; expected a whole number from 0 to 1,000'],
    ['space.learn.min', 7, 'space.learn.min: 7 is larger than space.learn.max, which is 6'],
    ['space.learn.ops', [], 'space.learn.ops: there are none, and learn may have 6 instructions'],
    ['space.learn.ops', ['dot', 'dott'], 'space.learn.ops[1]: unknown op "dott"; did you mean "dot"?'],
    ['space.learn.ops', '0-65', 'space.learn.ops: no ops "0-65": they are numbered 0 to 64'],
    ['space.learn.ops', '5-3', 'space.learn.ops: no ops "5-3": they are numbered 0 to 64'],
    ['space.learn.ops', 1.5, 'space.learn.ops: unknown op "1.5"'],
    ['search.population', 2, 'search.tournament: 3 is larger than search.population, which is 2'],
    ['search.mutationProbability', 1.1, 'search.mutationProbability: expected a number from 0 to 1, not 1.1'],
    ['search.initial', [], 'search.initial: expected at least one of empty, random, or programs'],
    [
      'search.mutations',
      { weights: { insert: 0 }, constants: 'paper' },
      'search.mutations.weights: one must be above 0: insert, remove, randomize-function, alter-argument, randomize-instruction, trade',
    ],
    [
      'tasks.search.set',
      'linear-serch',
      'tasks.search.set: there is no set of tasks "linear-serch"; did you mean "linear-search"?',
    ],
    ['tasks.search.set', 'mine.csv', 'tasks.search.set: there is no set of tasks "mine.csv"'],
    ['tasks.search.count', 0, 'tasks.search.count: expected a whole number from 1 to 100,000, not 0'],
    ['tasks.search.split', 3, 'tasks.search.split: linear-search has no pairs to split'],
    [
      'tasks.select',
      { set: 'digits-binary-select', count: 901 },
      'tasks.select.count: 901 is more than digits-binary-select has, which is 900',
    ],
    [
      'tasks.final',
      { set: 'digits-multiclass-final', count: 1 },
      'tasks.final.set: digits-multiclass-final has labels of another kind than tasks.search.set, which is linear-search',
    ],
    ['tasks.final', undefined, 'tasks.final: missing; expected an object with the fields set, count, features, train'],
    ['evaluation.budget', 0, 'evaluation.budget: expected a number above 0, not 0'],
    [
      'evaluation.hurdles',
      { stages: [{ train: 5, valid: 5 }], percentile: 100 },
      'evaluation.hurdles.percentile: expected a number above 0 and below 100, not 100',
    ],
    [
      'evaluation.hurdles',
      {
        stages: [
          { train: 5, valid: 5 },
          { train: 4, valid: 9 },
        ],
      },
      'evaluation.hurdles.stages[1]: each stage must have more examples than the one before',
    ],
    ['stop', {}, 'stop: nothing ends the run: set fitness, experiments, algorithms, steps or minutes'],
    ['stop', { experiments: 3 }, 'experiment: nothing ends an experiment: set algorithms, steps or noProgress'],
    ['stop', { fitness: 1 }, 'experiment: nothing ends an experiment: set algorithms, steps or noProgress'],
    ['stop.fitness', 1.5, 'stop.fitness: expected a number from 0 to 1, not 1.5'],
  ])('%s: %j', (path, value, message) => {
    const error = mistakeOf(() => parseConfig(change({ [path]: value })));
    expect(error.message.startsWith(message)).toBe(true);
    expect(error.message).not.toContain('\n');
  });

  test.each<[Fields, string]>([
    [
      { 'space.memory.matrices': 0, 'space.predict.ops': ['dot', 'matrix-vector', 'matmul'] },
      'space.predict.ops: matrix-vector needs a matrix, and space.memory.matrices is 0',
    ],
    [
      {
        'space.setup.min': 0,
        'space.predict.min': 0,
        'search.mutations': { weights: { 'alter-argument': 1 }, constants: 'paper' },
      },
      'search.initial: empty programs stay empty without the mutation insert; use "random"',
    ],
    [
      { 'search.method': 'random', 'evaluation.hurdles': { stages: [{ train: 5, valid: 5 }] } },
      'evaluation.hurdles: hurdles are made of a population, which random search does not have; expected null',
    ],
    [
      { 'search.method': 'evozero', 'space.memory': { scalars: 20, vectors: 10, matrices: 3 } },
      'space.memory: 33 addresses in all; the method evozero takes at most 32',
    ],
    [
      { 'search.without': ['species'] },
      'search.without: only the method evozero has parts that can be left out, not evolution',
    ],
    [
      { 'search.method': 'random', 'search.initial': ['random', 'paper/linear'] },
      'search.initial: random search draws every program; expected "random"',
    ],
    [
      { 'space.memory.vectors': 1, 'space.learn.ops': ['vector-add'] },
      'space.learn.ops: vector-add writes to a vector, and space.memory.vectors is 1, which holds the features',
    ],
    [
      {
        'space.setup': { frozen: true },
        'space.predict': { frozen: true },
        'space.learn': { frozen: true },
        'space.base': 'paper/linear',
      },
      'space: there is nothing to search: every function is frozen, or its max is 0',
    ],
    [
      { 'space.setup': { frozen: true } },
      'space.base: missing; expected the program that the frozen functions are those of',
    ],
    [
      {
        'space.setup.min': 3,
        'space.predict.min': 3,
        'space.learn.min': 6,
        'search.mutations': { weights: { insert: 1, remove: 2, trade: 0 }, constants: 'released' },
      },
      'search.mutations.weights: there is only insert and remove, and the functions have fixed sizes',
    ],
    [
      {
        'space.memory.vectors': 2,
        'tasks.search': { set: 'digits-multiclass-search', count: 1 },
        'tasks.select': { set: 'digits-multiclass-select', count: 1, features: 9 },
        'tasks.final': { set: 'digits-multiclass-final', count: 1 },
      },
      'space.memory.vectors: 2 is too few: tasks of many classes need 3, for features, label and prediction (and 1 more)',
    ],
    [
      { 'tasks.search.epochs': 3, 'evaluation.hurdles': { stages: [{ train: 5, valid: 5, epochs: 4 }] } },
      'evaluation.hurdles.stages[0]: its 4 epochs are more than tasks.search.epochs, which is 3',
    ],
    [
      { 'tasks.search.train': 100, 'evaluation.hurdles': { stages: [{ train: 100, valid: 5 }] } },
      'evaluation.hurdles.stages[0]: its 100 training examples must be fewer than tasks.search.train, which is 100',
    ],
    [
      { 'tasks.search.valid': 10, 'evaluation.hurdles': { stages: [{ train: 100, valid: 11 }] } },
      'evaluation.hurdles.stages[0]: its 11 validation examples are more than tasks.search.valid, which is 10',
    ],
  ])('%j cannot be', (fields, message) => {
    expect(mistakeOf(() => parseConfig(change(fields))).message).toBe(message);
  });

  test('takes what only looks impossible', () => {
    const random = { weights: {}, constants: 'paper' };
    expect(() => parseConfig(change({ 'search.method': 'random', 'search.mutations': random }))).not.toThrow();
    expect(() => parseConfig(change({ stop: { fitness: 1 }, select: { at: 'new-best' } }))).not.toThrow();
    expect(() => parseConfig(change({ stop: { experiments: 1 }, experiment: { noProgress: 5 } }))).not.toThrow();
    expect(() => parseConfig(change({ 'tasks.search.train': 5 }))).not.toThrow();
  });

  test('tells every mistake, unknown fields first, and the first in the message', () => {
    const error = mistakeOf(() => parseConfig(change({ seed: -1, 'search.population': undefined, 'search.popul': 3 })));
    expect(error.issues.map(({ path }) => path)).toEqual([['search', 'popul'], ['seed'], ['search', 'population']]);
    expect(error.message).toBe('search.popul: unknown field "popul" (and 2 more)');
  });

  test.each([[undefined], [null], [3], ['linear'], [[]], [new Map()]])('refuses %o', (value) => {
    expect(mistakeOf(() => parseConfig(value)).issues.length).toBeGreaterThan(0);
  });

  test('does not let a field reach a prototype', () => {
    const value = JSON.parse('{"__proto__": {"seed": 3}}');
    expect(mistakeOf(() => parseConfig({ ...plain, ...value })).message).toBe('__proto__: unknown field "__proto__"');
  });

  test('says in one line what somebody wrote in many', () => {
    const { message } = mistakeOf(() => parseConfig(change({ 'a\nb': 1, name: 'c\nd' })));
    expect(message).toMatch(/^a.b: unknown field "a.b" \(and 1 more\)$/);
  });
});

test('the config.json of a run is a configuration', () => {
  const config = parseConfig(plain);
  expect(parseConfig({ evozero: '0.1.0', format: 1, ...config })).toEqual(config);
});
