import { expect, it } from 'vitest';
import { lossOfTaskSet } from '../../src/experiment/config-loss.js';
import { presets } from '../../src/experiment/presets.js';
import { explainText } from './explained-program.js';
import { contextOf } from './program-context.js';

it('tells how predictions are judged on a set of tasks', () => {
  const sets = ['linear-search', 'digits', 'cifar10-select', 'digits-multiclass-search'];
  expect(sets.map(lossOfTaskSet)).toEqual(['rms', 'accuracy', 'accuracy', 'multiclass']);
});

it('lets programs use all the memory of their search', () => {
  const text = 'def Setup():\n  s12 = 0.5\n\ndef Predict(v0):\n  s1 = s12 + s12\n\ndef Learn(v0, s0):\n';
  const { space } = presets.linear;
  const config = { ...presets.linear, space: { ...space, memory: { ...space.memory, scalars: 20 } } };
  expect(contextOf(config)).toEqual({ memory: config.space.memory, loss: 'rms' });
  expect(explainText(text)).toHaveProperty('problem');
  expect(explainText(text, contextOf(config))).toHaveProperty('explanation');
});
