import { describe, expect, it } from 'vitest';
import { builtin } from '../../program/builtin.js';
import { simplify } from '../../program/liveness.js';
import { parseSource } from '../../program/parse.js';
import { printInstruction, printProgram } from '../../program/print.js';
import type { LabelKind, Program } from '../../program/program.js';
import { type NamedTaskRequest, openBuiltinTasks } from '../../tasks/open-tasks.js';
import { localJudge } from '../judge.js';
import { findCandidates } from './candidates.js';
import { decouple, measureScalars } from './decouple.js';
import { replaceScalars } from './replace-scalar.js';

function parse(setup: string, predict: string, learn: string, parameters = '(v0, s0)'): Program {
  return parseSource(`def Setup():\n${setup}\ndef Predict():\n${predict}\ndef Learn${parameters}:\n${learn}`).program;
}

function candidates(program: Program, labels: LabelKind = 'scalar'): string[] {
  const simplified = simplify(program, labels);
  return findCandidates(simplified, labels).map((place) => printInstruction(simplified[place.function][place.index]!));
}

/** A linear model whose learning rate is a norm. */
const LEARN = 's3 = s0 - s1\ns3 = s2 * s3\nv2 = s3 * v0\nv1 = v1 + v2';
const ofSetup = parse('v3 = gaussian(0, 0.02)', 's1 = dot(v0, v1)', `s2 = norm(v3)\n${LEARN}`);
const ofFeatures = parse('s4 = 0.02', 's1 = dot(v0, v1)', `v3 = s4 * v0\ns2 = norm(v3)\n${LEARN}`);

describe('findCandidates', () => {
  it('finds the learning rates of the paper', () => {
    expect(candidates(ofSetup)).toEqual(['s2 = norm(v3)']);
    expect(candidates(ofFeatures)).toEqual(['s2 = norm(v3)']);
    expect(candidates(builtin('paper/evolved-simplified')!.program)).toContain('s4 = std(m0)');
    const classes = builtin('paper/multi-class-raw')!;
    expect(candidates(classes.program, 'vector')).toContain('s1 = mean(m1)');
  });

  it('leaves predictions, errors, intercepts that learn and constants alone', () => {
    for (const name of ['linear', 'logistic', 'affine', 'neural-net']) {
      expect(candidates(builtin(`paper/${name}`)!.program)).toEqual([]);
    }
    expect(candidates(parse('s2 = 0.1\ns4 = 0.5\ns2 = s2 * s4', 's1 = dot(v0, v1)', LEARN))).toEqual([]);
  });

  it('leaves a rate that decays alone', () => {
    expect(candidates(parse('s2 = 0.1\ns4 = 0.99', 's1 = dot(v0, v1)', `s2 = s2 * s4\n${LEARN}`))).toEqual([]);
  });

  it('leaves the size of the error of many classes alone', () => {
    const learn = 'v3 = v1 - v2\ns2 = norm(v3)\nv3 = s2 * v3\nm1 = outer(v3, v0)\nm0 = m0 + m1';
    expect(candidates(parse('', 'v2 = dot(m0, v0)', learn, '(v0, v1)'), 'vector')).toEqual([]);
  });
});

describe('replaceScalars', () => {
  it('sets the scalar in Setup, at its own address where nothing else is there', () => {
    const { program } = replaceScalars(ofSetup, 'scalar', [{ place: { function: 'learn', index: 0 }, value: 0.05 }]);
    expect(program).toEqual(parse('s2 = 0.05', 's1 = dot(v0, v1)', LEARN));
  });

  it('takes another address where the scalar shares one', () => {
    const { program, labels } = builtin('paper/evolved-simplified')!;
    const index = program.learn.findIndex((instruction) => printInstruction(instruction) === 's4 = std(m0)');
    const replaced = replaceScalars(program, labels, [{ place: { function: 'learn', index }, value: 0.1 }]).program;
    expect(printProgram(replaced)).toContain('s3 = 0.1');
    expect(printProgram(replaced)).toContain('m1 = s3 * m0');
    expect(printProgram(replaced)).toContain('s4 = s0 - s1');
    expect(printProgram(replaced)).not.toContain('std');
  });

  it('keeps a copy where a read may also see something else', () => {
    const { program, labels } = builtin('paper/multi-class-raw')!;
    const simplified = simplify(program, labels);
    const index = simplified.learn.findIndex((instruction) => printInstruction(instruction) === 's1 = mean(m1)');
    const place = { function: 'learn', index } as const;
    const text = printProgram(replaceScalars(simplified, labels, [{ place, value: 0.5 }]).program, labels);
    expect(text).toMatch(/s0 = 0.5/);
    expect(text).toContain('s1 = maximum(s0, s0)');
  });
});

