// A hash of traced predictions, in WebAssembly: fingerprints look at hundreds of numbers of every program. Numbers lose their last
// digits first, so that what differs only by rounding is mostly the same. Must not know programs.
import type { OperandType } from '../../ops/types.js';
import {
  branchIf,
  type Code,
  get,
  i32,
  i64,
  i64x2,
  type Local,
  loop,
  type ModuleBuilder,
  set,
  tee,
  v128,
} from '../../wasm/assembler.js';
import { traceBytes } from './encoding.js';
import type { Layout } from './layout.js';
import { CHUNK, type Real } from './reals.js';

/** Last binary digits that do not count: about one part in 4e9 does in f64, one in 65,000 in f32. */
const DROPPED_BITS = { f64: 20, f32: 7 } as const;

/** Odd numbers with many ones and zeros (SplitMix64's, and the golden ratio). */
const FACTORS = [0xbf58476d1ce4e5b9n, 0x94d049bb133111ebn, 0x9e3779b97f4a7c15n] as const;
const SHIFT = 29;

function repeated(bytes: readonly number[]): number[] {
  return Array.from({ length: CHUNK }, (_, k) => bytes[k % bytes.length]!);
}

function littleEndian(value: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, k) => Number((value >> BigInt(8 * k)) & 0xffn));
}

/** A register of predictions without their last digits; zeros of both signs are one, and so is every NaN. */
function truncated(value: Local, real: Real, kept: Code): Code {
  const notANumber = real.constant(Number.NaN);
  const clean = v128.select(real.eq(get(value), get(value)), real.add(get(value), real.constant(0)), notANumber);
  return v128.and(clean, kept);
}

/** The lanes of the last register that belong to a prediction. */
function usedLanes(layout: Layout, prediction: OperandType, chunk: number, mask: readonly number[]): number[] {
  const numbers = prediction === 's' ? layout.tasks : layout.usedBytes(prediction) / layout.real.bytes;
  const used = numbers * layout.real.bytes - chunk * CHUNK;
  return mask.map((byte, k) => (k < used ? byte : 0));
}

/** Registers that are hashed side by side, because one waits for the other otherwise. */
const MAX_CHAINS = 5;

/** Adds `digest(trace, steps, out)`: writes 64 bits that depend on all predictions of so many traced examples. */
export function addDigest(module: ModuleBuilder, layout: Layout, prediction: OperandType, exportAs: string): void {
  const { real } = layout;
  const chunks = Math.ceil(layout.usedBytes(prediction) / CHUNK);
  const dropped = DROPPED_BITS[layout.precision];
  const mask = repeated(littleEndian((1n << BigInt(8 * real.bytes)) - (1n << BigInt(dropped)), real.bytes));
  const factor = v128.const(repeated(littleEndian(FACTORS[0], 8)));
  module.func({ params: ['i32', 'i32', 'i32'], exportAs }, (f) => {
    const [trace, steps, out] = f.params as [Local, Local, Local];
    const value = f.local('v128');
    const { place, left } = f.locals('i32', 'place', 'left');
    const { lower, upper } = f.locals('i64', 'lower', 'upper');
    const chains = Array.from({ length: Math.min(chunks, MAX_CHAINS) }, () => f.local('v128'));
    /** Takes in the register at `place`, plus so many. */
    const absorb = (place: Local, k: number, kept: readonly number[]): Code => {
      const chain = chains[k % chains.length]!;
      const product = i64x2.mul(v128.xor(get(chain), truncated(value, real, v128.const(kept))), factor);
      return [
        set(value, v128.load(get(place), layout.usedBytes('s') + k * CHUNK)),
        set(chain, product),
        set(chain, v128.xor(get(chain), i64x2.shrU(get(chain), i32.const(SHIFT)))),
      ];
    };
    // Groups in a loop, and what is left after it, with the last register, which may be filled in part.
    const groups = Math.floor((chunks - 1) / chains.length);
    const rest = chunks - groups * chains.length;
    const absorbRest = Array.from({ length: rest }, (_, k) =>
      absorb(place, k, k === rest - 1 ? usedLanes(layout, prediction, chunks - 1, mask) : mask),
    );
    const absorbGroups: Code = [
      set(left, i32.const(groups)),
      loop(
        chains.map((_, k) => absorb(place, k, mask)),
        set(place, i32.add(get(place), i32.const(chains.length * CHUNK))),
        branchIf(0, tee(left, i32.sub(get(left), i32.const(1)))),
      ),
    ];
    const fold = (into: Local, lane: number): Code =>
      chains.map((chain) => [
        set(into, i64.mul(i64.xor(get(into), i64x2.extract(get(chain), lane)), i64.const(FACTORS[1]))),
        set(into, i64.xor(get(into), i64.shrU(get(into), i64.const(BigInt(SHIFT))))),
      ]);
    return [
      loop(
        set(place, get(trace)),
        groups === 0 ? [] : absorbGroups,
        absorbRest,
        set(trace, i32.add(get(trace), i32.const(traceBytes(layout, prediction)))),
        branchIf(0, tee(steps, i32.sub(get(steps), i32.const(1)))),
      ),
      fold(lower, 0),
      fold(upper, 1),
      i64.store(get(out), 0, i64.add(i64.mul(get(lower), i64.const(FACTORS[2])), get(upper))),
    ];
  });
}
