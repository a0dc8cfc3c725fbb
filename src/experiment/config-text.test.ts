import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { builtin } from '../program/builtin.js';
import { type Config, parseConfig } from './config.js';
import { ConfigError } from './config-error.js';
import { applyOverrides, ConfigTextError, printConfig, readConfig } from './config-text.js';
import { findPreset } from './presets.js';

const LINEAR = builtin('paper/linear')!.text;

function read(text: string): Config {
  return readConfig(text, 'mine.yaml', {
    readFile(path) {
      if (path === 'linear.alg') return LINEAR;
      throw new Error('no such file');
    },
  });
}

function mistakeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigTextError);
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    return message;
  }
  throw new Error('nothing was wrong');
}

const linear = findPreset('linear');

describe('readConfig', () => {
  test('reads YAML and JSON', () => {
    expect(read(printConfig(linear))).toEqual(linear);
    expect(read(JSON.stringify(linear, null, 2))).toEqual(linear);
  });

  test('merges objects over the preset that it extends, and replaces lists', () => {
    const config = read(`
extends: linear
name: mine
space: { learn: { ops: [0-3, dot], max: 9 } }
search: { mutations: { weights: { trade: 2 } }, initial: [random, linear.alg] }
evaluation: { fingerprint: null }
`);
    expect(config).toEqual({
      ...linear,
      name: 'mine',
      space: {
        ...linear.space,
        learn: {
          ...linear.space.learn,
          ops: ['no-op', 'scalar-add', 'scalar-subtract', 'scalar-multiply', 'dot'],
          max: 9,
        },
      },
      search: {
        ...linear.search,
        mutations: { ...linear.search.mutations, weights: { ...linear.search.mutations.weights, trade: 2 } },
        initial: ['random', LINEAR],
      },
      evaluation: { ...linear.evaluation, fingerprint: null },
    });
  });

  test.each<[string, string]>([
    ['a: [1', 'mine.yaml:1:6: Flow sequence'],
    ['seed: 1\nseed: 2', 'mine.yaml:2:1: there is another field "seed" before'],
    ['extends: linear\n---\nextends: linear', 'mine.yaml:2:1: there is more than one document'],
    ['', 'mine.yaml:1:1: expected an object with the fields name, about'],
    ['extends: lineer', 'mine.yaml:1:1: extends: there is no preset "lineer"; did you mean "linear"?'],
    ['seed: 1\nextends: [linear]', 'mine.yaml:2:1: extends: expected the name of a preset, not an array'],
    ['extends: linear\nserch:\n  seed: 1', 'mine.yaml:2:1: serch: unknown field "serch"; did you mean "search"?'],
    [
      'extends: linear\nsearch:\n  tournament: 5\n  population: 4',
      'mine.yaml:3:3: search.tournament: 5 is larger than search.population, which is 4',
    ],
    [
      'extends: linear\nsearch:\n  population: 4',
      'mine.yaml:2:1: search.tournament: 10 is larger than search.population, which is 4',
    ],
    [
      '{"extends": "linear",\n "evaluation": {"hurdles": {}}}',
      'mine.yaml:2:17: evaluation.hurdles.stages: missing; expected a list of stages',
    ],
    [
      'extends: linear\nsearch:\n  initial:\n    - random\n    - other.alg',
      'mine.yaml:5:7: search.initial[1]: other.alg: no such file',
    ],
    ['extends: linear\nseed: !!binary aGk=', 'mine.yaml:2:7: Unresolved tag'],
    ['extends: linear\nseed: !mine 3', 'mine.yaml:2:7: Unresolved tag: !mine'],
    ['extends: linear\nseed: *other', 'mine.yaml:1:1: Unresolved alias'],
    ['extends: linear\n? [seed]\n: 3', 'mine.yaml:2:3: With stringKeys, all keys must be strings'],
    ['extends: linear\n__proto__: { seed: 3 }', 'mine.yaml:2:1: __proto__: unknown field "__proto__"'],
    ['extends: linear\nsearch: { __proto__: { method: random } }', 'mine.yaml:2:11: search.__proto__: unknown field'],
    ['extends: linear\nseed: .nan', 'mine.yaml:2:1: seed: expected a whole number of at least 0, not NaN'],
    ['extends: linear\nspace: &a\n  memory: *a', 'mine.yaml:3:3: space.memory.memory: unknown field "memory"'],
    ['#'.repeat(1 + (1 << 20)), 'mine.yaml:1:1: larger than 1 MiB, which no configuration is'],
  ])('%#: says where it is wrong', (text, message) => {
    expect(mistakeOf(() => read(text)).slice(0, message.length)).toBe(message);
  });

  // Half a million levels would end the process, not only throw.
  test.each(['[', '{a: ', '- ', '? ', '- !x ', '- &x ', '["]", '])(
    'refuses a text that nests by %j without end',
    (level) => {
      const text = level.repeat(Math.floor((1 << 20) / level.length));
      expect(mistakeOf(() => read(text))).toBe('mine.yaml:1:1: nested too deeply');
    },
  );

  test('refuses a large text of unknown fields', () => {
    const text = Array.from({ length: 20_000 }, (_, k) => `field${k}: 1`).join('\n');
    expect(mistakeOf(() => read(text))).toMatch(/^mine.yaml:1:1: field0: unknown field "field0"/);
  });

  test('refuses a text that nests by lines without end', () => {
    const text = Array.from({ length: 1000 }, (_, k) => `${' '.repeat(k)}a:`).join('\n');
    expect(mistakeOf(() => read(text))).toBe('mine.yaml:1:1: nested too deeply');
  });

  test('does not mistake the brackets of a program for nesting', () => {
    const lines = Array.from({ length: 300 }, (_, k) => `      v2[${k}] = ${-k}  # [[`);
    const base = ['def Setup():', ...lines, 'def Predict():', 'def Learn():'].map((line) => `    ${line}`).join('\n');
    expect(read(`extends: linear-learn\nspace:\n  base: |\n${base}\n`).space.base).toContain('v2[299] = -299');
  });

  test('refuses aliases that multiply', () => {
    const levels = 'bcdefgh'.split('').map((name, k) => {
      const inner = `*${'abcdefgh'[k]}, `.repeat(9);
      return `${name}: &${name} [${inner}]`;
    });
    expect(mistakeOf(() => read(`a: &a [1]\n${levels.join('\n')}`))).toMatch(/^mine.yaml:1:1: Excessive alias count/);
  });

  test('tells how many mistakes there are', () => {
    expect(mistakeOf(() => read('extends: linear\nseed: -1\nprecision: f16'))).toMatch(/ \(and 1 more\)$/);
  });
});

