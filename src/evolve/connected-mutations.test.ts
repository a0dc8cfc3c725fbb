import { describe, expect, it } from 'vitest';
import { countCells, expectDistribution } from '../../tests/support/chi-square.js';
import { opById, opByName } from '../ops/ops.js';
import { builtin } from '../program/builtin.js';
import { CodeFlow } from '../program/flat/code-flow.js';
import { FUNCTION_NAMES, makeInstruction, type Program, programProblem } from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import {
  CONNECTED_MUTATIONS,
  CONNECTED_NAMES,
  type ConnectedMutation,
  ConnectedMutator,
} from './connected-mutations.js';
import { SearchSpace } from './search-space.js';

const MEMORY = { scalars: 4, vectors: 8, matrices: 2 };
const EMPTY: Program = { setup: [], predict: [], learn: [] };
const OPS = { setup: [56, 57, 63, 64], predict: [27, 31, 48], learn: [2, 3, 16, 18, 23, 25, 28, 39] };
const NETWORK = builtin('paper/neural-net-no-bias')!.program;
const LINEAR = builtin('paper/linear')!.program;

function makeSpace(sizes: Record<keyof typeof OPS, readonly [number, number]>): SearchSpace {
  const of = (name: keyof typeof OPS) => ({ ops: OPS[name], min: sizes[name][0], max: sizes[name][1] });
  const functions = { setup: of('setup'), predict: of('predict'), learn: of('learn') };
  return new SearchSpace({ memory: MEMORY, features: 8, labels: 'scalar', functions, base: EMPTY });
}

const FIXED = makeSpace({ setup: [21, 21], predict: [3, 3], learn: [9, 9] });
const FREE = makeSpace({ setup: [0, 21], predict: [0, 6], learn: [0, 12] });

function makeMutator(space: SearchSpace, seed: number) {
  const store = space.makeStore(2);
  const random = new FastRandom(seed);
  const flow = new CodeFlow(store, 'scalar');
  return { store, random, flow, mutator: new ConnectedMutator(space, store, flow, random) };
}

/** The first thing that a search must never have in a program, or nothing. */
function problemOf(program: Program, space: SearchSpace): string | undefined {
  for (const [fn, name] of FUNCTION_NAMES.entries()) {
    const { min, max } = space.of(fn);
    const { length } = program[name];
    if (length < min || length > max) return `${name} has ${length} instructions`;
    if (program[name].some(({ op }) => !OPS[name].includes(op))) return `${name} has an op of others`;
    const writesInput = program[name].some(({ op, out }) => out === 0 && opById(op).output !== 'm');
    if (writesInput) return `${name} writes to features or label`;
  }
  return programProblem(program, MEMORY);
}

describe.each(CONNECTED_NAMES)('%s', (mutation) => {
  it('makes valid programs within their sizes, and says whether something changed', () => {
    for (const space of [FIXED, FREE]) {
      const { store, random, mutator } = makeMutator(space, 7);
      let changed = 0;
      for (let n = 0; n < 1000; n++) {
        if (n % 20 === 0) space.randomProgram(store, 1, random);
        const before = JSON.stringify(store.read(1));
        const hasChanged = mutator.apply(mutation, 1);
        const after = store.read(1);
        if (hasChanged) changed++;
        else if (JSON.stringify(after) !== before) expect.fail(`${before} became ${JSON.stringify(after)}`);
        const problem = problemOf(after, space);
        if (problem !== undefined) expect.fail(`${problem}: ${JSON.stringify(after)}`);
      }
      expect(changed).toBeGreaterThan(100);
    }
  });
});

