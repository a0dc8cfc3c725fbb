import { describe, expect, it } from 'vitest';
import { MUTATION_NAMES } from '../../../src/evolve/mutations.js';
import { OPS } from '../../../src/ops/ops.js';
import { builtin } from '../../../src/program/builtin.js';
import { parseSource } from '../../../src/program/parse.js';
import { printProgram } from '../../../src/program/print.js';
import { countInstructions } from '../../../src/program/program.js';
import { mutateProgram } from './mutate-program.js';

const { program, labels } = builtin('paper/linear')!;

describe('mutating a program', () => {
  it('does what is asked for', () => {
    const size = countInstructions(program);
    for (const kind of MUTATION_NAMES) {
      const mutated = mutateProgram(program, labels, { kind, features: 4, seed: 1 });
      const grown = kind === 'insert' ? 1 : kind === 'remove' ? -1 : 0;
      expect(mutated.mutation).toBe(kind);
      expect(countInstructions(mutated.program)).toBe(size + (mutated.isChanged ? grown : 0));
    }
  });

  it('draws a kind, the same for the same seed', () => {
    const kinds = new Set(
      Array.from({ length: 60 }, (_, seed) => mutateProgram(program, labels, { features: 4, seed }).mutation),
    );
    expect(kinds).toEqual(new Set(MUTATION_NAMES));
    const twice = [5, 5].map((seed) => mutateProgram(program, labels, { features: 4, seed }));
    expect(twice[0]).toEqual(twice[1]);
  });

  it('makes numbers out of nothing in Setup, and nowhere else', () => {
    const empty = { setup: [], predict: [], learn: [] };
    const made = Array.from({ length: 2000 }, (_, seed) =>
      mutateProgram(empty, 'scalar', { kind: 'insert', features: 4, seed }),
    ).map(({ program }) => program);
    const opsOf = (instructions: readonly { readonly op: number }[]) =>
      [...new Set(instructions.map(({ op }) => op))].sort((a, b) => a - b);
    const inSetup = opsOf(made.flatMap(({ setup }) => setup));
    const elsewhere = opsOf(made.flatMap(({ predict, learn }) => [...predict, ...learn]));
    // As in the paper: the ops from 56 on.
    expect(inSetup).toEqual(OPS.map(({ id }) => id).filter((id) => id >= 56));
    expect(elsewhere).toEqual(OPS.map(({ id }) => id).filter((id) => id < 56));
  });

  it('makes programs that can be written and read', () => {
    let { program: last, labels: kind } = builtin('paper/evolved')!;
    for (let seed = 0; seed < 300; seed++) last = mutateProgram(last, kind, { features: 16, seed }).program;
    expect(parseSource(printProgram(last, kind)).program).toEqual(last);
  });

  it('leaves a program without instructions as it is, unless one comes', () => {
    const empty = { setup: [], predict: [], learn: [] };
    expect(mutateProgram(empty, 'scalar', { kind: 'remove', features: 4, seed: 1 })).toMatchObject({
      program: empty,
      isChanged: false,
    });
    expect(mutateProgram(empty, 'scalar', { kind: 'insert', features: 4, seed: 1 }).isChanged).toBe(true);
  });
});
