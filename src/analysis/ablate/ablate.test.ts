import { describe, expect, it } from 'vitest';
import { builtin } from '../../program/builtin.js';
import { parseProgram } from '../../program/parse.js';
import { printInstruction } from '../../program/print.js';
import { openBuiltinTasks } from '../../tasks/open-tasks.js';
import { localJudge } from '../judge.js';
import { ablate, planAblation } from './ablate.js';
import { describePlaces } from './sections.js';

describe('planAblation', () => {
  const { program, labels } = builtin('paper/evolved')!;
  const plan = planAblation(program, labels, 'accuracy', 1000);

  it('has every live instruction, each program once', () => {
    expect(plan.sections.filter(({ kind }) => kind === 'instruction')).toHaveLength(16);
    expect(new Set(plan.variants.map(({ hash }) => hash)).size).toBe(plan.variants.length);
    expect(plan.variants.every(({ hash }) => hash !== plan.hash)).toBe(true);
    expect(plan.leftOut).toEqual([]);
  });

  it('knows how to be rid of the four techniques of the paper and leave a model', () => {
    const ways = (technique: string) =>
      plan.sections.find((section) => section.technique === technique)!.ways.map(({ how }) => how);
    expect(ways('noise')).toContain('without learn 10');
    expect(ways('bilinear')).toContain('v3 = v1');
    expect(ways('normalized-gradient')).toContain('s5 = s3');
    expect(ways('weight-averaging')).toContain('m2 = m1');
  });

  it('has sections whose inner values nobody else reads', () => {
    const groups = plan.sections.filter(({ kind }) => kind === 'group').map(({ label }) => label);
    expect(groups).toContain('learn 4-5');
    // What learn 3 computes, predict 5 reads too.
    expect(groups).not.toContain('learn 3-4');
  });

  it('stays within its limit, instructions first', () => {
    const linear = builtin('paper/linear')!;
    const small = planAblation(linear.program, 'scalar', 'rms', 4);
    expect(small.variants).toHaveLength(4);
    expect(small.leftOut.length).toBeGreaterThan(0);
    expect(small.sections.filter(({ kind }) => kind === 'instruction').length).toBeGreaterThanOrEqual(4);
  });

  it('is empty of an empty program', () => {
    const empty = { setup: [], predict: [], learn: [] };
    expect(planAblation(empty, 'scalar', 'rms', 10).sections).toEqual([]);
  });
});

it('names places in ranges', () => {
  const places = [0, 2, 3, 4].map((index) => ({ function: 'learn', index }) as const);
  expect(describePlaces([{ function: 'setup', index: 0 }, ...places])).toBe('setup 1, learn 1, learn 3-5');
});

describe('ablate', () => {
  // v1 gets the features less nothing, a rate that tuning can mend, and an instruction without effect.
  const program = parseProgram(`
def Setup():
  s2 = 0.05
  s4 = 0
  s5 = 0.3
def Predict():
  v3 = s4 * v0
  v4 = v0 - v3
  s1 = dot(v4, v1)
def Learn():
  s3 = s0 - s1
  s3 = s2 * s3
  v2 = s3 * v0
  v1 = v1 + v2`);

  it('ranks what matters first, and says what does not', async () => {
    const tasks = await openBuiltinTasks({ name: 'linear', count: 6, seed: 1, features: 4, train: 200, valid: 50 });
    const judge = localJudge(tasks, { epochs: 1, precision: 'f64' });
    const plan = planAblation(program, 'scalar', judge.loss, 100);
    expect(plan.dead).toEqual([{ function: 'setup', index: 2 }]);
    const done: number[] = [];
    const result = await ablate(plan, judge, { trials: 6, seed: 0 }, (progress) => done.push(progress.done));
    judge.dispose();
    expect(done.at(-1)).toBe(plan.variants.length + 1);
    expect(result.spent).toBeLessThanOrEqual(7 * (plan.variants.length + 1));
    const found = (text: string) =>
      result.sections.find(({ kind, label }) => kind === 'instruction' && label.endsWith(text))!;
    const update = found('v1 = v1 + v2');
    expect(update.isSignificant).toBe(true);
    expect(update.loss.mean).toBeGreaterThan(0.3);
    expect(update.corrected).toBeGreaterThanOrEqual(update.loss.pValue!);
    // Removed, v4 would be zero; bypassed, nothing is lost.
    const useless = found('v4 = v0 - v3');
    expect(useless.how).toBe('v4 = v0');
    expect(useless.isSignificant).toBe(false);
    expect(useless.loss.mean).toBeCloseTo(0, 2);
    expect(useless.tuned.program.predict.map(printInstruction)).toEqual(['v4 = maximum(v0, v0)', 's1 = dot(v4, v1)']);
    const losses = result.sections.map(({ loss }) => loss.mean);
    expect(losses).toEqual([...losses].sort((a, b) => b - a));
  });
});
