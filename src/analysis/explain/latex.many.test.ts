import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countRuns } from '../../../tests/support/amount.js';
import { arbitraryProgram, withPrediction } from '../../../tests/support/arbitraries.js';
import { builtin } from '../../program/builtin.js';
import { parseSource } from '../../program/parse.js';
import { latex } from './latex.js';

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim().replace(/ \\\\$/, ''));
}

it('writes the algebra of paper/evolved', () => {
  const { program, labels } = builtin('paper/evolved')!;
  const lines = linesOf(latex(program, labels));
  expect(lines).toContain('\\delta &= y - \\hat{y}');
  expect(lines).toContain('\\bar{\\mathbf{W}} &\\gets \\bar{\\mathbf{W}} + \\mathbf{W}');
  expect(lines).toContain('\\mathbf{u} &\\sim \\mathcal{U}(0.0024, 0.67)');
  expect(lines.at(-3)).toBe('\\hat{y} &= \\mathbf{a}_{2}^\\top \\nu \\, \\bar{\\mathbf{W}} \\, \\mathbf{a}');
});

it('keeps apart what a state was before its update', () => {
  const text = `def Setup():
  s2 = 0.1
def Predict(v0):
  s1 = dot(v0, v1)
def Learn(v0, s0):
  v5 = abs(v1)
  s3 = s0 - s1
  s3 = s2 * s3
  v2 = s3 * v0
  v1 = v1 + v2
  v6 = v5 + v6
  s4 = norm(v6)
  s2 = s2 / s4
`;
  const { program, labels } = parseSource(text);
  const lines = linesOf(latex(program, labels));
  const update = lines.findIndex((line) => line.startsWith('\\mathbf{w} &\\gets'));
  const old = lines.findIndex((line) => line.includes('\\left|\\mathbf{w}\\right|'));
  expect(update).toBeGreaterThan(0);
  expect(old).toBeGreaterThan(0);
  expect(old).toBeLessThan(update);
});

it('is balanced for every program', () => {
  const count = (text: string, part: RegExp) => text.match(part)?.length ?? 0;
  fc.assert(
    fc.property(arbitraryProgram({ maxLength: 10 }), fc.constantFrom('scalar', 'vector'), (random, labels) => {
      const text = latex(withPrediction(random, labels), labels);
      expect(count(text, /\{/g)).toBe(count(text, /\}/g));
      expect(count(text, /\\left/g)).toBe(count(text, /\\right/g));
      for (const line of linesOf(text).slice(1, -2)) expect(count(line, /&/g), line).toBe(1);
      expect(text).not.toMatch(/undefined|NaN|_\{\d+\}_/);
    }),
    { numRuns: countRuns(100) },
  );
});