async function run(program: Program, labels: LabelKind, request: NamedTaskRequest, trials: number) {
  const tasks = await openBuiltinTasks(request);
  const judge = localJudge(tasks, { epochs: 1, precision: 'f64' });
  const simplified = simplify(program, labels);
  const scalars = measureScalars(simplified, labels, [await tasks.at(0), await tasks.at(1)]);
  const result = await decouple(program, labels, scalars, judge, { trials, seed: 0, tolerance: 0.005 });
  judge.dispose();
  return result;
}

const LINEAR = { name: 'linear', count: 6, seed: 1, features: 8, train: 300, valid: 50 };

describe('decouple', () => {
  it('makes a nearly constant norm a constant, at its value', async () => {
    const { scalars, after } = await run(ofSetup, 'scalar', LINEAR, 6);
    expect(scalars).toHaveLength(1);
    const [{ variation, isNearlyConstant, isReplaced, value }] = scalars as [(typeof scalars)[number]];
    expect(variation).toBeLessThan(1e-6);
    expect(isNearlyConstant && isReplaced).toBe(true);
    // The norm of 8 normal numbers of deviation 0.02.
    expect(value).toBeGreaterThan(0.02);
    expect(value).toBeLessThan(0.12);
    expect(after).toEqual(parse(`s2 = ${value}`, 's1 = dot(v0, v1)', LEARN));
  });

  it('makes the norm of the features one if nothing is lost', async () => {
    const { scalars, after } = await run(ofFeatures, 'scalar', LINEAR, 8);
    expect(scalars[0]!.isNearlyConstant).toBe(false);
    expect(scalars[0]!.isReplaced).toBe(true);
    expect(printProgram(after)).not.toContain('norm');
  });

  it('keeps a scalar that matters', async () => {
    // The sum of features and weights is the prediction; as a constant it predicts nothing.
    const needed = parse('s2 = 0.05', 's4 = dot(v0, v1)\nv3 = bcast(s4)\ns1 = mean(v3)', LEARN);
    const { scalars, before, after } = await run(needed, 'scalar', LINEAR, 4);
    const tried = scalars.find(({ text }) => text === 's4 = dot(v0, v1)');
    expect(tried?.isReplaced).toBe(false);
    expect(tried?.loss?.mean).toBeGreaterThan(0.2);
    expect(after).toEqual(before);
  });

  it('finds the mean of the weights as a learning rate for ten classes', async () => {
    const { program, labels } = builtin('paper/multi-class-raw')!;
    const tasks = await openBuiltinTasks({
      name: 'digits-multiclass-select',
      count: 2,
      seed: 0,
      train: 300,
      valid: 50,
    });
    const scalars = measureScalars(simplify(program, labels), labels, [await tasks.at(0)]);
    expect(scalars.map(({ text }) => text)).toContain('s1 = mean(m1)');
    expect(scalars[0]!.isNearlyConstant).toBe(true);
  });

  it('says nothing of a program whose scalars are not finite', async () => {
    const broken = parse('', 's1 = dot(v0, v1)', `v3 = 1 / v9\ns2 = norm(v3)\n${LEARN}`);
    const { scalars } = await run(broken, 'scalar', LINEAR, 2);
    expect(scalars).toEqual([]);
  });
});
