// Places in memory, and loops whose pointers move, unrolled. Must not know ops or layouts.
import {
  branchIf,
  type Code,
  type FunctionBuilder,
  get,
  i32,
  type Local,
  loop,
  set,
  tee,
  v128,
} from '../../wasm/assembler.js';
import { CHUNK, type Real } from './reals.js';

/** A place in memory: what a local holds, plus bytes that are known in advance. */
export interface Pointer {
  readonly base: Local;
  readonly offset: number;
}

export function moved(pointer: Pointer, bytes: number): Pointer {
  return { base: pointer.base, offset: pointer.offset + bytes };
}

export function loadChunk(pointer: Pointer): Code {
  return v128.load(get(pointer.base), pointer.offset);
}

export function storeChunk(pointer: Pointer, value: Code): Code {
  return v128.store(get(pointer.base), pointer.offset, value);
}

/** Stores the first `lanes` lanes. */
export function storeLanes(f: FunctionBuilder, real: Real, pointer: Pointer, value: Code, lanes: number): Code {
  if (lanes === real.lanes) return storeChunk(pointer, value);
  const kept = f.local('v128');
  const one = (lane: number) => real.storeLane(get(pointer.base), pointer.offset + lane * real.bytes, get(kept), lane);
  return [set(kept, value), Array.from({ length: lanes }, (_, lane) => one(lane))];
}

/** Vectors of up to this many registers stay in them while a matrix is gone through: half of what there is. */
export const HELD_REGISTERS = 8;

/** A pointer and the bytes that it moves in each round of a loop. */
export type Moving = readonly [pointer: Pointer, stride: number];

/**
 * `total` rounds of `body`, which is given the pointers of its round; `unroll` rounds are written out one after the other.
 * Few rounds need no loop.
 */
export function repeat(
  f: FunctionBuilder,
  total: number,
  unroll: number,
  moving: readonly Moving[],
  body: (...pointers: Pointer[]) => Code,
): Code {
  const rounds = (pointers: readonly Pointer[], count: number): Code =>
    Array.from({ length: count }, (_, k) => body(...pointers.map((p, m) => moved(p, k * moving[m]![1]))));
  const turns = Math.floor(total / unroll);
  if (turns <= 1) {
    return rounds(
      moving.map(([pointer]) => pointer),
      total,
    );
  }
  const pointers = moving.map(([{ offset }]): Pointer => ({ base: f.local('i32'), offset }));
  const left = f.local('i32');
  return [
    moving.map(([{ base }], m) => set(pointers[m]!.base, get(base))),
    set(left, i32.const(turns)),
    loop(
      rounds(pointers, unroll),
      moving.map(([, stride], m) => {
        const { base } = pointers[m]!;
        return stride === 0 ? [] : set(base, i32.add(get(base), i32.const(unroll * stride)));
      }),
      branchIf(0, tee(left, i32.sub(get(left), i32.const(1)))),
    ),
    rounds(pointers, total % unroll),
  ];
}

/** Registers that are copied or set to zero without a loop, at most. */
const WRITTEN_OUT = 40;

/** Copies `bytes` bytes, rounded up to whole registers. */
export function copyChunks(f: FunctionBuilder, to: Pointer, from: Pointer, bytes: number): Code {
  const moving = [to, from].map((pointer): Moving => [pointer, CHUNK]);
  return eachChunk(f, bytes, moving, (place, source) => storeChunk(place, loadChunk(source!)));
}

/** Sets `bytes` bytes to zero, rounded up to whole registers. */
export function zeroChunks(f: FunctionBuilder, to: Pointer, bytes: number): Code {
  const zero = v128.const(new Array<number>(CHUNK).fill(0));
  return eachChunk(f, bytes, [[to, CHUNK]], (place) => storeChunk(place, zero));
}

function eachChunk(
  f: FunctionBuilder,
  bytes: number,
  moving: readonly Moving[],
  body: (to: Pointer, from?: Pointer) => Code,
): Code {
  const chunks = Math.ceil(bytes / CHUNK);
  return repeat(f, chunks, chunks <= WRITTEN_OUT ? chunks : 8, moving, (to, from) => body(to!, from));
}
