// What the analyser says of random programs in a store is what the definitions say of the programs themselves.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPS } from '../../src/ops/ops.js';
import { CodeAnalyser } from '../../src/program/flat/code-analyser.js';
import { simplify } from '../../src/program/liveness.js';
import { DEFAULT_MEMORY, FUNCTION_NAMES, type LabelKind, type Program } from '../../src/program/program.js';
import { countRuns } from '../support/amount.js';
import { anyConstant, arbitraryProgram, type ProgramShape, withPrediction } from '../support/arbitraries.js';
import { equalStore, expectSame } from '../support/live-code.js';

const setsElement = ({ op }: { readonly op: number }) => OPS[op]!.indices > 0;

function withoutElements(program: Program): Program {
  const [setup, predict, learn] = FUNCTION_NAMES.map((name) => program[name].filter((i) => !setsElement(i)));
  return { setup: setup!, predict: predict!, learn: learn! };
}

function casesOf(shape: ProgramShape) {
  return fc
    .record({ program: arbitraryProgram(shape), labels: fc.constantFrom<LabelKind>('scalar', 'vector') })
    .map(({ program, labels }) => ({ program: withPrediction(program, labels), labels }));
}

const FEW = { scalars: 4, vectors: 4, matrices: 2 };
/** Just as many addresses as there are bits. */
const AS_MANY_AS_BITS = { scalars: 22, vectors: 22, matrices: 19 };
const ONE_MORE_THAN_BITS = { scalars: 22, vectors: 40, matrices: 2 };
const MANY = { scalars: 30, vectors: 30, matrices: 20 };

describe('the live code of a program in a store', () => {
  describe.each([
    ['few addresses', FEW, 6],
    ['few addresses, long programs', FEW, 30],
    ['63 addresses', AS_MANY_AS_BITS, 25],
    ['64 addresses', ONE_MORE_THAN_BITS, 25],
    ['40 addresses', DEFAULT_MEMORY, 10],
    ['80 addresses', MANY, 40],
  ] as const)('%s', (_, memory, maxLength) => {
    const cases = casesOf({ memory, maxLength, constant: anyConstant });

    it('is that of the program', () => {
      fc.assert(
        fc.property(cases, ({ program, labels }) => {
          const code = new CodeAnalyser(labels);
          code.run(equalStore([program], memory, maxLength), 0);
          expectSame(code, program);
        }),
        { numRuns: countRuns(500) },
      );
    });

    it('is that of the program where none sets an element', () => {
      fc.assert(
        fc.property(cases, ({ program, labels }) => {
          const plain = withoutElements(program);
          const code = new CodeAnalyser(labels);
          code.run(equalStore([plain], memory, maxLength), 0);
          expectSame(code, plain);
        }),
        { numRuns: countRuns(500) },
      );
    });
  });

  it('is the same where Setup sets elements, some of them twice', () => {
    const code = new CodeAnalyser('scalar');
    const element = fc
      .record({ isMatrix: fc.boolean(), out: fc.nat(1), index1: fc.nat(1), index2: fc.nat(1), const1: fc.nat(3) })
      .map(({ isMatrix, out, index1, index2, const1 }) => {
        const common = { in1: 0, in2: 0, index1, const1, const2: 0 };
        return isMatrix ? { ...common, op: 58, out, index2 } : { ...common, op: 57, out: out + 1, index2: 0 };
      });
    const reader = arbitraryProgram({ memory: { scalars: 3, vectors: 3, matrices: 2 }, maxLength: 8 });
    const cases = fc.tuple(fc.array(element, { minLength: 2, maxLength: 12 }), reader, fc.nat(8));
    let twice = 0;
    fc.assert(
      fc.property(cases, ([elements, program, at]) => {
        const others = withoutElements(program);
        const setup = [...elements.slice(0, at), ...others.setup, ...elements.slice(at)];
        const whole = withPrediction({ ...others, setup }, 'scalar');
        const store = equalStore([whole], { scalars: 3, vectors: 3, matrices: 2 }, 24);
        code.run(store, 0);
        expectSame(code, whole);
        const live = simplify(whole).setup.filter(setsElement).length;
        if (live > 0 && live < elements.length) twice++;
      }),
      { numRuns: countRuns(1000) },
    );
    expect(twice).toBeGreaterThan(countRuns(100));
  });

  it('does not depend on the programs before', () => {
    const maxLength = 6;
    const cases = casesOf({ memory: FEW, maxLength });
    const codes = { scalar: new CodeAnalyser('scalar'), vector: new CodeAnalyser('vector') };
    fc.assert(
      fc.property(fc.array(cases, { minLength: 2, maxLength: 6 }), (all) => {
        const { labels } = all[0]!;
        const programs = all.map(({ program }, k) => (k % 2 === 0 ? program : withoutElements(program)));
        const store = equalStore(programs, FEW, maxLength);
        for (const [k, program] of programs.entries()) {
          codes[labels].run(store, k);
          expectSame(codes[labels], program);
        }
      }),
      { numRuns: countRuns(200) },
    );
  });

  it('does not depend on the stores and programs before', () => {
    const small = { memory: FEW, maxLength: 6 };
    const large = { memory: AS_MANY_AS_BITS, maxLength: 40 };
    const code = new CodeAnalyser('scalar');
    fc.assert(
      fc.property(casesOf(small), casesOf(large), (one, other) => {
        const [first, second] = [withoutElements(one.program), withoutElements(other.program)];
        const [here, there] = [equalStore([first], FEW, 6), equalStore([second], AS_MANY_AS_BITS, 40)];
        code.run(here, 0);
        expectSame(code, first);
        code.run(there, 0);
        expectSame(code, second);
      }),
      { numRuns: countRuns(200) },
    );
  });
});
