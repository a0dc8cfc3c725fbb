import { describe, expect, test } from 'vitest';
import { change, mistakeOf } from '../../tests/support/plain-config.js';
import { builtin } from '../program/builtin.js';
import { programToJson } from '../program/json.js';
import { DEFAULT_MEMORY } from '../program/program.js';
import { type Config, parseConfig } from './config.js';
import { readProgram, resolvePrograms } from './program-references.js';

const LINEAR = builtin('paper/linear')!;

function unread(path: string): string {
  throw new Error(`read ${path}`);
}

describe('readProgram', () => {
  test('refuses element indices that no search can hold', () => {
    const text = 'def Setup():\n  v1[70000] = 1\ndef Predict(v0):\ndef Learn(v0, s0):\n';
    const error = mistakeOf(() => readProgram(text, DEFAULT_MEMORY));
    expect(error.message).toBe('element index 70000 in setup needs more than 65536 features');
  });

  test('reads names and texts', () => {
    expect(readProgram('paper/linear', DEFAULT_MEMORY)).toEqual(LINEAR.program);
    expect(readProgram(LINEAR.text, DEFAULT_MEMORY, 'scalar')).toEqual(LINEAR.program);
  });

  test.each<[string, string]>([
    ['paper/lineer', 'there is no built-in program "paper/lineer"; did you mean "paper/linear"?'],
    ['def Setup():\n  s2 = dott(v0, v1)', "line 2, column 8: unknown op 'dott'; did you mean 'dot'?"],
    ['paper/neural-net', 'setup[1]: vector address v2 is out of range: this memory has 2 vectors'],
  ])('refuses %j', (reference, message) => {
    const error = mistakeOf(() => readProgram(reference, { scalars: 4, vectors: 2, matrices: 0 }));
    expect(error.message).toContain(message);
  });

  test('refuses another kind of labels', () => {
    const message = 'learns from a scalar label, and the tasks have a label vector';
    expect(mistakeOf(() => readProgram('paper/linear', DEFAULT_MEMORY, 'vector')).message).toBe(message);
  });
});

describe('resolvePrograms', () => {
  const config = (initial: readonly string[]): Config => parseConfig(change({ 'search.initial': initial }));

  test('puts the text of programs in place of their paths, and leaves the rest', () => {
    const files: Record<string, string> = {
      'a.alg': LINEAR.text,
      'b.json': JSON.stringify(programToJson(LINEAR.program)),
    };
    const { search } = resolvePrograms(config(['random', 'a.alg', 'b.json', 'paper/linear']), (path) => files[path]!);
    expect(search.initial.slice(0, 2)).toEqual(['random', LINEAR.text]);
    expect(search.initial[3]).toBe('paper/linear');
    expect(readProgram(search.initial[2]!, DEFAULT_MEMORY)).toEqual(LINEAR.program);
  });

  test('leaves a whole configuration as it is', () => {
    const whole = config(['empty', LINEAR.text]);
    expect(resolvePrograms(whole, unread)).toEqual(whole);
  });

  test('reads the base, of which only the frozen functions must fit', () => {
    const fields = { 'space.setup': { frozen: true }, 'space.base': 'base.alg', 'space.learn.max': 1 };
    const { space } = resolvePrograms(parseConfig(change(fields)), () => LINEAR.text);
    expect(space.base).toBe(LINEAR.text);
  });

  test.each<[string, () => string, string]>([
    ['a.alg', () => unread('a.alg'), 'search.initial[1]: a.alg: read a.alg'],
    ['a.alg', () => '', 'search.initial[1]: a.alg: line 1, column 1: missing function Setup, Predict, Learn'],
    ['a.json', () => '{', 'search.initial[1]: a.json: '],
    ['a.json', () => '{}', 'search.initial[1]: a.json: setup: expected an array of instructions'],
    [
      'paper/lin',
      () => '',
      'search.initial[1]: there is no built-in program "paper/lin"; did you mean "paper/linear"?',
    ],
    [
      'def Setup():\ndef Predict():\n  s1 = dot(v0, v9)\ndef Learn():',
      () => '',
      'search.initial[1]: line 3, column 16: vector address v9 is out of range',
    ],
    ['paper/multi-class-raw', () => '', 'search.initial[1]: '],
    [
      `def Setup():\ndef Predict():\n${'  s1 = s1 + s1\n'.repeat(4)}def Learn():`,
      () => '',
      'search.initial[1]: its predict has 4 instructions, and space.predict.max is 3',
    ],
  ])('refuses %j (%#)', (reference, readFile, message) => {
    const error = mistakeOf(() => resolvePrograms(config(['random', reference]), readFile));
    expect(error.message.slice(0, message.length)).toBe(message);
    expect(error.message).not.toContain('\n');
    expect(error.issues[0]!.path).toEqual(['search', 'initial', 1]);
  });
});
