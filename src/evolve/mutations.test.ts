import { describe, expect, it } from 'vitest';
import { countCells, evenly, expectDistribution } from '../../tests/support/chi-square.js';
import { OPS, opByName } from '../ops/ops.js';
import type { OpName } from '../ops/table.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  type Instruction,
  makeInstruction,
  memorySize,
  type Program,
} from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import { type ConstantChange, MUTATION_NAMES, MUTATION_SETS, type MutationName, Mutator } from './mutations.js';
import { type FunctionSpace, SearchSpace } from './search-space.js';

const MEMORY = { scalars: 5, vectors: 4, matrices: 3 };
const FEATURES = 6;
const DRAWS = 4000;
const EMPTY: Program = { setup: [], predict: [], learn: [] };

/** Every random instruction has this op; the programs below do not have it, so that what is new can be seen. */
const NEW_OP = opByName('scalar-abs').id;
const ROOMY: FunctionSpace = { ops: [NEW_OP], min: 0, max: 10 };

/** What a mutation makes of a program; functions that are not listed are frozen. */
function mutator(
  mutation: MutationName,
  program: Program,
  options: {
    readonly spaces: Partial<Record<FunctionName, FunctionSpace>>;
    readonly constants?: ConstantChange;
    readonly seed?: number;
  },
): () => Program {
  const { spaces, constants = 'paper', seed = 1 } = options;
  const functions = { setup: spaces.setup, predict: spaces.predict, learn: spaces.learn };
  const space = new SearchSpace({ memory: MEMORY, features: FEATURES, labels: 'scalar', functions, base: program });
  const mutator = new Mutator(space, { weights: { [mutation]: 1 }, constants });
  const store = space.makeStore(1);
  const random = new FastRandom(seed);
  return () => {
    store.write(0, program);
    mutator.apply(mutation, store, 0, random);
    return store.read(0);
  };
}

const instructionOf = (name: OpName, parts: Omit<Parameters<typeof makeInstruction>[0], 'op'> = {}) =>
  makeInstruction({ op: opByName(name).id, ...parts });

/** Five different ops. */
const BODY = (['scalar-add', 'scalar-sin', 'scalar-cos', 'scalar-exp', 'scalar-log'] as const).map((name) =>
  instructionOf(name, { out: 1 }),
);
const opsOf = (body: readonly Instruction[]) => body.map(({ op }) => op);

describe('choosing a mutation', () => {
  const space = new SearchSpace({
    memory: MEMORY,
    features: FEATURES,
    labels: 'scalar',
    functions: { setup: ROOMY, predict: ROOMY, learn: ROOMY },
    base: EMPTY,
  });
  const countNames = (mutator: Mutator) => {
    const random = new FastRandom(2);
    return countCells(MUTATION_NAMES.length, 10 * DRAWS, () => MUTATION_NAMES.indexOf(mutator.choose(random)));
  };

  it("follows the paper's set: three kinds alike, removal twice as likely as insertion", () => {
    const counts = countNames(new Mutator(space, MUTATION_SETS.paper));
    expect(MUTATION_NAMES.slice(0, 4)).toEqual(['insert', 'remove', 'randomize-function', 'alter-argument']);
    expectDistribution(counts, [1 / 9, 2 / 9, 1 / 3, 1 / 3, 0, 0]);
  });

  it('follows the released set: six kinds alike', () => {
    expectDistribution(countNames(new Mutator(space, MUTATION_SETS.released)), evenly(6));
  });

  it('follows any weights, and never takes what has none', () => {
    const weights = { trade: 0.5, insert: 1.5, remove: 0 };
    expectDistribution(countNames(new Mutator(space, { weights, constants: 'paper' })), [0.75, 0, 0, 0, 0, 0.25]);
  });
});