describe('applyOverrides', () => {
  test('sets fields to YAML values', () => {
    const config = applyOverrides(linear, [
      'search.population=100',
      'search.mutations=paper',
      'search.mutationProbability=0.5',
      'search.initial=[empty, random]',
      'evaluation.budget=null',
      'evaluation.hurdles.stages=[{train: 10, valid: 5}]',
      'space.learn.ops=0-3,dot',
      'seed=1',
      'seed=2',
    ]);
    expect(config.search).toMatchObject({
      population: 100,
      mutations: { constants: 'paper', weights: { insert: 1 } },
      mutationProbability: 0.5,
      initial: ['empty', 'random'],
    });
    expect(config.evaluation).toMatchObject({ budget: null, hurdles: { percentile: 75, audit: 256 } });
    expect(config.space.learn.ops).toContain('dot');
    expect(config.seed).toBe(2);
    expect(linear.seed).toBe(0);
  });

  test('checks fields together, not one after the other', () => {
    const { search } = applyOverrides(linear, ['search.population=5', 'search.tournament=5']);
    expect([search.population, search.tournament]).toEqual([5, 5]);
  });

  test.each<[string, string]>([
    ['serch.population=100', '--set serch.population=100: unknown field "serch"; did you mean "search"?'],
    ['search.populaton=9', '--set search.populaton=9: unknown field "populaton"; did you mean "population"?'],
    ['search.tournament=5000', '--set search.tournament=5000: 5000 is larger than search.population, which is 1000'],
    ['search.population=5', 'search.tournament: 10 is larger than search.population, which is 5'],
    ['search.population.x=5', '--set search.population.x=5: search.population has no fields'],
    ['search.initial.0=empty', '--set search.initial.0=empty: search.initial has no fields'],
    [
      'space.memory={scalars: 1, vectors: 3, matrices: 1}',
      '--set space.memory={scalars: 1, vectors: 3, matrices: 1}: space.memory.scalars: expected a whole number',
    ],
    ['__proto__.seed=1', '--set __proto__.seed=1: unknown field "__proto__"'],
    ['search.__proto__=1', '--set search.__proto__=1: unknown field "__proto__"'],
    ['constructor.prototype.seed=1', '--set constructor.prototype.seed=1: unknown field "constructor"'],
    ['seed', '--set seed: expected FIELD=VALUE, such as search.population=100'],
    ['=3', '--set =3: expected FIELD=VALUE'],
    ['search.initial=[empty', '--set search.initial=[empty: Flow sequence'],
    ['seed=', '--set seed=: expected a whole number of at least 0, not null'],
  ])('%s', (setting, message) => {
    expect(mistakeOf(() => applyOverrides(linear, [setting])).slice(0, message.length)).toBe(message);
    expect(({} as Record<string, unknown>).seed).toBeUndefined();
  });
});

describe('printConfig', () => {
  test('reads back as the same, with programs of many lines and words that look like numbers', () => {
    const config = parseConfig({
      ...linear,
      about: 'true: # "1e3" \t',
      search: { ...linear.search, initial: ['random', `${LINEAR}\n\n  # end `, 'paper/linear'] },
    });
    expect(read(printConfig(config))).toEqual(config);
  });

  test('says many ops by number and few by name', () => {
    const { predict, setup } = parse(printConfig(findPreset('full-space'))).space;
    expect([setup.ops, predict.ops]).toEqual([['56-64'], ['0-55', '60-61']]);
    expect(parse(printConfig(findPreset('linear-paper'))).space.predict.ops).toEqual(['dot']);
  });

  test('has a comment before every section', () => {
    const lines = printConfig(linear).split('\n');
    const sections = lines.flatMap((line) => /^(\w+):$/.exec(line)?.[1] ?? []);
    expect(sections).toEqual(expect.arrayContaining(['space', 'search', 'islands', 'tasks', 'evaluation', 'stop']));
    for (const section of sections) expect(lines[lines.indexOf(`${section}:`) - 1]).toMatch(/^# \w/);
    for (const method of ['evolution', 'random', 'evozero']) {
      expect(lines[lines.indexOf('search:') - 1]).toMatch(new RegExp(`^# method .*\\b${method}\\b.*; mutations`));
    }
  });
});
