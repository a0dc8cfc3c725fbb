// The instructions of WebAssembly as trees of bytes: what `assembler.ts` puts into functions. Knows the binary format and nothing of what
// it is used for.

/** Bytes of instructions, nested so that putting parts together costs nothing; `flatten` makes them one list. */
export type Code = readonly (number | Code)[];

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

export const VALUE_TYPE: { readonly [type in ValueType]: number } = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

export interface Local {
  readonly index: number;
}

export interface Func {
  readonly index: number;
}

export interface Global {
  readonly index: number;
}

// --- Numbers -----------------------------------------------------------------------------------------------------------

export function unsigned(value: number): number[] {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32) throw new RangeError(`not 32 unsigned bits: ${value}`);
  const bytes: number[] = [];
  let rest = value;
  do {
    const byte = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? byte : byte | 0x80);
  } while (rest !== 0);
  return bytes;
}

export function signed(value: number | bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (;;) {
    const byte = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = (rest === 0n && (byte & 0x40) === 0) || (rest === -1n && (byte & 0x40) !== 0);
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return bytes;
  }
}

function floatBytes(value: number, bytes: 4 | 8): number[] {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 4) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return Array.from({ length: bytes }, (_, k) => view.getUint8(k));
}

// --- Instructions ------------------------------------------------------------------------------------------------------

type Unary = (a: Code) => Code;
type Binary = (a: Code, b: Code) => Code;
type Load = (pointer: Code, offset?: number) => Code;
type Store = (pointer: Code, offset: number, value: Code) => Code;

const unary =
  (op: number): Unary =>
  (a) => [a, op];
const binary =
  (op: number): Binary =>
  (a, b) => [a, b, op];
const simd = (op: number): Code => [0xfd, unsigned(op)];
const unarySimd =
  (op: number): Unary =>
  (a) => [a, simd(op)];
const binarySimd =
  (op: number): Binary =>
  (a, b) => [a, b, simd(op)];
/** Pointers promise no alignment: it would not make anything faster. */
const access = (offset: number): Code => [0, unsigned(offset)];
const load =
  (op: number): Load =>
  (pointer, offset = 0) => [pointer, op, access(offset)];
const store =
  (op: number): Store =>
  (pointer, offset, value) => [pointer, value, op, access(offset)];
const loadSimd =
  (op: number): Load =>
  (pointer, offset = 0) => [pointer, simd(op), access(offset)];

export const get = (local: Local): Code => [0x20, unsigned(local.index)];
export const set = (local: Local, value: Code): Code => [value, 0x21, unsigned(local.index)];
export const tee = (local: Local, value: Code): Code => [value, 0x22, unsigned(local.index)];
/** Takes several values, the last from the top of the stack. */
export const setAll = (locals: readonly Local[], values: Code): Code => [
  values,
  locals.map((_, k) => [0x21, unsigned(locals[locals.length - 1 - k]!.index)]),
];
export const getGlobal = (global: Global): Code => [0x23, unsigned(global.index)];
export const setGlobal = (global: Global, value: Code): Code => [value, 0x24, unsigned(global.index)];

const EMPTY_BLOCK = 0x40;

export const block = (...body: Code[]): Code => [0x02, EMPTY_BLOCK, body, 0x0b];
export const loop = (...body: Code[]): Code => [0x03, EMPTY_BLOCK, body, 0x0b];
export const when = (condition: Code, ...body: Code[]): Code => [condition, 0x04, EMPTY_BLOCK, body, 0x0b];
export const either = (condition: Code, yes: Code, no: Code): Code => [
  condition,
  0x04,
  EMPTY_BLOCK,
  yes,
  0x05,
  no,
  0x0b,
];
/** One of two values; only that one is computed. */
export const choose = (type: ValueType, condition: Code, yes: Code, no: Code): Code => [
  condition,
  0x04,
  VALUE_TYPE[type],
  yes,
  0x05,
  no,
  0x0b,
];
/** One of two values; both are computed. */
export const select = (condition: Code, yes: Code, no: Code): Code => [yes, no, condition, 0x1b];
export const branch = (depth: number): Code => [0x0c, unsigned(depth)];
export const branchIf = (depth: number, condition: Code): Code => [condition, 0x0d, unsigned(depth)];
/** Goes to depth `depths[index]`, or to `otherwise`. */
export const branchTable = (index: Code, depths: readonly number[], otherwise: number): Code => [
  index,
  0x0e,
  unsigned(depths.length),
  depths.map(unsigned),
  unsigned(otherwise),
];
export const leave = (...values: Code[]): Code => [values, 0x0f];
export const call = (func: Func, ...args: Code[]): Code => [args, 0x10, unsigned(func.index)];
export const unreachable: Code = [0x00];

export const i32 = {
  /** Signed or unsigned. */
  const: (value: number): Code => {
    if (!Number.isInteger(value) || value < -(2 ** 31) || value >= 2 ** 32)
      throw new RangeError(`not 32 bits: ${value}`);
    return [0x41, signed(value | 0)];
  },
  load: load(0x28),
  store: store(0x36),
  eqz: unary(0x45),
  eq: binary(0x46),
  ne: binary(0x47),
  ltU: binary(0x49),
  geU: binary(0x4f),
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  and: binary(0x71),
  or: binary(0x72),
  xor: binary(0x73),
  shl: binary(0x74),
  shrU: binary(0x76),
  rotl: binary(0x77),
  wrap: unary(0xa7),
  /** Towards zero; out-of-range numbers saturate. */
  fromF64: (a: Code): Code => [a, 0xfc, 2],
} as const;