describe('rewire', () => {
  it('changes the op, an input or the output of one live instruction, and says so', () => {
    const { store, flow, mutator } = makeMutator(FIXED, 8);
    const start = { ...NETWORK, setup: Array.from({ length: 21 }, (_, k) => NETWORK.setup[k % NETWORK.setup.length]!) };
    store.write(1, start);
    flow.run(1);
    const live = FUNCTION_NAMES.map((name, fn) => start[name].map((_, k) => flow.isLive(fn, k)));
    const changes = { op: 0, in1: 0, in2: 0, out: 0 };
    for (let n = 0; n < 4000; n++) {
      store.write(1, start);
      const hasChanged = mutator.apply('rewire', 1);
      const after = store.read(1);
      const places = FUNCTION_NAMES.flatMap((name, fn) =>
        start[name].flatMap((before, k) => {
          const fields = Object.keys(changes) as (keyof typeof changes)[];
          const changed = fields.filter((field) => before[field] !== after[name][k]![field]);
          return changed.length === 0 ? [] : [{ fn, k, changed, before, after: after[name][k]! }];
        }),
      );
      expect(places.length).toBe(Number(hasChanged));
      const [place] = places;
      if (place === undefined) continue;
      expect(live[place.fn]![place.k]).toBe(true);
      expect(place.changed).toHaveLength(1);
      changes[place.changed[0]!]++;
      const [one, other] = [opById(place.before.op), opById(place.after.op)];
      expect([other.inputs, other.output]).toEqual([one.inputs, one.output]);
      expect(place.changed.includes('in2') && one.inputs.length < 2).toBe(false);
    }
    // Setup's ops have no inputs, and few ops have one like them.
    expect(Math.min(...Object.values(changes))).toBeGreaterThan(100);
  });
});

describe('what is inserted', () => {
  it.each(['connect', 'expand'] as const)('by %s is live', (mutation) => {
    for (const start of [LINEAR, NETWORK]) {
      const { store, flow, mutator } = makeMutator(FREE, 11);
      /** How often each instruction is there and live. */
      const countLive = () => {
        const counts = new Map<string, number>();
        const program = store.read(1);
        flow.run(1);
        FUNCTION_NAMES.forEach((name, fn) => {
          program[name].forEach((one, k) => {
            const text = JSON.stringify(one);
            if (flow.isLive(fn, k)) counts.set(text, 1 + (counts.get(text) ?? 0));
          });
        });
        return counts;
      };
      store.write(1, start);
      const before = countLive();
      const texts = new Set(FUNCTION_NAMES.flatMap((name) => start[name].map((one) => JSON.stringify(one))));
      let inserted = 0;
      for (let n = 0; n < 500; n++) {
        store.write(1, start);
        if (!mutator.apply(mutation, 1)) continue;
        inserted++;
        // One that is there already may take the place of its double.
        const isDouble = FUNCTION_NAMES.every((name) =>
          store.read(1)[name].every((one) => texts.has(JSON.stringify(one))),
        );
        if (isDouble) continue;
        const hasMore = [...countLive()].some(([text, count]) => count > (before.get(text) ?? 0));
        if (!hasMore) expect.fail(`nothing of it is live: ${JSON.stringify(store.read(1))}`);
      }
      expect(inserted).toBeGreaterThan(300);
    }
  });

  it('is the update of the first layer in one of some ten thousand', () => {
    const second = {
      ...NETWORK,
      learn: NETWORK.learn.slice(0, 4),
    };
    const { store, flow, mutator } = makeMutator(FREE, 3);
    let found = 0;
    for (let n = 0; n < 20_000; n++) {
      store.write(1, second);
      if (!mutator.apply('connect', 1)) continue;
      flow.canLearn(1);
      if (flow.formula(1).includes('matrix-vector(w, x)')) found++;
    }
    expect(found).toBeGreaterThan(5);
  });

  it('leaves an op alone that nothing in the space could take the place of', () => {
    const heaviside = makeInstruction({ op: opByName('vector-heaviside').id, out: 2, inputs: [0] });
    const start = { ...LINEAR, predict: [heaviside, makeInstruction({ op: 27, out: 1, inputs: [2, 1] })] };
    const { store, mutator } = makeMutator(makeSpace({ setup: [0, 21], predict: [0, 6], learn: [0, 12] }), 6);
    for (let n = 0; n < 2000; n++) {
      store.write(1, start);
      mutator.apply('rewire', 1);
      expect(store.read(1).predict[0]!.op).toBe(heaviside.op);
    }
  });

  it('gives constants of any size to what reads them first, and leaves those that are in use', () => {
    // s2 is the learning rate of the model; nothing reads s3.
    const spare = makeInstruction({ op: 56, out: 3, constants: [0.7] });
    const start = { ...LINEAR, setup: [...LINEAR.setup, spare] };
    const { store, mutator } = makeMutator(FREE, 5);
    const sizes: number[] = [];
    for (let n = 0; n < 4000; n++) {
      store.write(1, start);
      if (!mutator.apply('connect', 1)) continue;
      const { setup, predict, learn } = store.read(1);
      const rate = setup.find(({ op, out }) => op === 56 && out === 2 && setup.length === 2);
      if (rate !== undefined) expect(rate.const1).toBe(LINEAR.setup[0]!.const1);
      if (setup.length !== start.setup.length) continue;
      // What is new among the instructions reads it, or does not.
      const left = [...LINEAR.predict, ...LINEAR.learn].map((one) => JSON.stringify(one));
      const inserted = [...predict, ...learn].filter((one) => {
        const known = left.indexOf(JSON.stringify(one));
        if (known >= 0) left.splice(known, 1);
        return known < 0;
      });
      const isRead = inserted.some(
        ({ op, in1, in2 }) =>
          (opById(op).inputs[0] === 's' && in1 === 3) || (opById(op).inputs[1] === 's' && in2 === 3),
      );
      const constant = setup.find(({ op, out }) => op === 56 && out === 3)!;
      // What is inserted may look like what is there.
      if (left.length === 0) expect(constant.const1 !== 0.7).toBe(isRead);
      if (constant.const1 !== 0.7) sizes.push(Math.abs(constant.const1));
    }
    expect(sizes.length).toBeGreaterThan(100);
    expect(Math.min(...sizes)).toBeGreaterThan(0.0009);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1);
    const small = sizes.filter((size) => size < 0.03).length / sizes.length;
    expect(small).toBeGreaterThan(0.4);
    expect(small).toBeLessThan(0.6);
  });

  it('takes the room of dead instructions only', () => {
    const { store, random, flow, mutator } = makeMutator(FIXED, 5);
    for (let n = 0; n < 300; n++) {
      FIXED.randomProgram(store, 1, random);
      flow.run(1);
      const program = store.read(1);
      const live = FUNCTION_NAMES.flatMap((name, fn) => program[name].filter((_, k) => flow.isLive(fn, k)));
      if (!mutator.apply('connect', 1)) continue;
      const after = store.read(1);
      const all = FUNCTION_NAMES.flatMap((name) => after[name]);
      for (const instruction of live) expect(all).toContainEqual(instruction);
    }
  });
});

