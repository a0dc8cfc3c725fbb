import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryProgram } from '../../tests/support/arbitraries.js';
import { OPS, opById } from '../ops/ops.js';
import {
  FUNCTION_NAMES,
  forFunctions,
  type Instruction,
  indexProblem,
  type LabelKind,
  memorySize,
  type Program,
  programProblem,
} from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import { CONSTANT_CHANGES, MUTATION_NAMES, type MutationName, Mutator } from './mutations.js';
import { type FunctionSpace, SearchSpace, type SpaceOptions } from './search-space.js';

// --- Random spaces -----------------------------------------------------------------------------------------------------

/** There is an address of each type, besides the features and the label, that instructions may write to. */
const memories = fc.record({
  scalars: fc.integer({ min: 2, max: 6 }),
  vectors: fc.integer({ min: 3, max: 6 }),
  matrices: fc.integer({ min: 0, max: 3 }),
});

const sizes = fc.tuple(fc.nat(4), fc.nat(4)).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));

/** Any space in which something may change. The indices of arbitrary programs go up to 3. */
const spaces: fc.Arbitrary<SpaceOptions> = memories.chain((memory) => {
  const possible = OPS.filter(({ output, inputs }) =>
    [...(output === undefined ? [] : [output]), ...inputs].every((type) => memorySize(memory, type) > 0),
  ).map(({ id }) => id);
  const functionSpace: fc.Arbitrary<FunctionSpace> = fc
    .tuple(fc.subarray(possible, { minLength: 1 }), sizes)
    .map(([ops, limits]) => ({ ops, ...limits }));
  const maybe = fc.option(functionSpace, { nil: undefined });
  const base = arbitraryProgram({ maxLength: 3 }).map((program) => withinMemory(program, possible, memory));
  return fc
    .record({
      memory: fc.constant(memory),
      features: fc.integer({ min: 4, max: 6 }),
      labels: fc.constantFrom<LabelKind>('scalar', 'vector'),
      functions: fc.record({ setup: maybe, predict: maybe, learn: maybe }),
      base,
    })
    .filter(({ functions }) => FUNCTION_NAMES.some((name) => functions[name] !== undefined));
});

function withinMemory(program: Program, possible: readonly number[], memory: SpaceOptions['memory']): Program {
  return forFunctions((name) =>
    program[name].filter(
      (instruction) =>
        possible.includes(instruction.op) &&
        programProblem({ setup: [instruction], predict: [], learn: [] }, memory) === undefined,
    ),
  );
}

// --- What each mutation promises ---------------------------------------------------------------------------------------

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Whether `longer` without one instruction is `shorter`. */
function isLongerByOne(longer: readonly Instruction[], shorter: readonly Instruction[]): boolean {
  return longer.length === shorter.length + 1 && longer.some((_, k) => same(longer.toSpliced(k, 1), shorter));
}

function differences(before: readonly Instruction[], after: readonly Instruction[]): number[] {
  return before.flatMap((instruction, k) => (same(instruction, after[k]) ? [] : [k]));
}

function changedFields(before: Instruction, after: Instruction): string[] {
  return (Object.keys(before) as (keyof Instruction)[]).filter((field) => before[field] !== after[field]);
}

type Body = readonly Instruction[];

const KEEPS_ITS_PROMISE: Readonly<Record<MutationName, (before: Body, after: Body, space: FunctionSpace) => boolean>> =
  {
    insert: (before, after, { max }) => (before.length === max ? same(before, after) : isLongerByOne(after, before)),
    remove: (before, after, { min }) => (before.length === min ? same(before, after) : isLongerByOne(before, after)),
    'randomize-function': (before, after, { ops }) =>
      before.length === after.length && after.every(({ op }) => ops.includes(op)),
    'alter-argument': (before, after) => {
      const [place, ...others] = differences(before, after);
      if (before.length !== after.length || others.length > 0) return false;
      if (place === undefined) return true;
      const fields = changedFields(before[place]!, after[place]!);
      return fields.length === 1 && fields[0] !== 'op';
    },
    'randomize-instruction': (before, after) =>
      before.length === after.length && differences(before, after).length <= 1,
    trade: (before, after) =>
      before.length === after.length &&
      (before.length === 0 || before.some((_, k) => isLongerByOne(after, before.toSpliced(k, 1)))),
  };