describe.each(MUTATION_NAMES)('%s', (mutation) => {
  // Constants from 1 to 2 that random ones never are, so that every mutation but a rare one can be seen.
  const body = [instructionOf('scalar-constant', { out: 1, constants: [1.5] })];
  const program = { setup: body, predict: body, learn: body };
  const space = { ops: [opByName('scalar-constant').id], min: 0, max: 3 };

  it('takes every function that may change equally often, and no other', () => {
    for (const spaces of [
      { setup: space, predict: space, learn: space },
      { setup: space, learn: space },
      { predict: space },
    ]) {
      const mutate = mutator(mutation, program, { spaces });
      const counts = [0, 0, 0];
      for (let k = 0; k < 1500; k++) {
        const mutant = mutate();
        const changed = FUNCTION_NAMES.flatMap((name, fn) =>
          JSON.stringify(mutant[name]) === JSON.stringify(body) ? [] : [fn],
        );
        // An address may become what it was.
        if (changed.length !== 1) expect([mutation, changed]).toEqual(['alter-argument', []]);
        for (const fn of changed) counts[fn]!++;
      }
      const names = Object.keys(spaces);
      expectDistribution(
        counts,
        FUNCTION_NAMES.map((name) => (names.includes(name) ? 1 / names.length : 0)),
      );
    }
  });
});

describe('insert', () => {
  it('puts a random instruction at every place equally often, the ends included', () => {
    const mutate = mutator('insert', { ...EMPTY, learn: BODY }, { spaces: { learn: ROOMY } });
    const counts = countCells(6, DRAWS, () => {
      const ops = opsOf(mutate().learn);
      const place = ops.indexOf(NEW_OP);
      expect(ops.toSpliced(place, 1)).toEqual(opsOf(BODY));
      return place;
    });
    expectDistribution(counts, evenly(6));
  });

  it('draws the new instruction as random programs have them', () => {
    const mutate = mutator('insert', { ...EMPTY, learn: BODY }, { spaces: { learn: ROOMY } });
    const counts = countCells(25, DRAWS, () => {
      const { in1, out } = mutate().learn.find(({ op }) => op === NEW_OP)!;
      return in1 * 5 + out;
    });
    expectDistribution(
      counts,
      Array.from({ length: 25 }, (_, k) => (k % 5 === 0 ? 0 : 1 / 20)),
    );
  });

  it('changes nothing in a full function', () => {
    const program = { ...EMPTY, predict: BODY };
    const mutate = mutator('insert', program, { spaces: { predict: { ...ROOMY, max: 5 } } });
    for (let k = 0; k < 100; k++) expect(mutate()).toStrictEqual(program);
  });
});

describe('remove', () => {
  it('takes every instruction equally often', () => {
    const mutate = mutator('remove', { ...EMPTY, predict: BODY }, { spaces: { predict: ROOMY } });
    const counts = countCells(5, DRAWS, () => {
      const { predict } = mutate();
      const place = BODY.findIndex(({ op }) => !opsOf(predict).includes(op));
      expect(predict).toStrictEqual(BODY.toSpliced(place, 1));
      return place;
    });
    expectDistribution(counts, evenly(5));
  });

  it('changes nothing in a function that has as few as may be', () => {
    const program = { ...EMPTY, predict: BODY };
    const mutate = mutator('remove', program, { spaces: { predict: { ...ROOMY, min: 5 } } });
    for (let k = 0; k < 100; k++) expect(mutate()).toStrictEqual(program);
    const none = mutator('remove', EMPTY, { spaces: { predict: ROOMY } });
    expect(none()).toStrictEqual(EMPTY);
  });
});

describe('randomize-function', () => {
  it('replaces every instruction, and keeps the size', () => {
    const mutate = mutator('randomize-function', { ...EMPTY, setup: BODY }, { spaces: { setup: ROOMY } });
    const counts = countCells(5, DRAWS, () => {
      const { setup } = mutate();
      expect(opsOf(setup)).toEqual(new Array(5).fill(NEW_OP));
      return setup[4]!.in1;
    });
    expectDistribution(counts, evenly(5));
  });
});

