import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../tests/support/arbitraries.js';
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
});