export const i64 = {
  const: (value: bigint): Code => [0x42, signed(BigInt.asIntN(64, value))],
  load: load(0x29),
  store: store(0x37),
  eqz: unary(0x50),
  eq: binary(0x51),
  ne: binary(0x52),
  add: binary(0x7c),
  mul: binary(0x7e),
  and: binary(0x83),
  or: binary(0x84),
  xor: binary(0x85),
  shl: binary(0x86),
  shrU: binary(0x88),
  extendU: unary(0xad),
  fromBits: unary(0xbd),
} as const;

export const f32 = {
  load: load(0x2a),
  store: store(0x38),
  demote: unary(0xb6),
} as const;

export const f64 = {
  const: (value: number): Code => [0x44, floatBytes(value, 8)],
  load: load(0x2b),
  store: store(0x39),
  eq: binary(0x61),
  lt: binary(0x63),
  gt: binary(0x64),
  le: binary(0x65),
  ge: binary(0x66),
  abs: unary(0x99),
  neg: unary(0x9a),
  floor: unary(0x9c),
  sqrt: unary(0x9f),
  add: binary(0xa0),
  sub: binary(0xa1),
  mul: binary(0xa2),
  div: binary(0xa3),
  max: binary(0xa5),
  promote: unary(0xbb),
  fromI32: unary(0xb7),
  fromI64: unary(0xb9),
  fromBits: unary(0xbf),
} as const;

export const v128 = {
  load: loadSimd(0),
  /** Eight unsigned bytes as 16-bit integers. */
  load8x8U: loadSimd(2),
  load32Splat: loadSimd(9),
  load64Splat: loadSimd(10),
  store: ((pointer, offset, value) => [pointer, value, simd(11), access(offset)]) as Store,
  store32Lane: (pointer: Code, offset: number, value: Code, lane: number): Code => [
    pointer,
    value,
    simd(90),
    access(offset),
    lane,
  ],
  store64Lane: (pointer: Code, offset: number, value: Code, lane: number): Code => [
    pointer,
    value,
    simd(91),
    access(offset),
    lane,
  ],
  /** Sixteen bytes. */
  const: (bytes: readonly number[]): Code => [simd(12), bytes],
  /** Byte k of the result is byte lanes[k] of the two inputs' 32. */
  shuffle: (a: Code, b: Code, lanes: readonly number[]): Code => [a, b, simd(13), lanes],
  and: binarySimd(78),
  /** Bits of a that are not in b. */
  andNot: binarySimd(79),
  or: binarySimd(80),
  xor: binarySimd(81),
  /** Bits of a where the mask has ones, and of b elsewhere. */
  select: (mask: Code, a: Code, b: Code): Code => [a, b, mask, simd(82)],
  anyTrue: unarySimd(83),
} as const;

export const i32x4 = {
  add: binarySimd(174),
  /** Lane k: products 2k and 2k + 1, added, of the eight signed 16-bit integers of a and of b. */
  dot16: binarySimd(186),
  extract: (a: Code, lane: number): Code => [a, simd(27), lane],
} as const;

export const i64x2 = {
  mul: binarySimd(213),
  shrU: (a: Code, bits: Code): Code => [a, bits, simd(205)],
  extract: (a: Code, lane: number): Code => [a, simd(29), lane],
  shl: (a: Code, bits: Code): Code => [a, bits, simd(203)],
  allTrue: unarySimd(195),
} as const;

/** Arithmetic of f64x2 and f32x4, whose codes have the same order. */
function lanesOf(eq: number, abs: number) {
  return {
    eq: binarySimd(eq),
    gt: binarySimd(eq + 3),
    le: binarySimd(eq + 4),
    ge: binarySimd(eq + 5),
    abs: unarySimd(abs),
    neg: unarySimd(abs + 1),
    sqrt: unarySimd(abs + 3),
    add: binarySimd(abs + 4),
    sub: binarySimd(abs + 5),
    mul: binarySimd(abs + 6),
    div: binarySimd(abs + 7),
    /** b < a ? b : a */
    pmin: binarySimd(abs + 10),
    /** a < b ? b : a */
    pmax: binarySimd(abs + 11),
  };
}

export const f64x2 = {
  ...lanesOf(71, 236),
  splat: unarySimd(20),
  extract: (a: Code, lane: number): Code => [a, simd(33), lane],
  replace: (a: Code, lane: number, value: Code): Code => [a, value, simd(34), lane],
  promoteLow: unarySimd(95),
  /** The two lanes as f32, and two zeros. */
  demoteZero: unarySimd(94),
} as const;

export const f32x4 = {
  ...lanesOf(65, 224),
  splat: unarySimd(19),
  extract: (a: Code, lane: number): Code => [a, simd(31), lane],
  replace: (a: Code, lane: number, value: Code): Code => [a, value, simd(32), lane],
} as const;
