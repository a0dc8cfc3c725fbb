import { describe, expect, it } from 'vitest';
import { equalStore, expectSame } from '../../../tests/support/live-code.js';
import { opById } from '../../ops/ops.js';
import { BUILTIN_NAMES, builtin } from '../builtin.js';
import { DEFAULT_MEMORY, programProblem } from '../program.js';
import { CodeAnalyser } from './code-analyser.js';

const FEW = { scalars: 4, vectors: 4, matrices: 2 };
// tests/property has random programs.
describe('the live code of a program in a store', () => {
  it('is right where functions are empty or nothing is live', () => {
    const add = { op: 1, in1: 1, in2: 2, out: 1, index1: 0, index2: 0, const1: 0, const2: 0 };
    const dead = { ...add, out: 3 };
    expect(opById(1).name).toBe('scalar-add');
    const bodies = [[], [add], [dead], [add, dead]];
    for (const setup of bodies) {
      for (const predict of bodies) {
        for (const learn of bodies) {
          const program = { setup, predict, learn };
          const code = new CodeAnalyser('scalar');
          code.run(equalStore([program], FEW, 2), 0);
          expectSame(code, program);
        }
      }
    }
  });

  it('is that of the built-in programs', () => {
    for (const name of BUILTIN_NAMES) {
      const { program, labels } = builtin(name)!;
      expect(programProblem(program, DEFAULT_MEMORY)).toBeUndefined();
      const code = new CodeAnalyser(labels);
      code.run(equalStore([program], DEFAULT_MEMORY, 60), 0);
      expectSame(code, program);
    }
  });
});
