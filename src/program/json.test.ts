import { describe, expect, it } from 'vitest';
import { builtin } from './builtin.js';
import { programFromJson, programToJson } from './json.js';
import { printProgram } from './print.js';

const empty = { setup: [], predict: [], learn: [] };
const learning = (...learn: unknown[]) => ({ ...empty, learn });

describe('the JSON form', () => {
  it('writes ops by name and only the fields that an op has', () => {
    const { program } = builtin('paper/linear')!;
    expect(programToJson(program)).toEqual({
      labels: 'scalar',
      setup: [{ op: 'scalar-constant', out: 2, constants: [0.05] }],
      predict: [{ op: 'dot', in: [0, 1], out: 1 }],
      learn: [
        { op: 'scalar-subtract', in: [0, 1], out: 3 },
        { op: 'scalar-multiply', in: [2, 3], out: 3 },
        { op: 'vector-scale', in: [3, 0], out: 2 },
        { op: 'vector-add', in: [1, 2], out: 1 },
      ],
    });
  });

  it('keeps the sign of zero', () => {
    const { program } = programFromJson(learning({ op: 'scalar-constant', out: 2, constants: ['-0'] }));
    expect(program.learn[0]!.const1).toBe(-0);
    expect(programToJson(program).learn).toEqual([{ op: 'scalar-constant', out: 2, constants: ['-0'] }]);
  });

  it('reads element indices and no-ops', () => {
    const { program } = programFromJson(
      learning({ op: 'no-op' }, { op: 'matrix-element', out: 1, index: [2, 3], constants: [0.5] }),
    );
    expect(printProgram(program)).toMatch(/no_op\n {2}m1\[2, 3\] = 0.5\n$/);
  });

  it.each([
    [null, 'expected an object with setup, predict and learn'],
    [[], 'expected an object with setup, predict and learn'],
    [{ setup: [], predict: [] }, 'learn: expected an array of instructions'],
    [{ ...empty, extra: 1 }, 'unexpected field "extra"'],
    [{ ...empty, labels: 'text' }, 'labels: expected "scalar" or "vector"'],
    [learning(7), 'learn[0]: expected an instruction object'],
    [learning({ op: 'scaler-add' }), 'learn[0].op: unknown op "scaler-add"; did you mean "scalar-add"?'],
    [learning({ op: 1 }), 'learn[0].op: unknown op 1'],
    [learning({ op: 'scalar-add', in: [1], out: 2 }), 'learn[0].in: expected an array of 2 numbers'],
    [learning({ op: 'scalar-add', in: [1, '2'], out: 2 }), 'learn[0].in: expected an array of 2 numbers'],
    [learning({ op: 'scalar-add', in: [1, 2] }), 'learn[0].out: expected a number'],
    [learning({ op: 'no-op', out: 1 }), 'learn[0].out: no-op has no output'],
    [learning({ op: 'scalar-add', in: [1, 2], out: 3, next: 1 }), 'learn[0]: unexpected field "next"'],
    [learning({ op: 'scalar-constant', out: 2, constants: [] }), 'learn[0].constants: expected an array of 1 number'],
    [
      learning({ op: 'scalar-constant', out: 2, constants: [Number.NaN] }),
      'learn[0]: constants must be finite numbers',
    ],
    [learning({ op: 'scalar-add', in: [1, 2.5], out: 2 }), /^learn\[0\]: scalar address s2.5 is out of range/],
    [learning({ op: 'scalar-add', in: [1, 2], out: -1 }), /^learn\[0\]: scalar address s-1 is out of range/],
    [learning({ op: 'vector-element', out: 1, index: [2_000_000], constants: [1] }), /index 2000000 is out of range$/],
    [learning({ op: 'scalar-abs', in: ['-0'], out: 2 }), 'learn[0].in: expected an array of 1 number'],
    [learning({ op: [[[]]] }), 'learn[0].op: unknown op an array'],
    [learning({ op: 'x'.repeat(1000) }), /^learn\[0\]\.op: unknown op "x{40}\.\.\."$/],
    [
      learning({ op: 'vector-element', out: 1, index: [-1], constants: [1] }),
      'learn[0]: element index -1 is out of range',
    ],
  ])('refuses %j', (value, message) => {
    expect(() => programFromJson(value)).toThrow(message);
  });
});
