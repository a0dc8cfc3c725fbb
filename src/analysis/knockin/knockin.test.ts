import { describe, expect, it } from 'vitest';
import { builtin } from '../../program/builtin.js';
import { printInstruction } from '../../program/print.js';
import type { Program } from '../../program/program.js';
import { openBuiltinTasks } from '../../tasks/open-tasks.js';
import { localJudge } from '../judge.js';
import { parseBindings } from './bindings.js';
import { parseLines, readSection, takeLines } from './code-section.js';
import { knockIn, knockInCost, planKnockIn } from './knockin.js';

const evolved = builtin('paper/evolved')!;
const logistic = builtin('paper/logistic')!;

function lines(program: Program): string {
  return [program.setup, program.predict, program.learn]
    .map((body) => body.map(printInstruction).join('; '))
    .join(' | ');
}

function sectionOf(text: string) {
  return takeLines(evolved.program, evolved.labels, parseLines(text, evolved.program), 'accuracy');
}

function plan(text: string, limit = 20) {
  return planKnockIn(sectionOf(text), logistic.program, logistic.labels, 'accuracy', new Map(), limit);
}

describe('parseLines', () => {
  it('reads ranges from 1 on, and functions once', () => {
    expect(parseLines('predict:1-2,learn:8,10', evolved.program)).toEqual([
      { function: 'predict', index: 0 },
      { function: 'predict', index: 1 },
      { function: 'learn', index: 7 },
      { function: 'learn', index: 9 },
    ]);
  });

  it('says what is wrong', () => {
    expect(() => parseLines('predict:1-9', evolved.program)).toThrow("'predict:1-9': Predict has lines 1 to 5");
    expect(() => parseLines('learn', evolved.program)).toThrow("'learn' is no range of lines");
    expect(() => parseLines('learn:3-2', evolved.program)).toThrow('Learn has lines');
  });
});

describe('planKnockIn', () => {
  it('puts noise before the features of a linear model', () => {
    const programs = plan('predict:1-2,learn:10').insertions.map(({ program }) => lines(program));
    expect(programs[0]).toBe(
      's2 = 0.01 | v4 = v0 + v3; s1 = dot(v4, v1) | v3 = uniform(0.0024, 0.67); s3 = s0 - s1; s3 = s2 * s3; v2 = s3 * v0; v1 = v1 + v2',
    );
    expect(new Set(programs).size).toBe(programs.length);
  });

  it('makes an average of matrices one of vectors, and finds the weights by their role', () => {
    const { insertions } = plan('predict:5,learn:8-9');
    const programs = insertions.map(({ program }) => lines(program));
    expect(programs).toContain(
      's2 = 0.01 | s1 = dot(v0, v4); v4 = s2 * v3 | s3 = s0 - s1; s3 = s2 * s3; v2 = s3 * v0; v1 = v1 + v2; v3 = v3 + v1; v4 = s2 * v1',
    );
    expect(insertions[0]!.bound).toContain('m1 is v1');
  });

  it('lets what Learn computes take the place of what it was computed from', () => {
    const programs = plan('learn:2-4', 40).insertions.map(({ program }) => lines(program));
    expect(programs).toContain(
      's2 = 0.01 | s1 = dot(v0, v1) | m0 = outer(v0, v0); s4 = norm(m0); s3 = s0 - s1; s5 = s3 / s4; s3 = s2 * s5; v2 = s3 * v0; v1 = v1 + v2'.replace(
        'm0 = outer(v0, v0); s4 = norm(m0); s3 = s0 - s1;',
        's3 = s0 - s1; m0 = outer(v0, v0); s4 = norm(m0);',
      ),
    );
  });

  it('has nothing to try where the section cannot reach a prediction', () => {
    const section = readSection('def Learn():\n  m0 = outer(v0, v0)');
    const given = parseBindings('m0=new', section, logistic);
    expect(planKnockIn(section, logistic.program, 'scalar', 'accuracy', given, 10).insertions).toEqual([]);
  });

  it('binds as it is told', () => {
    const section = readSection('def Predict():\n  v5 = v0 + v7\ndef Learn():\n  v7 = gaussian(0, 0.1)');
    const given = parseBindings('v5=v1', section, logistic);
    const { insertions } = planKnockIn(section, logistic.program, 'scalar', 'accuracy', given, 50);
    expect(insertions.length).toBeGreaterThan(0);
    for (const { program } of insertions) expect(lines(program)).toContain('v1 = v0 + v3');
    expect(() => parseBindings('v5=v9', section, logistic)).toThrow('the program has no v9');
    expect(() => parseBindings('v9=v1', section, logistic)).toThrow('v5');
    expect(() => parseBindings('v5', section, logistic)).toThrow('expected pairs');
  });
});

describe('knockIn', () => {
  it('finds that an update helps a program that computes its gradient in vain, within the cost that was told', async () => {
    const tasks = await openBuiltinTasks({ name: 'linear', count: 5, seed: 1, features: 4, train: 200, valid: 50 });
    const judge = localJudge(tasks, { epochs: 1, precision: 'f64' });
    const section = readSection('def Learn():\n  v7 = v7 + v8');
    const { program } = builtin('paper/linear')!;
    const broken = { ...program, learn: program.learn.slice(0, 3) };
    const given = parseBindings('v7=v1,v8=v2', section, { program: broken, labels: 'scalar' });
    const planned = planKnockIn(section, broken, 'scalar', 'rms', given, 20);
    const result = await knockIn(planned, judge, { trials: 6, seed: 0 });
    judge.dispose();
    expect(result.spent).toBeLessThanOrEqual(knockInCost(planned, 6));
    const [best] = result.best;
    expect(best!.gain.mean).toBeGreaterThan(0.3);
    expect(best!.gain.half).toBeLessThan(best!.gain.mean);
  });

  it('does not take noise that cancels out for an improvement', async () => {
    const tasks = await openBuiltinTasks({
      name: 'digits-binary-select',
      count: 2,
      seed: 1,
      features: 8,
      train: 100,
      valid: 50,
    });
    const judge = localJudge(tasks, { epochs: 1, precision: 'f64' });
    const section = readSection('def Predict():\n  v3 = v0 + v4\n  v3 = v3 - v4\ndef Learn():\n  v4 = uniform(0, 1)');
    const planned = planKnockIn(section, logistic.program, 'scalar', 'accuracy', new Map(), 4);
    const cancelled = planned.insertions.filter(({ bound }) => bound.includes('for v0'));
    expect(cancelled.length).toBeGreaterThan(0);
    const result = await knockIn({ ...planned, insertions: cancelled }, judge, { trials: 2, seed: 0 });
    judge.dispose();
    expect(result.best.filter(({ insertion }) => insertion.at.startsWith('predict 1'))).toEqual([]);
  });
});