describe('randomize-instruction', () => {
  it('replaces every instruction equally often', () => {
    const mutate = mutator('randomize-instruction', { ...EMPTY, learn: BODY }, { spaces: { learn: ROOMY } });
    const counts = countCells(5, DRAWS, () => {
      const { learn } = mutate();
      const place = opsOf(learn).indexOf(NEW_OP);
      expect(learn.with(place, BODY[place]!)).toStrictEqual(BODY);
      return place;
    });
    expectDistribution(counts, evenly(5));
  });

  it('changes nothing in an empty function', () => {
    expect(mutator('randomize-instruction', EMPTY, { spaces: { learn: ROOMY } })()).toStrictEqual(EMPTY);
  });
});

describe('trade', () => {
  it('removes any instruction and inserts one anywhere, also in a function of fixed size', () => {
    const mutate = mutator('trade', { ...EMPTY, learn: BODY }, { spaces: { learn: { ...ROOMY, min: 5, max: 5 } } });
    const counts = countCells(25, DRAWS, () => {
      const { learn } = mutate();
      const place = opsOf(learn).indexOf(NEW_OP);
      const removed = BODY.findIndex(({ op }) => !opsOf(learn).includes(op));
      expect(learn.toSpliced(place, 1)).toStrictEqual(BODY.toSpliced(removed, 1));
      return removed * 5 + place;
    });
    expectDistribution(counts, evenly(25));
  });

  it('changes nothing in an empty function', () => {
    expect(mutator('trade', EMPTY, { spaces: { learn: ROOMY } })()).toStrictEqual(EMPTY);
  });
});

