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

/** What each line gives a value to, and how: a state has one line with its initial value, and one where it is updated. */
function leftSides(text: string): string[] {
  const lines = linesOf(text).filter((line) => line.includes(' &'));
  // The prediction of validation is another than that of training, under the same symbol.
  const end = text.includes('Prediction in validation') ? -1 : lines.length;
  return lines.slice(0, end).map((line) => line.replace('\\sim', '=').replace(/(&\S+).*/, '$1'));
}

it('gives each of three values that one address holds a symbol of its own', () => {
  const text = `def Setup():
  v1 = gaussian(0, 1)
def Predict(v0):
  s3 = dot(v0, v1)
  s4 = s3 * s3
  s3 = norm(v0)
  s5 = s3 * s4
  s4 = s3 + s5
  s3 = exp(s4)
  s1 = s3 * s3
  s1 = s1 + s4
def Learn(v0, s0):
`;
  const { program, labels } = parseSource(text);
  const sides = leftSides(latex(program, labels));
  expect(sides).toContain("s_{3}'' &=");
  expect(new Set(sides).size).toBe(sides.length);
});

it('has bold predictions of many classes', () => {
  const text = `def Setup():
def Predict(v0):
  v2 = v2 + v3
def Learn(v0, v1):
  v3 = v1 - v2
  v2 = v3 + v1
`;
  const { program, labels } = parseSource(text);
  expect(labels).toBe('vector');
  expect(latex(program, labels)).not.toContain('\\hat{y}');
});

it('gives no symbol to two values, whatever the program', () => {
  fc.assert(
    fc.property(arbitraryProgram({ maxLength: 10 }), fc.constantFrom('scalar', 'vector'), (random, labels) => {
      const text = latex(withPrediction(random, labels), labels);
      const sides = leftSides(text);
      expect(new Set(sides).size, text).toBe(sides.length);
      if (labels === 'vector') expect(text).not.toContain('\\hat{y}');
    }),
    { numRuns: countRuns(100) },
  );
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
