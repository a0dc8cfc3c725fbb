import { expect, test } from 'vitest';
import { fittingLoss, lossOfConfig, lossOfTaskSet } from './config-loss.js';
import { findPreset } from './presets.js';

test.each([
  ['linear', 'rms'],
  ['network-final', 'rms'],
  ['digits', 'accuracy'],
  ['digits-select', 'accuracy'],
  ['cifar10-binary-search', 'accuracy'],
  ['mnist-multiclass-tune', 'multiclass'],
])('%s is trained for %s', (name, loss) => {
  expect(lossOfTaskSet(name)).toBe(loss);
});

test('a configuration is trained for what it searches on', () => {
  expect(['linear', 'digits', 'multi-class'].map((name) => lossOfConfig(findPreset(name)))).toEqual([
    'rms',
    'accuracy',
    'multiclass',
  ]);
});

test('only a loss for such labels fits', () => {
  expect(fittingLoss('accuracy', 'scalar')).toBe('accuracy');
  expect(fittingLoss('accuracy', 'vector')).toBeUndefined();
  expect(fittingLoss('multiclass', 'vector')).toBe('multiclass');
  expect(fittingLoss(undefined, 'scalar')).toBeUndefined();
});
