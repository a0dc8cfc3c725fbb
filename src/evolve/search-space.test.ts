import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { countCells, evenly, expectDistribution } from '../../tests/support/chi-square.js';
import { OPS, opById } from '../ops/ops.js';
import type { OperandType } from '../ops/types.js';
import type { CodeStore } from '../program/flat/code-store.js';
import {
  FUNCTION_NAMES,
  type Instruction,
  type LabelKind,
  memorySize,
  type Program,
  programProblem,
} from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import { SearchSpace, type SpaceOptions } from './search-space.js';

const MEMORY = { scalars: 5, vectors: 4, matrices: 3 };
const FEATURES = 6;
const EMPTY: Program = { setup: [], predict: [], learn: [] };
const ALL_OPS = OPS.map(({ id }) => id);
const [SETUP, PREDICT, LEARN] = [0, 1, 2] as const;

function makeSpace(options: Partial<SpaceOptions> = {}): SearchSpace {
  const any = { ops: ALL_OPS, min: 0, max: 4 };
  const functions = { setup: any, predict: any, learn: any };
  return new SearchSpace({ memory: MEMORY, features: FEATURES, labels: 'scalar', functions, base: EMPTY, ...options });
}

/** A space in which all functions have only these ops. */
function spaceOf(ops: readonly number[], labels: LabelKind = 'scalar'): SearchSpace {
  const one = { ops, min: 1, max: 1 };
  return makeSpace({ labels, functions: { setup: one, predict: one, learn: one } });
}

/** Random instructions of a function. */
function drawInstructions(space: SearchSpace, fn: number, count: number, random: FastRandom): Instruction[] {
  const store = space.makeStore(1);
  return Array.from({ length: count }, () => {
    space.randomizeFunction(store, 0, fn, 1, random);
    return store.read(0)[FUNCTION_NAMES[fn]!][0]!;
  });
}

/** Counts what a function finds in each instruction. */
function countIn(instructions: readonly Instruction[], cells: number, find: (instruction: Instruction) => number) {
  let k = 0;
  return countCells(cells, instructions.length, () => find(instructions[k++]!));
}

/** The addresses that only the task writes to. */
const TASK_INPUTS = {
  scalar: { s: [0], v: [0], m: [] },
  vector: { s: [], v: [0, 1], m: [] },
} as const satisfies Record<LabelKind, Record<OperandType, readonly number[]>>;

function outputProbabilities(type: OperandType, labels: LabelKind): number[] {
  const inputs: readonly number[] = TASK_INPUTS[labels][type];
  const size = memorySize(MEMORY, type);
  return Array.from({ length: size }, (_, k) => (inputs.includes(k) ? 0 : 1 / (size - inputs.length)));
}

describe('a random instruction', () => {
  it('has an op of its function, each as likely as any other', () => {
    const lists = { setup: [56, 57, 62], predict: [1, 18, 27, 0], learn: [63] };
    const [setup, predict, learn] = FUNCTION_NAMES.map((name) => ({ ops: lists[name], min: 1, max: 1 }));
    const space = makeSpace({ functions: { setup: setup!, predict: predict!, learn: learn! } });
    for (const [fn, name] of FUNCTION_NAMES.entries()) {
      const drawn = drawInstructions(space, fn, 5000, new FastRandom(1, fn));
      expectDistribution(
        countIn(drawn, lists[name].length, ({ op }) => lists[name].indexOf(op)),
        evenly(lists[name].length),
      );
    }
    const all = drawInstructions(makeSpace(), PREDICT, 20_000, new FastRandom(2));
    expectDistribution(
      countIn(all, OPS.length, ({ op }) => op),
      evenly(OPS.length),
    );
  });

  describe.each(['scalar', 'vector'] as const)('with %s labels', (labels) => {
    it.each(OPS.map(({ name, id }) => [name, id] as const))('has arguments of %s that are uniform', (_, id) => {
      const { inputs, output, indices, constantSpecs } = opById(id);
      const drawn = drawInstructions(spaceOf([id], labels), LEARN, 2000, new FastRandom(3, id));
      for (const [k, field] of (['in1', 'in2'] as const).entries()) {
        const size = inputs[k] === undefined ? 1 : memorySize(MEMORY, inputs[k]);
        expectDistribution(
          countIn(drawn, size, (instruction) => instruction[field]),
          evenly(size),
        );
      }
      const outputs = output === undefined ? [1] : outputProbabilities(output, labels);
      expectDistribution(
        countIn(drawn, outputs.length, ({ out }) => out),
        outputs,
      );
      for (const [k, field] of (['index1', 'index2'] as const).entries()) {
        const size = k < indices ? FEATURES : 1;
        expectDistribution(
          countIn(drawn, size, (instruction) => instruction[field]),
          evenly(size),
        );
      }
      for (const [k, field] of (['const1', 'const2'] as const).entries()) {
        const spec = constantSpecs[k];
        if (spec === undefined) {
          expect(drawn.every((instruction) => instruction[field] === 0)).toBe(true);
          continue;
        }
        const { low, high } = spec;
        expectDistribution(
          countIn(drawn, 20, (instruction) => Math.floor(((instruction[field] - low) / (high - low)) * 20)),
          evenly(20),
        );
      }
    });
  });

  it('has constants from the ranges of the paper: -1 to 1, and 0 to 1 for deviations', () => {
    const drawn = drawInstructions(spaceOf([62]), SETUP, 5000, new FastRandom(4));
    const range = (field: 'const1' | 'const2') => {
      const values = drawn.map((instruction) => instruction[field]);
      return [Math.min(...values), Math.max(...values)] as const;
    };
    const [mean, deviation] = [range('const1'), range('const2')];
    expect(mean[0]).toBeGreaterThanOrEqual(-1);
    expect(mean[0]).toBeLessThan(-0.99);
    expect(mean[1]).toBeGreaterThan(0.99);
    expect(deviation[0]).toBeGreaterThanOrEqual(0);
    expect(deviation[0]).toBeLessThan(0.01);
    expect(deviation[1]).toBeGreaterThan(0.99);
  });

  it('has arguments that are independent of each other', () => {
    const add = drawInstructions(spaceOf([1]), PREDICT, 20_000, new FastRandom(5));
    expectDistribution(
      countIn(add, 100, ({ in1, in2, out }) => (in1 * 5 + in2) * 4 + out - 1),
      evenly(100),
    );
    const element = drawInstructions(spaceOf([58]), PREDICT, 20_000, new FastRandom(6));
    expectDistribution(
      countIn(element, 108, ({ index1, index2, out }) => (index1 * 6 + index2) * 3 + out),
      evenly(108),
    );
  });

  it('leaves the instructions beside it alone', () => {
    const space = makeSpace();
    const store = space.makeStore(1);
    space.randomizeFunction(store, 0, PREDICT, 4, new FastRandom(7));
    const { predict } = store.read(0);
    space.randomizeInstruction(store, PREDICT, store.first(0, PREDICT) + 2, new FastRandom(8));
    const changed = store.read(0).predict;
    expect(changed[2]).not.toEqual(predict[2]);
    expect(changed.with(2, predict[2]!)).toStrictEqual(predict);
  });
});

