import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { BUILTIN_TEXTS } from '../program/builtin-texts.js';
import { colorProgram } from './program-colors.js';

const colors = pc.createColors(true);
const { bold, dim, cyan, green, yellow, magenta, blueBright } = colors;

test('ops, addresses and constants differ', () => {
  expect(colorProgram('  s1 = dot(v0, v12)', colors)).toBe(
    `  ${green('s1')} = ${cyan('dot')}(${yellow('v0')}, ${yellow('v12')})`,
  );
  expect(colorProgram('  m2 = norm(m0, axis=1)', colors)).toBe(
    `  ${magenta('m2')} = ${cyan('norm')}(${magenta('m0')}, axis=${blueBright('1')})`,
  );
  expect(colorProgram('  no_op', colors)).toBe(`  ${cyan('no_op')}`);
});

test('a constant has its sign and exponent; a difference has none', () => {
  expect(colorProgram('  s2 = -1.5e-7', colors)).toBe(`  ${green('s2')} = ${blueBright('-1.5e-7')}`);
  expect(colorProgram('  s2 = s3 - s4', colors)).toBe(`  ${green('s2')} = ${green('s3')} - ${green('s4')}`);
});

test('heads are bold and comments dim', () => {
  expect(colorProgram('def Predict(v0):\n\n# dot(v0)\n  s1 = 1 # s2', colors)).toBe(
    `${bold('def Predict(v0):')}\n\n${dim('# dot(v0)')}\n  ${green('s1')} = ${blueBright('1')} ${dim('# s2')}`,
  );
});

test('nothing but colours is added, and nothing at all where they are off', () => {
  for (const text of Object.values(BUILTIN_TEXTS)) {
    expect(colorProgram(text, pc.createColors(false))).toBe(text);
    expect(colorProgram(text, colors)).not.toBe(text);
    expect(stripVTControlCharacters(colorProgram(text, colors))).toBe(text);
  }
});
