// Programs in flat arrays, for searches: a population of thousands fits into a processor's cache, a child is a copy of some bytes,
// and nothing becomes garbage. Holds programs of one memory and limited sizes. Must not know mutations or engines.
import { PAGE, tooLarge, type WasmMemory, wasm } from '../../wasm/api.js';
import {
  type ForFunctions,
  FUNCTION_NAMES,
  forFunctions,
  type Instruction,
  type MemorySizes,
  type Program,
} from '../program.js';
import { CODE_ADDRESSES, type CodeLayout, codeLayout, FUNCTIONS, packWord, WORD } from './code-layout.js';
import { type CopyProgram, copyKernel } from './copy-kernel.js';

// The word of an instruction: op, inputs and output.
const { opMask: OP_MASK, in1: IN1_SHIFT, in2: IN2_SHIFT, out: OUT_SHIFT, addressMask: ADDRESS_MASK } = WORD;

// The indices of an instruction share a word too.
const INDEX_SHIFT = 16;
const INDEX_MASK = 0xffff;
/** The largest element index that code can hold. */
export const MAX_CODE_INDEX = INDEX_MASK;

export const wordOp = (word: number): number => word & OP_MASK;
export const wordIn1 = (word: number): number => (word >> IN1_SHIFT) & ADDRESS_MASK;
export const wordIn2 = (word: number): number => (word >> IN2_SHIFT) & ADDRESS_MASK;
export const wordOut = (word: number): number => (word >> OUT_SHIFT) & ADDRESS_MASK;

export const withIn1 = (word: number, in1: number): number =>
  (word & ~(ADDRESS_MASK << IN1_SHIFT)) | (in1 << IN1_SHIFT);
export const withIn2 = (word: number, in2: number): number =>
  (word & ~(ADDRESS_MASK << IN2_SHIFT)) | (in2 << IN2_SHIFT);
export const withOut = (word: number, out: number): number =>
  (word & ~(ADDRESS_MASK << OUT_SHIFT)) | (out << OUT_SHIFT);

export function packIndices(index1: number, index2: number): number {
  return index1 | (index2 << INDEX_SHIFT);
}

export const firstIndex = (indices: number): number => indices & INDEX_MASK;
export const secondIndex = (indices: number): number => indices >>> INDEX_SHIFT;

/** The instruction of a word, its indices and its constants. */
export function unpackInstruction(word: number, indices: number, const1: number, const2: number): Instruction {
  return {
    op: wordOp(word),
    in1: wordIn1(word),
    in2: wordIn2(word),
    out: wordOut(word),
    index1: firstIndex(indices),
    index2: secondIndex(indices),
    const1,
    const2,
  };
}

export class CodeStore {
  readonly memory: MemorySizes;
  /** Where each function begins in a program, and how many instructions it may have. */
  readonly starts: readonly number[];
  readonly maxLengths: readonly number[];
  /** Instructions set aside for each program. */
  readonly stride: number;
  /** Of each program, the lengths of its functions. */
  readonly lengths: Int32Array;
  /** Of each instruction: op and addresses, element indices, two constants. */
  readonly words: Int32Array;
  readonly indices: Int32Array;
  readonly constants: Float64Array;
  /** What all of these lie in, and where: WebAssembly analyses programs there. */
  readonly wasmMemory: WasmMemory;
  readonly layout: CodeLayout;
  private copyKernel: CopyProgram | undefined;

  constructor(memory: MemorySizes, maxLengths: ForFunctions<number>, capacity: number) {
    if (Object.values(memory).some((size) => size > CODE_ADDRESSES))
      throw new RangeError('more addresses than code holds');
    this.memory = memory;
    this.maxLengths = FUNCTION_NAMES.map((name) => maxLengths[name]);
    const layout = codeLayout(maxLengths, capacity);
    this.layout = layout;
    // It never grows, so that the arrays stay what they are.
    this.wasmMemory = makeMemory(layout.bytes);
    const { buffer } = this.wasmMemory;
    this.starts = layout.starts;
    this.stride = layout.instructions;
    this.lengths = new Int32Array(buffer, layout.lengths, FUNCTIONS * capacity);
    this.words = new Int32Array(buffer, layout.words, this.stride * capacity);
    this.indices = new Int32Array(buffer, layout.indices, this.stride * capacity);
    this.constants = new Float64Array(buffer, layout.constants, 2 * this.stride * capacity);
  }