/** Whether an instruction writes what only the task writes. */
function writesTaskInput({ op, out }: Instruction, labels: LabelKind): boolean {
  const { output } = opById(op);
  if (output === 's') return labels === 'scalar' && out === 0;
  return output === 'v' && (out === 0 || (labels === 'vector' && out === 1));
}

function expectInSpace(program: Program, { memory, features, labels, functions, base }: SpaceOptions): void {
  expect(programProblem(program, memory)).toBeUndefined();
  expect(indexProblem(program, features)).toBeUndefined();
  for (const name of FUNCTION_NAMES) {
    const space = functions[name];
    if (space === undefined) {
      expect(program[name]).toStrictEqual(base[name]);
      continue;
    }
    expect(program[name].length).toBeGreaterThanOrEqual(space.min);
    expect(program[name].length).toBeLessThanOrEqual(space.max);
    expect(program[name].every(({ op }) => space.ops.includes(op))).toBe(true);
    expect(program[name].some((instruction) => writesTaskInput(instruction, labels))).toBe(false);
  }
}

describe('mutants', () => {
  it('stay within their space, and change as their mutation promises', () => {
    fc.assert(
      fc.property(
        spaces,
        fc.constantFrom(...CONSTANT_CHANGES),
        fc.array(fc.constantFrom(...MUTATION_NAMES), { minLength: 20, maxLength: 30 }),
        fc.nat(),
        (options, constants, mutations, seed) => {
          const space = new SearchSpace(options);
          const mutator = new Mutator(space, { weights: { insert: 1 }, constants });
          const random = new FastRandom(seed);
          const store = space.makeStore(3);
          for (const place of [0, 1, 2]) space.randomProgram(store, place, random);
          const neighbours = [store.read(0), store.read(2)];
          for (const mutation of mutations) {
            const before = store.read(1);
            expectInSpace(before, options);
            mutator.apply(mutation, store, 1, random);
            const after = store.read(1);
            expectInSpace(after, options);
            const changed = FUNCTION_NAMES.filter((name) => !same(before[name], after[name]));
            expect(changed.length).toBeLessThanOrEqual(1);
            // Where nothing changed, the promise must allow that for one of the functions.
            const kept = FUNCTION_NAMES.filter((name) => {
              const own = options.functions[name];
              return own !== undefined && KEEPS_ITS_PROMISE[mutation](before[name], after[name], own);
            });
            for (const name of changed) expect(kept, mutation).toContain(name);
            expect(kept.length, mutation).toBeGreaterThan(0);
          }
          expect([store.read(0), store.read(2)]).toStrictEqual(neighbours);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of programs that are smaller than the space wants only grow', () => {
    const instruction = { op: 1, in1: 0, in2: 0, out: 1, index1: 0, index2: 0, const1: 0, const2: 0 };
    const limits = { ops: [1], min: 2, max: 3 };
    const functions = { setup: undefined, predict: limits, learn: undefined };
    const memory = { scalars: 2, vectors: 2, matrices: 0 };
    const base = { setup: [], predict: [], learn: [] };
    const space = new SearchSpace({ memory, features: 4, labels: 'scalar', functions, base });
    const mutator = new Mutator(space, { weights: { insert: 1 }, constants: 'paper' });
    const store = space.makeStore(1);
    store.write(0, { ...base, predict: [instruction] });
    mutator.apply('remove', store, 0, new FastRandom(1));
    expect(store.length(0, 1)).toBe(1);
    mutator.apply('insert', store, 0, new FastRandom(1));
    expect(store.length(0, 1)).toBe(2);
  });
});
