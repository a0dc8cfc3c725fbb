import { expect, test } from 'vitest';
import { findPreset } from '../experiment/presets.js';
import { builtin } from '../program/builtin.js';
import { parseSource } from '../program/parse.js';
import { printProgram } from '../program/print.js';
import {
  algebraOf,
  type ExplainedProgram,
  explainText,
  flowOf,
  techniqueFinder,
  verdictOn,
} from './explained-program.js';

const LINEAR = findPreset('linear');
const DIGITS = findPreset('digits');
const WIDE = { ...DIGITS, space: { ...DIGITS.space, memory: { scalars: 20, vectors: 20, matrices: 20 } } };

function textOf(name: string): string {
  const { program, labels } = builtin(name)!;
  return printProgram(program, labels);
}

function explained(text: string, config = WIDE): ExplainedProgram {
  const best = explainText(text, config);
  if ('problem' in best) throw new Error(best.problem);
  return best;
}

test('comments stand in one column, but for those of long lines', () => {
  const text = [
    'def Setup():\n  v3 = gaussian(0.123456789123456, 0.123456789123456)\n  s2 = 0.1\n',
    'def Predict(v0):\n  s1 = dot(v0, v1)\n',
    'def Learn(v0, s0):\n  s3 = s0 - s1\n  s3 = s2 * s3\n  v2 = s3 * v0\n  v1 = v1 + v2\n',
  ].join('\n');
  const lines = explained(text)
    .text.split('\n')
    .filter((line) => line.includes('#'));
  const long = lines.filter((line) => line.includes('gaussian'));
  const columns = new Set(lines.filter((line) => !long.includes(line)).map((line) => line.indexOf('#')));
  expect(long).toEqual(['  v3 = gaussian(0.123456789123456, 0.123456789123456)  # no effect']);
  expect([...columns]).toEqual(['  s1 = dot(v0, v1)  '.length]);
  expect(lines.length).toBeGreaterThan(4);
});

test('what the tasks ask for decides what Learn is taken for', () => {
  const namesIn = (config: typeof WIDE) =>
    explained(textOf('paper/logistic'), config).explanation.techniques.map(({ name }) => name);
  expect(namesIn(WIDE)).toContain('logistic-gradient');
  expect(namesIn({ ...WIDE, tasks: LINEAR.tasks })).not.toContain('logistic-gradient');
});

test('a program has a flow, an algebra and a verdict', () => {
  const best = explained(textOf('paper/linear'));
  expect(flowOf(best).nodes.some(({ kind }) => kind === 'prediction')).toBe(true);
  expect(algebraOf(best, WIDE)).toContain('\\hat{y}');
  expect(verdictOn(best)).toBe('ordinary');
});

test('what is wrong with a text is said', () => {
  expect(explainText('def Setup(:', WIDE)).toEqual({ problem: expect.stringMatching(/\S/) });
});

test('programs that differ in what has no effect are explained once', () => {
  const find = techniqueFinder(WIDE);
  const { program, labels } = parseSource(textOf('paper/linear'));
  const dead = parseSource(textOf('paper/linear').replace('def Setup():', 'def Setup():\n  s9 = s8 + s8')).program;
  expect(dead.setup).toHaveLength(program.setup.length + 1);
  expect(find(dead, labels)).toBe(find(program, labels));
  expect(find(program, labels).techniques.map(({ name }) => name)).toContain('sgd');
});
