import { expect, it } from 'vitest';
import { builtin } from '../../src/program/builtin.js';
import { printProgram } from '../../src/program/print.js';
import { simplifyText } from '../../src/program/simplify-text.js';
import { explainText, placesByLine } from './explained-program.js';

it('has a comment for the line of each instruction', () => {
  const { program, labels } = builtin('paper/linear')!;
  const explained = explainText(printProgram(program, labels));
  if ('problem' in explained) throw new Error(explained.problem);
  const lines = explained.text.trimEnd().split('\n');
  expect(explained.comments).toHaveLength(lines.length);
  expect(placesByLine(program)).toHaveLength(lines.length);
  const prediction = lines.findIndex((line) => line.includes('s1 = dot(v0, v1)'));
  expect(explained.comments[prediction]).toContain('prediction');
  expect(explained.comments[lines.findIndex((line) => line.startsWith('def Learn'))]).toBe('');
});

it('says what is wrong with a text that is no program', () => {
  expect(explainText('def Setup():\n  s1 = <img>\n')).toHaveProperty('problem');
  expect(simplifyText('no program')).toBe('no program');
});
