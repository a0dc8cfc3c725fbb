// Where things lie in the memory of a code store, in bytes: the programs, and before them the room in which one of them at a time
// is analysed. JavaScript and WebAssembly both work on it. Must not know what is done there.
import { type ForFunctions, FUNCTION_NAMES } from '../program.js';

/** Addresses of each type that fit into a word of code. */
export const CODE_ADDRESSES = 256;
/** How many functions a program has; their numbers are their places in FUNCTION_NAMES. */
export const FUNCTIONS = FUNCTION_NAMES.length;
export const SETUP = 0;
export const PREDICT = 1;
export const LEARN = 2;
const TYPES = 3;
/** Slots that a program can have: every address of every type. */
const MAX_SLOTS = TYPES * CODE_ADDRESSES;
/** Ops that seven bits tell apart. */
const MAX_OPS = 128;

/** Where the parts of an instruction's word begin, in bits; the op is the first. */
export const WORD = { opMask: 0x7f, in1: 7, in2: 15, out: 23, addressMask: CODE_ADDRESSES - 1 } as const;

/** Op and addresses of an instruction in one word. Addresses from CODE_ADDRESSES on do not fit. */
export function packWord(op: number, in1: number, in2: number, out: number): number {
  return op | (in1 << WORD.in1) | (in2 << WORD.in2) | (out << WORD.out);
}

/** Of each op, four words: the rows of the slot table for output and inputs, and what it is like. */
export const OP_ENTRY = { out: 0, in1: 4, in2: 8, flags: 12, bytes: 16 } as const;

/** Of each instruction of the program that is analysed, live or not. */
export const RECORD = { outBit: 0, inBits: 8, number: 16, entry: 20, out: 24, in1: 28, in2: 32, bytes: 40 } as const;

/** Of each instruction that was found live, backwards: what is needed after it, and its record. */
export const LISTED = { needed: 0, record: 8, bytes: 16 } as const;

/** An element that is certainly set later in Setup, before anything reads it: slot as a bit, and indices. */
export const SETTLED = { bit: 0, indices: 8, bytes: 16 } as const;

/** Words: where live functions begin and the last ends, and the halves of the hash. */
export const RESULT = { bounds: 0, high: 4, low: 5, words: 6 } as const;

export interface CodeLayout {
  readonly instructions: number;
  readonly starts: readonly number[];
  // For analysis: tables, then what an analysis works with.
  readonly ops: number;
  readonly slotTable: number;
  readonly slotTypes: number;
  readonly names: number;
  /** After a word that no identity has. */
  readonly identities: number;
  readonly nextNames: number;
  readonly records: number;
  readonly listed: number;
  readonly settled: number;
  readonly result: number;
  // The live instructions of the program that was analysed.
  readonly liveOps: number;
  readonly liveOut: number;
  readonly liveIn1: number;
  readonly liveIn2: number;
  readonly liveMarks: number;
  readonly liveIndex1: number;
  readonly liveIndex2: number;
  readonly liveConstants: number;
  // The programs.
  readonly lengths: number;
  readonly words: number;
  readonly indices: number;
  readonly constants: number;
  readonly bytes: number;
}

export function codeLayout(maxLengths: ForFunctions<number>, capacity: number): CodeLayout {
  const instructions = FUNCTION_NAMES.reduce((sum, name) => sum + maxLengths[name], 0);
  const all = instructions * capacity;
  let bytes = 64;
  const take = (size: number): number => {
    const at = bytes;
    bytes += Math.ceil(size / 8) * 8;
    return at;
  };
  const words = (count: number): number => take(4 * count);
  const room = Math.max(1, instructions);
  return {
    instructions,
    starts: [0, maxLengths.setup, maxLengths.setup + maxLengths.predict],
    ops: take(MAX_OPS * OP_ENTRY.bytes),
    slotTable: words((TYPES + 1) * CODE_ADDRESSES),
    slotTypes: words(MAX_SLOTS),
    names: words(MAX_SLOTS + TYPES),
    identities: words(MAX_SLOTS + 1) + 4,
    nextNames: words(TYPES),
    records: take(room * RECORD.bytes),
    listed: take((room + 1) * LISTED.bytes),
    settled: take(room * SETTLED.bytes),
    result: words(RESULT.words),
    liveOps: words(room),
    liveOut: words(room),
    liveIn1: words(room),
    liveIn2: words(room),
    liveMarks: words(room),
    liveIndex1: words(room),
    liveIndex2: words(room),
    liveConstants: take(16 * room),
    lengths: words(FUNCTIONS * capacity),
    words: words(all),
    indices: words(all),
    constants: take(16 * all),
    bytes,
  };
}