const LINEAR: Program = {
  setup: [],
  predict: [{ op: 27, in1: 0, in2: 1, out: 1, index1: 0, index2: 0, const1: 0, const2: 0 }],
  learn: [],
};

/** Predict is that of LINEAR, the others have random sizes. */
const PARTLY_FROZEN = makeSpace({
  functions: {
    setup: { ops: [56, 57, 63], min: 2, max: 5 },
    predict: undefined,
    learn: { ops: ALL_OPS, min: 0, max: 2 },
  },
  base: LINEAR,
});

describe('a random program', () => {
  const draw = (write: (store: CodeStore) => void): Program => {
    const store = PARTLY_FROZEN.makeStore(1);
    // What was there before must leave no trace.
    const rest = { op: 1, in1: 1, in2: 1, out: 1, index1: 0, index2: 0, const1: 0, const2: 0 };
    store.write(0, { setup: [rest, rest, rest, rest, rest], predict: [rest], learn: [rest, rest] });
    write(store);
    return store.read(0);
  };

  it('has sizes that are uniform from the least to the most, each for itself', () => {
    const random = new FastRandom(9);
    const counts = countCells(12, 5000, () => {
      const { setup, predict, learn } = draw((store) => PARTLY_FROZEN.randomProgram(store, 0, random));
      // So often that expect alone would take most of the time.
      if (!isDeepStrictEqual(predict, LINEAR.predict)) expect(predict).toStrictEqual(LINEAR.predict);
      return (setup.length - 2) * 3 + learn.length;
    });
    expectDistribution(counts, evenly(12));
  });

  it('is valid, and has only ops of its functions', () => {
    const random = new FastRandom(10);
    for (let k = 0; k < 1000; k++) {
      const program = draw((store) => PARTLY_FROZEN.randomProgram(store, 0, random));
      expect(programProblem(program, MEMORY)).toBeUndefined();
      expect(program.setup.every(({ op }) => [56, 57, 63].includes(op))).toBe(true);
    }
  });

  it('is another one every time', () => {
    const random = new FastRandom(11);
    const drawn = Array.from({ length: 100 }, () =>
      JSON.stringify(draw((store) => PARTLY_FROZEN.randomProgram(store, 0, random))),
    );
    expect(new Set(drawn).size).toBe(100);
  });
});

describe('an empty program', () => {
  it('has as few instructions as may be, random ones', () => {
    const store = PARTLY_FROZEN.makeStore(2);
    const random = new FastRandom(12);
    PARTLY_FROZEN.emptyProgram(store, 0, random);
    PARTLY_FROZEN.emptyProgram(store, 1, random);
    for (const place of [0, 1]) {
      const { setup, predict, learn } = store.read(place);
      expect([setup.length, learn.length]).toEqual([2, 0]);
      expect(predict).toStrictEqual(LINEAR.predict);
    }
    expect(store.read(0).setup).not.toEqual(store.read(1).setup);
  });

  it('is really empty where nothing must be there', () => {
    const space = makeSpace();
    const store = space.makeStore(1);
    space.emptyProgram(store, 0, new FastRandom(13));
    expect(store.read(0)).toStrictEqual(EMPTY);
  });
});

describe('the space', () => {
  it('knows which functions may change, and has room for the largest program', () => {
    expect(PARTLY_FROZEN.mutable).toEqual([SETUP, LEARN]);
    expect(PARTLY_FROZEN.makeStore(1).maxLengths).toEqual([5, 1, 2]);
    expect(PARTLY_FROZEN.of(LEARN)).toEqual({ ops: ALL_OPS, min: 0, max: 2 });
  });

  it('takes the frozen functions from its base, whatever program is given', () => {
    const given = { setup: LINEAR.predict, predict: [], learn: LINEAR.predict };
    expect(PARTLY_FROZEN.program(given)).toStrictEqual({ ...given, predict: LINEAR.predict });
    expect(PARTLY_FROZEN.program()).toStrictEqual(LINEAR);
    expect(makeSpace().program(given)).toStrictEqual(given);
  });
});
