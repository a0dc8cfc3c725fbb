import { describe, expect, it } from 'vitest';
import { BUILTIN_NAMES, builtin } from './builtin.js';
import { canonicalHash, canonicalize } from './canonical.js';
import { parseProgram } from './parse.js';
import { printProgram } from './print.js';

function program(setup: string[], predict: string[], learn: string[]) {
  return parseProgram(['def Setup():', ...setup, 'def Predict():', ...predict, 'def Learn():', ...learn].join('\n'));
}

describe('the canonical form', () => {
  it('numbers addresses in the order of first use, after those with a fixed meaning', () => {
    const canonical = canonicalize(
      program(['s9 = 0.1'], ['s1 = dot(v7, v0)'], ['s5 = s0 - s1', 's5 = s5 * s9', 'v4 = s5 * v0', 'v7 = v4 + v7']),
    );
    expect(printProgram(canonical)).toBe(
      printProgram(
        program(['s2 = 0.1'], ['s1 = dot(v0, v1)'], ['s3 = s0 - s1', 's3 = s2 * s3', 'v2 = s3 * v0', 'v1 = v1 + v2']),
      ),
    );
  });

  it('does not depend on which of two new inputs comes first', () => {
    const one = program([], ['s1 = s7 + s8', 's7 = sin(s1)', 's8 = cos(s1)'], []);
    const other = program([], ['s1 = s7 + s8', 's8 = sin(s1)', 's7 = cos(s1)'], []);
    expect(canonicalHash(one)).toBe(canonicalHash(other));
  });

  it('takes all addresses that are never written for one', () => {
    const one = program([], ['v4 = maximum(v0, v5)', 's1 = norm(v4)', 's1 = s1 + s6'], []);
    const other = program([], ['v4 = maximum(v0, v9)', 's1 = norm(v4)', 's1 = s1 + s7'], []);
    expect(canonicalHash(one)).toBe(canonicalHash(other));
    expect(canonicalHash(program([], ['s1 = s4 / s5'], []))).toBe(canonicalHash(program([], ['s1 = s4 / s4'], [])));
  });

  it('keeps the order of inputs that do not commute', () => {
    for (const [one, other] of [
      ['s1 = s0 - s1', 's1 = s1 - s0'],
      ['v1 = maximum(v0, v1)', 'v1 = maximum(v1, v0)'],
      ['m0 = outer(v0, v1)', 'm0 = outer(v1, v0)'],
    ] as const) {
      const around = (line: string) =>
        program(
          [],
          [line, 's2 = norm(v1)', 'v3 = dot(m0, v0)', 's3 = norm(v3)', 's4 = s1 + s2', 's1 = s3 + s4'],
          ['v1 = abs(v0)'],
        );
      expect(canonicalHash(around(one))).not.toBe(canonicalHash(around(other)));
    }
  });

  it('tells labels apart', () => {
    const { program: any } = builtin('paper/multi-class-raw')!;
    expect(canonicalHash(any, 'vector')).not.toBe(canonicalHash(any, 'scalar'));
  });

  it('is the same on every machine', () => {
    // Caches and checkpoints rely on these: a change here is a change of format.
    expect(canonicalHash(builtin('paper/linear')!.program)).toBe('2c8c89e3e6de5bbe');
    expect(canonicalHash(builtin('paper/evolved-raw')!.program)).toBe(
      canonicalHash(builtin('paper/evolved-simplified')!.program),
    );
    expect(
      new Set(BUILTIN_NAMES.map((name) => canonicalHash(builtin(name)!.program, builtin(name)!.labels))).size,
    ).toBe(BUILTIN_NAMES.length - 1);
  });
});
