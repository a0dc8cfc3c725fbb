import { describe, expect, it } from 'vitest';
import { builtin } from '../../program/builtin.js';
import { parseProgram } from '../../program/parse.js';
import type { LabelKind } from '../../program/program.js';
import type { Explanation } from '../explain/explanation.js';
import { ExportError } from './export-error.js';
import { type ExportOptions, exportProgram } from './export-program.js';

const EMPTY: Explanation = {
  comments: { setup: [], predict: [], learn: [] },
  names: new Map(),
  techniques: [],
};

function exported(text: string, options: Partial<ExportOptions> = {}, labels: LabelKind = 'scalar'): string {
  return exportProgram(parseProgram(text), labels, {
    to: 'ts',
    loss: 'rms',
    explanation: EMPTY,
    name: 'Model',
    ...options,
  });
}

function named(names: Readonly<Record<string, string>>): Explanation {
  return { ...EMPTY, names: new Map(Object.entries(names)) };
}

const LINEAR = builtin('paper/linear')!.text;
const NOTHING = 'def Setup():\ndef Predict():\ndef Learn():\n';

describe('an exported class', () => {
  it('has local variables for what lives within a function and fields for what outlives it', () => {
    const text = exported(LINEAR);
    expect(text).toContain('const prediction = dot(x, this.v1); // s1 = dot(v0, v1)\n');
    expect(text).toMatch(/let s3 = label - prediction; +\/\/ s3 = s0 - s1\n +s3 \*= this\.s2; +\/\/ s3 = s2 \* s3\n/);
    expect(text).toMatch(/const v2 = scale\(s3, x\); +\/\/ v2 = s3 \* v0\n +this\.v1 = add\(this\.v1, v2\);/);
    expect(text).not.toContain('this.s3');
    expect(text).not.toContain('this.v2');
  });

  it('has only functions that it needs', () => {
    expect(exported(LINEAR)).toContain('function dot(');
    for (const other of ['gaussian', 'outer', 'sigmoid', 'transpose']) {
      expect(exported(LINEAR)).not.toContain(`function ${other}(`);
    }
  });

  it('leaves out what cannot reach a prediction', () => {
    const text = exported(LINEAR.replace('def Learn(v0, s0):', 'def Learn(v0, s0):\n  m3 = outer(v0, v0)'));
    expect(text).toBe(exported(LINEAR));
  });

  it('takes names from the explanation, as each language spells them', () => {
    const explanation = named({ v1: 'linear weights', s3: 'error' });
    expect(exported(LINEAR, { explanation })).toContain('this.linearWeights = add(this.linearWeights, v2);');
    expect(exported(LINEAR, { explanation })).toContain('let error = label - prediction;');
    expect(exported(LINEAR, { explanation, to: 'python' })).toContain('self.linear_weights_ += v2');
  });

  it('makes a constant with a name a parameter', () => {
    const explanation = named({ s2: 'learning rate' });
    expect(exported(LINEAR, { explanation })).toContain('constructor({ seed = 0, features = 0, learningRate = 0.05 }');
    expect(exported(LINEAR, { explanation, to: 'python' })).toContain(
      'def __init__(self, seed=0, epochs=1, learning_rate=0.05):',
    );
    const decaying = LINEAR.replace('v1 = v1 + v2', 'v1 = v1 + v2\n  s2 = arctan(s2)');
    const text = exported(decaying, { explanation });
    expect(text).toContain('initialLearningRate = 0.05');
    expect(text).toContain('this.learningRate = this.initialLearningRate;');
    expect(text).toContain('this.learningRate = Math.atan(this.learningRate);');
  });

  it('adds the address to names that are shared or have a meaning of their own', () => {
    const shared = exported(LINEAR, { explanation: named({ v1: 'weights', v2: 'weights' }) });
    expect(shared).toContain('this.weightsV1 = add(this.weightsV1, weightsV2);');
    const reserved = named({ s3: 'class', v2: 'dot', v1: 'train' });
    const script = exported(LINEAR, { explanation: reserved });
    expect(script).toContain('const dotV2 = scale(classS3, x);');
    expect(script).toContain('this.trainV1 = add(this.trainV1, dotV2);');
    expect(exported(LINEAR, { explanation: named({ s3: 'lambda' }), to: 'python' })).toContain('lambda_s3 = label');
  });

  it('never lets names collide or be code', () => {
    const text = exported(LINEAR, { explanation: named({ v1: 's3', s3: 'x = 1; evil()', v2: '123' }) });
    expect(text).toContain('this.v1 = add(this.v1, v2);');
    expect(text).toContain('let x1Evil = label - prediction;');
  });

  it('keeps texts within their comments', () => {
    const comments = { setup: [], predict: ['a\nb\u2028c⟦d⟧ """ */'], learn: [] };
    const techniques = [{ name: 'sgd', why: 'one\r\nthrow 1', places: [] }] as const;
    const explanation = { ...EMPTY, comments, techniques };
    expect(exported(LINEAR, { explanation })).toContain('// s1 = dot(v0, v1): a b c d  """ */\n');
    expect(exported(LINEAR, { explanation, to: 'python' })).toContain(
      '\n# - stochastic gradient descent: one throw 1\n',
    );
  });

  it('writes constants so that they read back as the same numbers', () => {
    const program =
      'def Setup():\n  s2 = -0\n  s3 = 1e21\n  s4 = 5\ndef Predict():\n  s1 = s2 * s3\n  s1 = s1 * s4\ndef Learn():\n';
    expect(exported(program)).toContain('this.s2 = -0;');
    for (const line of ['self.s2_ = -0.0', 'self.s3_ = 1e+21', 'self.s4_ = 5.0']) {
      expect(exported(program, { to: 'python' })).toContain(line);
    }
  });

  it('copies a row before it sets an element of it, and wraps the index', () => {
    const program = 'def Setup():\ndef Predict(v0):\n  v0[3] = 0.5\n  s1 = mean(v0)\ndef Learn():\n';
    expect(exported(program)).toContain('    x = x.slice();\n    x[3 % this.features] = 0.5;');
    expect(exported(program, { to: 'python' })).toContain('        x = x.copy()\n        x[3 % n] = 0.5');
  });

  it('predicts with a copy of itself only where predicting changes it', () => {
    expect(exported(LINEAR)).not.toContain('Object.create');
    expect(exported(builtin('paper/evolved')!.text)).toContain('Object.create(Model.prototype)');
    expect(exported(builtin('paper/evolved')!.text, { to: 'python' })).toContain('model = copy.copy(self)');
  });

  it('is the same in JavaScript without types', () => {
    const text = exported(LINEAR, { to: 'js' });
    expect(text).not.toMatch(/⟦|⟧|private|readonly|: number|Float64Array\[\]|!;|\]!/);
    expect(text).toContain('learn(x, label, prediction) {');
  });

  it('says when a program does or learns nothing', () => {
    expect(exported(NOTHING)).toContain('// Nothing in the program can reach its prediction');
    expect(exported(NOTHING)).toContain('return this.prediction;');
    const constant = 'def Setup():\ndef Predict():\n  s1 = mean(v0)\ndef Learn():\n';
    expect(exported(constant, { to: 'python' })).toContain('# The program learns nothing');
    expect(exported(constant, { to: 'python' })).not.toContain('_learn');
  });

  it.each(['model', 'A b', '', 'Modèle', '1A', 'A;', 'A'.repeat(81)])('refuses %j as its name', (name) => {
    expect(() => exported(LINEAR, { name })).toThrow(ExportError);
  });

  it('refuses names that have a meaning', () => {
    expect(() => exported(LINEAR, { name: 'Float64Array' })).toThrow(/another meaning/);
    expect(() => exported(LINEAR, { name: 'None', to: 'python' })).toThrow(/another meaning/);
    expect(exported(LINEAR, { name: 'None' })).toContain('class None {');
  });

  it('refuses a loss that does not fit the labels', () => {
    expect(() => exported(LINEAR, { loss: 'multiclass' })).toThrow(/loss is rms or accuracy, not multiclass/);
    expect(() => exported(NOTHING, { loss: 'rms' }, 'vector')).toThrow(/loss is multiclass, not rms/);
  });
});
