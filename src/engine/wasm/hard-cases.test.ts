// Programs that once told a wrong engine from a right one and that random programs seldom are, one evaluator for several of
// them, against the interpreter.
import { describe, expect, it } from 'vitest';
import { smallTask } from '../../../tests/support/arbitraries.js';
import { parseSource } from '../../program/parse.js';
import type { Loss } from '../engine.js';
import { interpreter } from '../interpreter.js';
import { wasmEngine } from './engine.js';

const MEMORY = { scalars: 64, vectors: 64, matrices: 64 };

interface Case {
  readonly why: string;
  readonly programs: readonly { setup?: string; predict: string; learn?: string }[];
  readonly loss?: Loss;
  readonly features?: number;
}

/** Instructions are separated by semicolons. */
function parse({ setup = '', predict, learn = '' }: Case['programs'][number], label: string) {
  const lines = (body: string) => body.split(';').map((line) => `  ${line.trim()}`);
  const text = ['def Setup():', ...lines(setup), 'def Predict(v0):', ...lines(predict)];
  return parseSource([...text, `def Learn(v0, ${label}):`, ...lines(learn)].join('\n'), MEMORY).program;
}

const products = (count: number) => `m0 = uniform(-0.5, 0.5)${'; m0 = matmul(m0, m0)'.repeat(count)}`;

const CASES: readonly Case[] = [
  {
    why: 'one address more than a number has bits',
    programs: [
      {
        predict: `s1 = mean(v0)${Array.from({ length: 29 }, (_, k) => `; s1 = s1 + s${k + 2}`).join('')}`,
        learn: 's2 = s2 + s31; s31 = abs(s0)',
      },
    ],
  },
  {
    why: 'a value that is read again further down must not be fused away, beside elements that are set',
    programs: [
      {
        setup: 'v2[0] = 1',
        predict: 's1 = dot(v0, v2)',
        learn: 'v3 = s0 * v0; v5 = abs(v0); v4 = v3 + v5; v2 = v3 * v4',
      },
    ],
  },
  {
    why: 'an element that is set again on one way only',
    programs: [
      {
        predict: 's4 = norm(v1); v1[0] = 0.5; s2 = dot(v0, v1); s1 = s2 + s6; v1[0] = 2',
        learn: 's6 = s4 + s6',
      },
    ],
  },
  {
    why: 'a label vector that Predict has written to',
    loss: 'multiclass',
    features: 10,
    programs: [{ predict: 'v1 = abs(v0); v2 = v3 + v1', learn: 'v3 = v3 + v1' }],
  },
  {
    why: 'places for a moment, after a program with other operands',
    programs: [
      { setup: 'm0 = gaussian(0, 0.3)', predict: 'v0 = dot(m0, v0); s1 = mean(v0)' },
      {
        setup: 'v1 = gaussian(0, 1); v2 = gaussian(0, 1); v3 = gaussian(0, 1); m0 = gaussian(0, 0.3)',
        predict: 'v0 = dot(m0, v0); v0 = v0 * v1; v0 = v0 * v2; v0 = v0 * v3; s1 = mean(v0)',
      },
    ],
  },
  {
    why: 'code that grows, with a copy for every instruction',
    features: 3,
    programs: [3, 8, 40, 80].map((count) => ({ setup: products(count), predict: 'v1 = dot(m0, v0); s1 = mean(v1)' })),
  },
];

describe('hard cases', () => {
  it.each(CASES)('$why', ({ programs, loss = 'rms', features = 4 }) => {
    const tasks = [1, 2, 3].map((seed) => smallTask(features, loss, seed, 6));
    const parsed = programs.map((program) => parse(program, loss === 'multiclass' ? 'v1' : 's0'));
    const reference = interpreter.prepare(tasks, { epochs: 2, trace: true });
    for (const kind of ['lanes', 'dense'] as const) {
      const evaluator = wasmEngine('f64', kind).prepare(tasks, { epochs: 2, trace: true });
      for (const program of parsed) expect(evaluator.evaluate(program)).toStrictEqual(reference.evaluate(program));
      evaluator.dispose();
    }
  });

  it('labels between the two classes belong to the first', () => {
    const base = smallTask(4, 'accuracy', 1, 4);
    const task = { ...base, valid: { ...base.valid, labels: base.valid.labels.map(() => 0.5) } };
    const program = parse({ predict: 's1 = norm(v0)' }, 's0');
    for (const kind of ['lanes', 'dense'] as const) {
      const evaluator = wasmEngine('f64', kind).prepare([task]);
      expect(evaluator.evaluate(program)[0]!.fitness).toBe(0);
      evaluator.dispose();
    }
  });
});
