import { expect, test } from 'vitest';
import { findPreset } from '../experiment/presets.js';
import { builtin } from '../program/builtin.js';
import { answerAbout } from './answer-about-program.js';

const config = findPreset('digits');

function explained(text: string, settings = config) {
  const outcome = answerAbout('explain', { text, config: settings });
  if ('problem' in outcome) throw new Error(outcome.problem);
  return outcome.answer;
}

test.each([
  ['s3 = s2 + s2', 'Nothing in it reaches the prediction, which is always zero.'],
  ['s1 = gaussian(0, 1)', 'What it predicts does not depend on the features.'],
  ['s1 = s1 + s2', 'What it predicts does not depend on the features.'],
  ['s1 = norm(v0)', null],
])('%s is remarked upon: %s', (line, remark) => {
  const text = `def Setup():\n  s2 = -1\ndef Predict(v0):\n  ${line}\ndef Learn(v0, s0):\n`;
  expect(explained(text).remark).toBe(remark);
});

test('what the run searches on decides what is explained, and what is exported', () => {
  const { text } = builtin('paper/logistic')!;
  const wide = { ...config, space: { ...config.space, memory: { scalars: 20, vectors: 20, matrices: 20 } } };
  const regression = { ...wide, tasks: findPreset('linear').tasks };
  const names = (settings: typeof wide) => explained(text, settings).simplified.techniques.map(({ name }) => name);
  expect(names(wide)).toContain('logistic-gradient');
  expect(names(regression)).not.toContain('logistic-gradient');
  const exported = (settings: typeof wide) => {
    const outcome = answerAbout('export', { text, config: settings, to: 'js', name: 'Model' });
    return 'answer' in outcome ? outcome.answer : outcome.problem;
  };
  expect(exported(wide)).toContain('function sigmoid');
  expect(exported(regression)).not.toContain('function sigmoid');
});
