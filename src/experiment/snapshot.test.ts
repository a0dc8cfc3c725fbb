import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../tests/support/arbitraries.js';
import { MUTATION_SETS } from '../evolve/mutations.js';
import { RegularizedEvolution } from '../evolve/regularized-evolution.js';
import { SearchSpace } from '../evolve/search-space.js';
import { readSnapshot, takeSnapshot } from './snapshot.js';

const arrays = fc.oneof(
  fc.float64Array({ maxLength: 4 }),
  fc.int32Array({ maxLength: 4 }),
  fc.uint32Array({ maxLength: 4 }),
  fc.uint8Array({ maxLength: 4 }),
);

const keys = fc.stringMatching(/^[a-z]{1,6}$/);

/** Plain data with arrays of numbers anywhere. */
const { state: states } = fc.letrec((tie) => ({
  state: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), arrays),
    fc.array(tie('state'), { maxLength: 3 }),
    fc.dictionary(keys, tie('state'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('a snapshot', () => {
  it('is the state again when read, though its own state went through JSON', () => {
    fc.assert(
      fc.property(states, (value) => {
        const { state, arrays } = takeSnapshot(value);
        expect(readSnapshot({ state: JSON.parse(JSON.stringify(state)), arrays })).toStrictEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('has the arrays by where they were, and nothing of them in its state', () => {
    const value = { a: 1, lines: { x: Float64Array.of(Number.NaN, -0), list: [Uint8Array.of(7)] } };
    const { state, arrays } = takeSnapshot(value);
    expect(arrays).toEqual({ 'lines.x': Float64Array.of(Number.NaN, -0), 'lines.list.0': Uint8Array.of(7) });
    expect(JSON.stringify(state)).not.toMatch(/null|7/);
  });

  it('leaves out what is undefined', () => {
    const { state } = takeSnapshot({ a: undefined, b: { c: undefined, d: 2 } });
    expect(state).toStrictEqual({ b: { d: 2 } });
  });

  it('keeps a search', () => {
    const any = { ops: [1, 56, 58], min: 0, max: 5 };
    const space = new SearchSpace({
      memory: { scalars: 4, vectors: 3, matrices: 2 },
      features: 4,
      labels: 'scalar',
      functions: { setup: any, predict: any, learn: any },
      base: { setup: [], predict: [], learn: [] },
    });
    const evolution = new RegularizedEvolution({
      space,
      population: 6,
      tournament: 2,
      mutationProbability: 0.9,
      mutations: MUTATION_SETS.paper,
      initial: ['random'],
      hurdles: 1,
      seed: [1],
    });
    for (let k = 0; k < 40; k++) {
      evolution.ask();
      evolution.tell({ fitness: k % 7, atHurdles: k % 3 === 0 ? [] : [k], isCut: false });
    }
    const saved = evolution.save();
    const { state, arrays } = takeSnapshot(saved);
    expect(readSnapshot({ state: JSON.parse(JSON.stringify(state)), arrays })).toStrictEqual(saved);
  });
});