describe('alter-argument', () => {
  const FIELDS = ['in1', 'in2', 'out', 'index1', 'index2', 'const1', 'const2'] as const;
  const alter = (instruction: Instruction, constants: ConstantChange = 'paper') => {
    const mutate = mutator(
      'alter-argument',
      { ...EMPTY, learn: [instruction] },
      { spaces: { learn: ROOMY }, constants },
    );
    return () => mutate().learn[0]!;
  };

  /** Which field changed, the only one; the number of fields if none did. */
  const changedField = (before: Instruction, after: Instruction) => {
    const changed = FIELDS.filter((field) => after[field] !== before[field]);
    if (after.op !== before.op || changed.length > 1) throw new Error(`changed more than one argument: ${changed}`);
    return changed[0] === undefined ? FIELDS.length : FIELDS.indexOf(changed[0]);
  };

  it('takes every instruction equally often', () => {
    const body = [1, 2, 3, 4].map((value) => instructionOf('scalar-constant', { out: 1, constants: [value] }));
    const mutate = mutator('alter-argument', { ...EMPTY, setup: body }, { spaces: { setup: ROOMY } });
    const counts = countCells(5, DRAWS, () => {
      const changed = mutate().setup.flatMap((after, k) => (changedField(body[k]!, after) < FIELDS.length ? [k] : []));
      expect(changed.length).toBeLessThanOrEqual(1);
      return changed[0] ?? 4;
    });
    // One in two takes the output, which has four addresses: one in eight stays what it was.
    expectDistribution(counts, [7 / 32, 7 / 32, 7 / 32, 7 / 32, 1 / 8]);
  });

  it.each(OPS.map(({ name }) => name))('takes every argument of %s equally often', (name) => {
    const { id, inputs, output, indices, constantSpecs } = opByName(name as OpName);
    const before = makeInstruction({
      op: id,
      inputs: inputs.map(() => 1),
      out: output === undefined ? 0 : 2,
      indices: [3, 4].slice(0, indices),
      constants: constantSpecs.map(() => 0.5),
    });
    /** Of how many values each argument gets one, in the order of FIELDS. */
    const choices = [
      ...[0, 1].map((k) => (inputs[k] === undefined ? 0 : memorySize(MEMORY, inputs[k]))),
      output === undefined ? 0 : { s: 4, v: 3, m: 3 }[output],
      ...[0, 1].map((k) => (k < indices ? FEATURES : 0)),
      ...[0, 1].map((k) => (k < constantSpecs.length ? Number.POSITIVE_INFINITY : 0)),
    ];
    const share = 1 / choices.filter((count) => count > 0).length;
    const changes = choices.map((count) => (count === 0 ? 0 : share * (1 - 1 / count)));
    const mutate = alter(before);
    expectDistribution(
      countCells(FIELDS.length + 1, 1000, () => changedField(before, mutate())),
      [...changes, 1 - changes.reduce((sum, p) => sum + p, 0)],
    );
  });

  it.each([
    ['in1', 0, 5, 2],
    ['in2', 0, 4, 3],
    ['out', 1, 3, 1],
  ] as const)(
    'gives %s any address, also the one it had, but no task input to write to',
    (field, first, count, old) => {
      const mutate = alter(instructionOf('vector-scale', { inputs: [2, 3], out: 1 }));
      const counts = countCells(first + count, DRAWS, () => mutate()[field]);
      expectDistribution(
        counts,
        Array.from({ length: first + count }, (_, k) => (k < first ? 0 : 1 / 3 / count) + (k === old ? 2 / 3 : 0)),
      );
    },
  );

  it.each(['index1', 'index2'] as const)('gives %s any feature', (field) => {
    const mutate = alter(instructionOf('matrix-element', { out: 2, indices: [4, 4], constants: [0.5] }));
    const counts = countCells(FEATURES, DRAWS, () => mutate()[field]);
    expectDistribution(
      counts,
      Array.from({ length: FEATURES }, (_, k) => 1 / 4 / FEATURES + (k === 4 ? 3 / 4 : 0)),
    );
  });

  it('does nothing to an instruction without arguments and to an empty function', () => {
    expect(alter(instructionOf('no-op'))()).toStrictEqual(instructionOf('no-op'));
    expect(mutator('alter-argument', EMPTY, { spaces: { learn: ROOMY } })()).toStrictEqual(EMPTY);
  });

  describe('constants', () => {
    const gaussian = instructionOf('scalar-gaussian', { out: 1, constants: [-0.5, 0.25] });
    /** Factors by which a constant changed, where it did: a third of the time. */
    const factors = (field: 'const1' | 'const2', constants: ConstantChange) => {
      const mutate = alter(gaussian, constants);
      const all = Array.from({ length: 3 * DRAWS }, () => mutate()[field] / gaussian[field]);
      return all.filter((factor) => factor !== 1);
    };
    const countFactors = (values: readonly number[], cells: number, cellOf: (factor: number) => number) => {
      let k = 0;
      return countCells(cells, values.length, () => cellOf(values[k++]!));
    };

    it('paper: a uniform factor from 0.5 to 2, one in ten with the other sign', () => {
      const cellOf = (factor: number) => Math.floor(((Math.abs(factor) - 0.5) / 1.5) * 10) + (factor < 0 ? 10 : 0);
      expectDistribution(
        countFactors(factors('const1', 'paper'), 20, cellOf),
        Array.from({ length: 20 }, (_, k) => (k < 10 ? 0.09 : 0.01)),
      );
    });

    it('paper: deviations keep their sign', () => {
      const cellOf = (factor: number) => Math.floor(((factor - 0.5) / 1.5) * 10);
      expectDistribution(countFactors(factors('const2', 'paper'), 10, cellOf), evenly(10));
    });

    const [inner, middle] = [0.341344746068543, 0.135905121983278];
    const normal = [0.5 - inner - middle, middle, inner, inner, middle, 0.5 - inner - middle];
    const normalCell = (z: number) => Math.max(0, Math.min(5, Math.floor(z) + 3));

    it('released: one in ten the other sign and nothing else, or a log-normal factor', () => {
      const cellOf = (factor: number) => (factor === -1 ? 6 : normalCell(Math.log(factor)));
      expectDistribution(countFactors(factors('const1', 'released'), 7, cellOf), [...normal.map((p) => 0.9 * p), 0.1]);
    });

    it('released: deviations keep their sign', () => {
      const cellOf = (factor: number) => normalCell(Math.log(factor));
      expectDistribution(countFactors(factors('const2', 'released'), 6, cellOf), normal);
    });

    it.each(['paper', 'released'] as const)('%s: stay finite, however large they are', (constants) => {
      const mutate = alter(instructionOf('scalar-constant', { out: 1, constants: [-9e99] }), constants);
      for (let k = 0; k < 1000; k++) expect(Math.abs(mutate().const1)).toBeLessThanOrEqual(1e100);
    });
  });
});