it('mutations come by their weights', () => {
  const { mutator } = makeMutator(FREE, 2);
  const drawn = 20_000;
  const counts = countCells(CONNECTED_NAMES.length, drawn, () => CONNECTED_NAMES.indexOf(mutator.choose()));
  const total = Object.values(CONNECTED_MUTATIONS).reduce((sum, weight) => sum + weight, 0);
  expectDistribution(
    counts,
    CONNECTED_NAMES.map((name: ConnectedMutation) => CONNECTED_MUTATIONS[name] / total),
  );
});

it('train makes memory that predictions read learn, far more often than connect does', () => {
  // The second layer learns, the first does not.
  const learn = NETWORK.learn.filter(({ op }) => opById(op).output !== 'm');
  const countLearned = (mutation: ConnectedMutation) => {
    const { store, flow, mutator } = makeMutator(FREE, 3);
    const firstLayer = flow.bit(2, NETWORK.predict[0]!.in1);
    let count = 0;
    for (let n = 0; n < 4000; n++) {
      store.write(1, { ...NETWORK, learn });
      mutator.apply(mutation, 1);
      if (flow.canLearn(1) && (flow.learned & firstLayer) !== 0) count++;
    }
    return count;
  };
  const [train, connect] = [countLearned('train'), countLearned('connect')];
  expect(train).toBeGreaterThan(400);
  expect(train).toBeGreaterThan(4 * connect);
});
