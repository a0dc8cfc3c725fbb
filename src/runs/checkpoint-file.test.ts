import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '../../tests/support/arbitraries.js';
import type { Snapshot, SnapshotArray } from '../experiment/snapshot.js';
import { CheckpointError, decodeCheckpoint, encodeCheckpoint } from './checkpoint-file.js';

const VERSION = 3;

function encode(snapshot: Snapshot): Buffer<ArrayBuffer> {
  return Buffer.concat(encodeCheckpoint(snapshot, VERSION));
}

/** Kind and bits of every array: NaN and zeros of both signs are told apart. */
function bits(arrays: Snapshot['arrays']): [string, string, string][] {
  return Object.entries(arrays).map(([name, array]) => [
    name,
    array.constructor.name,
    Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('hex'),
  ]);
}

const SNAPSHOT: Snapshot = {
  state: { seed: 1, names: ['a', 'ü'], best: null },
  arrays: {
    fitness: Float64Array.of(0.5, -0, Number.NaN, Number.NEGATIVE_INFINITY, 5e-324),
    ages: Int32Array.of(-1, 2, 3),
    random: Uint32Array.of(2 ** 32 - 1),
    flags: Uint8Array.of(1, 2, 3),
    none: new Float64Array(0),
  },
};

const arrays = fc.dictionary(
  fc.string(),
  fc.oneof<fc.Arbitrary<SnapshotArray>[]>(
    fc.float64Array({ maxLength: 9 }),
    fc.int32Array({ maxLength: 9 }),
    fc.uint32Array({ maxLength: 9 }),
    fc.uint8Array({ maxLength: 9 }),
  ),
);
const state = fc.jsonValue({ stringUnit: 'binary' });

describe('round trip', () => {
  test('of everything that a snapshot can hold', () => {
    fc.assert(
      fc.property(state, arrays, (state, arrays) => {
        const decoded = decodeCheckpoint(encode({ state, arrays }), VERSION);
        expect(bits(decoded.arrays)).toEqual(bits(arrays));
        expect(decoded.state).toStrictEqual(state);
      }),
    );
    const decoded = decodeCheckpoint(encode(SNAPSHOT), VERSION);
    expect(decoded.state).toStrictEqual(SNAPSHOT.state);
    expect(bits(decoded.arrays)).toEqual(bits(SNAPSHOT.arrays));
  });

  test('keeps the sign of a zero in the state, and leaves out what is undefined', () => {
    const decoded = decodeCheckpoint(encode({ state: { zero: [-0, 0], gone: undefined }, arrays: {} }), VERSION);
    expect(decoded.state).toStrictEqual({ zero: [-0, 0] });
  });

  test('of views of larger buffers, and from bytes that lie anywhere', () => {
    const view = Float64Array.of(9, 1, 2, 9).subarray(1, 3);
    const encoded = encode({ state: 1, arrays: { bytes: Uint8Array.of(7), view } });
    for (let shift = 0; shift < 8; shift++) {
      const shifted = new Uint8Array(encoded.length + shift);
      shifted.set(encoded, shift);
      const decoded = decodeCheckpoint(shifted.subarray(shift), VERSION);
      expect(decoded.arrays).toEqual({ bytes: Uint8Array.of(7), view: Float64Array.of(1, 2) });
    }
  });

  test('does not copy arrays, which lie at multiples of 8 bytes, little-endian', () => {
    const numbers = Float64Array.of(1);
    const pieces = encodeCheckpoint({ state: 'x', arrays: { odd: Uint8Array.of(1, 2, 3), numbers } }, VERSION);
    expect(pieces.some(({ buffer }) => buffer === numbers.buffer)).toBe(true);
    const at = Buffer.concat(pieces).indexOf(Buffer.from([0, 0, 0, 0, 0, 0, 0xf0, 0x3f]));
    expect(at % 8).toBe(0);
  });
});

describe('refuses', () => {
  const good = encode(SNAPSHOT);

  test('bytes that are cut off anywhere', () => {
    for (let length = 0; length < good.length; length++) {
      const cut = () => decodeCheckpoint(good.subarray(0, length), VERSION);
      expect(cut).toThrow(CheckpointError);
      expect(cut).toThrow(`is cut off after ${length} `);
    }
  });

  test('bytes of which any one is changed, in any way', () => {
    for (let at = 0; at < good.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const bad = Buffer.from(good);
        bad[at]! ^= 1 << bit;
        expect(() => decodeCheckpoint(bad, VERSION)).toThrow(CheckpointError);
      }
    }
  });

  test('bytes with pieces overwritten, lost, doubled or added', () => {
    const place = fc.nat(good.length);
    fc.assert(
      fc.property(place, place, fc.uint8Array({ maxLength: 40 }), (from, to, put) => {
        const bad = Buffer.concat([good.subarray(0, from), put, good.subarray(to)]);
        fc.pre(!bad.equals(good));
        expect(() => decodeCheckpoint(bad, VERSION)).toThrow(CheckpointError);
      }),
      { numRuns: 1000 },
    );
  });

  test('bytes that never were a checkpoint, and says what is wrong with others', () => {
    expect(() => decodeCheckpoint(Buffer.from('{"a": 1}'), VERSION)).toThrow('is not a checkpoint');
    const bad = Buffer.from(good);
    bad[good.length - 20]! ^= 1;
    expect(() => decodeCheckpoint(bad, VERSION)).toThrow('is damaged: its checksum is wrong');
    expect(() => decodeCheckpoint(Buffer.concat([good, Buffer.alloc(8)]), VERSION)).toThrow('checksum is wrong');
    expect(() => decodeCheckpoint(good, 4)).toThrow('is of format 3, and this evozero reads format 4');
  });

  test.each([
    ['state is NaN', Number.NaN],
    ['state.a[1] is Infinity', { a: [1, Number.POSITIVE_INFINITY] }],
    ['state[0] is undefined', [undefined]],
    ['state.m is an object', { m: new Map() }],
    ['state.f is an object', { f: Float64Array.of(1) }],
    ['state is 1', 1n],
  ])('to write what JSON would lose: %s', (message, state) => {
    expect(() => encodeCheckpoint({ state, arrays: {} }, VERSION)).toThrow(message);
  });

  test('to write arrays of other kinds', () => {
    const arrays = { x: Float32Array.of(1) } as unknown as Snapshot['arrays'];
    expect(() => encodeCheckpoint({ state: 0, arrays }, VERSION)).toThrow('x: no array that a checkpoint can hold');
  });
});
