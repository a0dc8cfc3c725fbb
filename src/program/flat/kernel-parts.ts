// What the kernels of code stores share: how ops are described to them, and short forms of what they are written with. Must not know what
// they compute.
import { block, branch, branchIf, type Code, get, i32, i64, type Local, loop, set } from '../../wasm/assembler.js';

/** What an op is like, as bits. */
export const OP_FLAG = { setsElement: 1, commutes: 2, hasIndices: 4, hasConstants: 8, hasTwoConstants: 16 } as const;

export const NO_SLOT = -1;

export const word = (value: number): Code => i32.const(value);
export const bits = (value: bigint): Code => i64.const(value);
export const plus = (local: Local, bytes: number): Code => set(local, i32.add(get(local), word(bytes)));
export const hasFlag = (flags: Local, flag: number): Code => i32.and(get(flags), word(flag));

/** Does something while a pointer has not reached its end, which moves it. */
export const until = (pointer: Local, end: Code, ...body: Code[]): Code =>
  block(loop(branchIf(1, i32.geU(get(pointer), end)), body, branch(0)));
