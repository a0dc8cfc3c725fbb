import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConstant, arbitraryProgram } from '../../../tests/support/arbitraries.js';
import { OutOfMemoryError } from '../../wasm/api.js';
import type { Instruction, Program } from '../program.js';
import { CODE_ADDRESSES, packWord } from './code-layout.js';
import {
  CodeStore,
  firstIndex,
  MAX_CODE_INDEX,
  packIndices,
  secondIndex,
  withIn1,
  withIn2,
  withOut,
  wordIn1,
  wordIn2,
  wordOp,
  wordOut,
} from './code-store.js';

const MEMORY = { scalars: CODE_ADDRESSES, vectors: CODE_ADDRESSES, matrices: CODE_ADDRESSES };
const LENGTHS = { setup: 3, predict: 5, learn: 4 };
const EMPTY: Program = { setup: [], predict: [], learn: [] };

const address = fc.nat(CODE_ADDRESSES - 1);
const index = fc.nat(MAX_CODE_INDEX);
const parts = fc.tuple(fc.nat(64), address, address, address);

const unpack = (word: number) => [wordOp(word), wordIn1(word), wordIn2(word), wordOut(word)];

/** Random programs of at most these lengths, with indices as large as code can hold. */
const programs = fc
  .tuple(arbitraryProgram({ memory: MEMORY, maxLength: 5, constant: anyConstant }), index, index)
  .map(([program, index1, index2]): Program => {
    const widen = (body: readonly Instruction[], length: number) =>
      body.slice(0, length).map((instruction) => ({ ...instruction, index1, index2 }));
    return {
      setup: widen(program.setup, LENGTHS.setup),
      predict: widen(program.predict, LENGTHS.predict),
      learn: widen(program.learn, LENGTHS.learn),
    };
  });

/** An instruction that is told from others by every field. */
function numbered(k: number): Instruction {
  return { op: k, in1: k, in2: k, out: k, index1: k, index2: k, const1: k, const2: -k };
}

describe('words', () => {
  it('give back what was packed, up to the largest addresses and indices', () => {
    fc.assert(
      fc.property(parts, index, index, (fields, index1, index2) => {
        expect(unpack(packWord(...fields))).toEqual(fields);
        const indices = packIndices(index1, index2);
        expect([firstIndex(indices), secondIndex(indices)]).toEqual([index1, index2]);
      }),
    );
    const most = CODE_ADDRESSES - 1;
    expect(unpack(packWord(64, most, most, most))).toEqual([64, most, most, most]);
    expect(secondIndex(packIndices(MAX_CODE_INDEX, MAX_CODE_INDEX))).toBe(MAX_CODE_INDEX);
  });

  it('change in one address only', () => {
    fc.assert(
      fc.property(parts, address, ([op, in1, in2, out], other) => {
        const word = packWord(op, in1, in2, out);
        expect(unpack(withIn1(word, other))).toEqual([op, other, in2, out]);
        expect(unpack(withIn2(word, other))).toEqual([op, in1, other, out]);
        expect(unpack(withOut(word, other))).toEqual([op, in1, in2, other]);
      }),
    );
  });
});

describe('CodeStore', () => {
  it('gives back every program that was written, to the bit, and leaves its neighbours alone', () => {
    fc.assert(
      fc.property(fc.array(programs, { minLength: 3, maxLength: 3 }), fc.nat(2), programs, (all, place, other) => {
        const store = new CodeStore(MEMORY, LENGTHS, 3);
        all.forEach((program, k) => {
          store.write(k, program);
        });
        expect(all.map((_, k) => store.read(k))).toStrictEqual(all);
        store.write(place, other);
        expect(all.map((_, k) => store.read(k))).toStrictEqual(all.with(place, other));
      }),
    );
  });

  it('copies a program over a longer or a shorter one', () => {
    fc.assert(
      fc.property(programs, programs, programs, (before, copied, after) => {
        const store = new CodeStore(MEMORY, LENGTHS, 3);
        for (const [from, to] of [
          [1, 0],
          [1, 2],
        ] as const) {
          [before, copied, after].forEach((program, k) => {
            store.write(k, program);
          });
          store.copy(from, to);
          expect([0, 1, 2].map((k) => store.read(k))).toStrictEqual([before, copied, after].with(to, copied));
        }
      }),
    );
  });

  it('moves instructions as if all were read first', () => {
    const length = 12;
    const place = fc.nat(length);
    fc.assert(
      fc.property(place, place, place, (from, to, count) => {
        const fits = Math.min(count, length - from, length - to);
        const store = new CodeStore(MEMORY, { setup: 0, predict: length, learn: 0 }, 1);
        const body = Array.from({ length }, (_, k) => numbered(k));
        store.write(0, { ...EMPTY, predict: body });
        store.move(from, to, fits);
        expect(store.read(0).predict).toStrictEqual([...body].copyWithin(to, from, from + fits));
      }),
    );
  });

  it('says where functions are', () => {
    const store = new CodeStore(MEMORY, LENGTHS, 2);
    store.write(1, { setup: [numbered(1)], predict: [numbered(2), numbered(3)], learn: [] });
    expect([0, 1, 2].map((fn) => store.length(1, fn))).toEqual([1, 2, 0]);
    expect([0, 1, 2].map((fn) => store.first(1, fn))).toEqual([12, 15, 20]);
    expect(wordOp(store.words[store.first(1, 1) + 1]!)).toBe(3);
  });

  it('says what it needs if there is not so much memory', () => {
    const lengths = { setup: 0, predict: 0, learn: 1000 };
    expect(() => new CodeStore(MEMORY, lengths, 1_000_000)).toThrow(OutOfMemoryError);
    expect(() => new CodeStore(MEMORY, lengths, 1_000_000)).toThrow(/^this needs 22\.4 GiB, .*smaller population/);
  });

  it('refuses functions that are too long, and takes those that just fit', () => {
    const store = new CodeStore(MEMORY, LENGTHS, 1);
    const full = { ...EMPTY, learn: Array.from({ length: LENGTHS.learn }, (_, k) => numbered(k)) };
    store.write(0, full);
    expect(store.read(0)).toStrictEqual(full);
    const long = { ...EMPTY, learn: [...full.learn, numbered(9)] };
    expect(() => store.write(0, long)).toThrow('learn has 5 instructions, and at most 4 fit');
  });
});
