import { describe, expect, it } from 'vitest';
import { parseProgram } from '../../program/parse.js';
import { findCarriedValues } from './carried-values.js';

describe('findCarriedValues', () => {
  it('tells what Predict leaves for Learn from what Learn leaves for Predict', () => {
    const { atStart, atEnd } = findCarriedValues(
      parseProgram(`def Setup():
  v1 = gaussian(0, 1)
def Predict(v0):
  v2 = v0 * v1
  s1 = mean(v2)
def Learn(v0, s0):
  s2 = s0 - s1
  v3 = s2 * v2
  v1 = v1 + v3
`),
      'scalar',
    );
    expect([...atStart.predict].sort()).toStrictEqual(['v0', 'v1']);
    expect([...atEnd.predict].sort()).toStrictEqual(['s1', 'v1', 'v2']);
    expect([...atEnd.learn]).toStrictEqual(['v1']);
    expect([...atEnd.setup]).toStrictEqual(['v1']);
  });

  it('carries an array of which only elements are set, and a prediction that Predict does not write', () => {
    const { atStart } = findCarriedValues(
      parseProgram('def Setup():\ndef Predict():\n  v3[1] = 0.5\ndef Learn():\n  s1 = mean(v3)\n'),
      'scalar',
    );
    expect([...atStart.predict].sort()).toStrictEqual(['s1', 'v3']);
  });

  it('does not carry features and labels, which are given anew', () => {
    const { atEnd } = findCarriedValues(
      parseProgram('def Setup():\ndef Predict():\n  s1 = s0 + s0\n  v0 = v0 + v0\ndef Learn():\n'),
      'scalar',
    );
    expect([...atEnd.predict]).toStrictEqual(['s1']);
    expect([...atEnd.learn]).toStrictEqual([]);
  });
});