  length(place: number, fn: number): number {
    return this.lengths[FUNCTIONS * place + fn]!;
  }

  /** The number of the first instruction of a function of a program. */
  first(place: number, fn: number): number {
    return place * this.stride + this.starts[fn]!;
  }

  copy(from: number, to: number): void {
    this.copyKernel ??= copyKernel(this.wasmMemory, this.layout);
    this.copyKernel(from, to);
  }

  /** Copies instructions, of which some may be both: as if all were read first. */
  move(from: number, to: number, count: number): void {
    const { words, indices, constants } = this;
    const step = from < to ? -1 : 1;
    for (let n = 0, k = from < to ? count - 1 : 0; n < count; n++, k += step) {
      words[to + k] = words[from + k]!;
      indices[to + k] = indices[from + k]!;
      constants[2 * (to + k)] = constants[2 * (from + k)]!;
      constants[2 * (to + k) + 1] = constants[2 * (from + k) + 1]!;
    }
  }

  /** Makes room for so many instructions before instruction `k` of a function; they are still to be written. Says where the first is. */
  makeGap(place: number, fn: number, k: number, count: number): number {
    const length = this.length(place, fn);
    const at = this.first(place, fn) + k;
    this.move(at, at + count, length - k);
    this.lengths[FUNCTIONS * place + fn] = length + count;
    return at;
  }

  /** Removes instruction `k` of a function. */
  remove(place: number, fn: number, k: number): void {
    const length = this.length(place, fn);
    const at = this.first(place, fn) + k;
    this.move(at + 1, at, length - k - 1);
    this.lengths[FUNCTIONS * place + fn] = length - 1;
  }

  /** Two instructions change places. */
  exchange(a: number, b: number): void {
    const { words, indices, constants } = this;
    [words[a], words[b]] = [words[b]!, words[a]!];
    [indices[a], indices[b]] = [indices[b]!, indices[a]!];
    for (let k = 0; k < 2; k++) {
      [constants[2 * a + k], constants[2 * b + k]] = [constants[2 * b + k]!, constants[2 * a + k]!];
    }
  }

  write(place: number, program: Program): void {
    FUNCTION_NAMES.forEach((name, fn) => {
      const body = program[name];
      if (body.length > this.maxLengths[fn]!) {
        throw new RangeError(`${name} has ${body.length} instructions, and at most ${this.maxLengths[fn]} fit`);
      }
      this.lengths[FUNCTIONS * place + fn] = body.length;
      const first = this.first(place, fn);
      for (const [k, instruction] of body.entries()) {
        const { op, in1, in2, out, index1, index2, const1, const2 } = instruction;
        this.words[first + k] = packWord(op, in1, in2, out);
        this.indices[first + k] = packIndices(index1, index2);
        this.constants[2 * (first + k)] = const1;
        this.constants[2 * (first + k) + 1] = const2;
      }
    });
  }

  read(place: number): Program {
    return forFunctions((name) => this.readFunction(place, FUNCTION_NAMES.indexOf(name)));
  }

  private readFunction(place: number, fn: number): Instruction[] {
    const first = this.first(place, fn);
    const { words, indices, constants } = this;
    return Array.from({ length: this.length(place, fn) }, (_, k) => {
      const n = first + k;
      return unpackInstruction(words[n]!, indices[n]!, constants[2 * n]!, constants[2 * n + 1]!);
    });
  }
}

function makeMemory(bytes: number): WasmMemory {
  const pages = Math.ceil(bytes / PAGE);
  try {
    return new wasm.Memory({ initial: pages, maximum: pages });
  } catch {
    throw tooLarge(bytes, 'a smaller population or shorter programs need less');
  }
}
