import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConstant, arbitraryProgram, type ProgramShape, withPrediction } from '../../tests/support/arbitraries.js';
import { storeOf as storeWith } from '../../tests/support/stores.js';
import { OPS, opById } from '../ops/ops.js';
import { hashToHex } from '../util/hash.js';
import { BUILTIN_NAMES, builtin } from './builtin.js';
import { canonicalHash } from './canonical.js';
import { CodeAnalyser } from './code-analyser.js';
import type { CodeStore } from './code-store.js';
import { LiveCode } from './live-code.js';
import { simplify } from './liveness.js';
import { PREDICTION_SLOT } from './liveness-analysis.js';
import {
  DEFAULT_MEMORY,
  FUNCTION_NAMES,
  type LabelKind,
  type MemorySizes,
  type Program,
  programProblem,
} from './program.js';

/** Slots have other numbers in a store than in a program: named here in the order in which they occur. */
function describeLive(code: LiveCode) {
  const names = new Map<number, string>();
  const nameOf = (slot: number) => {
    if (slot < 0) return 'none';
    if (!names.has(slot))
      names.set(slot, `${slot <= PREDICTION_SLOT ? slot : names.size + 10} type ${code.slotType[slot]}`);
    return names.get(slot)!;
  };
  const instructions = Array.from({ length: code.end }, (_, k) => ({
    op: code.ops[k],
    out: nameOf(code.out[k]!),
    in1: nameOf(code.in1[k]!),
    in2: nameOf(code.in2[k]!),
    marks: code.marks[k],
    indices: [code.index1[k], code.index2[k]],
    constants: [code.constants[2 * k], code.constants[2 * k + 1]],
  }));
  return { firstOfPredict: code.firstOfPredict, firstOfLearn: code.firstOfLearn, end: code.end, instructions };
}

function expectSame({ live: actual, high, low }: CodeAnalyser, program: Program): void {
  const expected = new LiveCode(actual.labels);
  expected.setProgram(program);
  expect(describeLive(actual)).toStrictEqual(describeLive(expected));
  expect(hashToHex(high, low)).toBe(canonicalHash(program, actual.labels));
  // And what is live is what the definition says.
  const live = simplify(program, actual.labels);
  const ops = FUNCTION_NAMES.flatMap((name) => live[name].map(({ op }) => op));
  expect([...actual.ops.subarray(0, actual.end)]).toEqual(ops);
  expect([actual.firstOfPredict, actual.firstOfLearn]).toEqual([
    live.setup.length,
    live.setup.length + live.predict.length,
  ]);
}

function storeOf(programs: readonly Program[], memory: MemorySizes, length: number): CodeStore {
  return storeWith(programs, memory, { setup: length, predict: length, learn: length });
}

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
          code.run(storeOf([program], memory, maxLength), 0);
          expectSame(code, program);
        }),
        { numRuns: 500 },
      );
    });

    it('is that of the program where none sets an element', () => {
      fc.assert(
        fc.property(cases, ({ program, labels }) => {
          const plain = withoutElements(program);
          const code = new CodeAnalyser(labels);
          code.run(storeOf([plain], memory, maxLength), 0);
          expectSame(code, plain);
        }),
        { numRuns: 500 },
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
        const store = storeOf([whole], { scalars: 3, vectors: 3, matrices: 2 }, 24);
        code.run(store, 0);
        expectSame(code, whole);
        const live = simplify(whole).setup.filter(setsElement).length;
        if (live > 0 && live < elements.length) twice++;
      }),
      { numRuns: 1000 },
    );
    expect(twice).toBeGreaterThan(100);
  });

  it('does not depend on the programs before', () => {
    const maxLength = 6;
    const cases = casesOf({ memory: FEW, maxLength });
    const codes = { scalar: new CodeAnalyser('scalar'), vector: new CodeAnalyser('vector') };
    fc.assert(
      fc.property(fc.array(cases, { minLength: 2, maxLength: 6 }), (all) => {
        const { labels } = all[0]!;
        const programs = all.map(({ program }, k) => (k % 2 === 0 ? program : withoutElements(program)));
        const store = storeOf(programs, FEW, maxLength);
        for (const [k, program] of programs.entries()) {
          codes[labels].run(store, k);
          expectSame(codes[labels], program);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('does not depend on the stores and programs before', () => {
    const small = { memory: FEW, maxLength: 6 };
    const large = { memory: AS_MANY_AS_BITS, maxLength: 40 };
    const code = new CodeAnalyser('scalar');
    fc.assert(
      fc.property(casesOf(small), casesOf(large), (one, other) => {
        const [first, second] = [withoutElements(one.program), withoutElements(other.program)];
        const [here, there] = [storeOf([first], FEW, 6), storeOf([second], AS_MANY_AS_BITS, 40)];
        code.run(here, 0);
        expectSame(code, first);
        code.run(there, 0);
        expectSame(code, second);
      }),
      { numRuns: 200 },
    );
  });

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
          code.run(storeOf([program], FEW, 2), 0);
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
      code.run(storeOf([program], DEFAULT_MEMORY, 60), 0);
      expectSame(code, program);
    }
  });
});
