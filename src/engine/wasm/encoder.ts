// Writes a program into WebAssembly memory: live instructions only, addresses replaced by pointers, pairs fused where the value
// between them is read nowhere else. Leaves no garbage. Whatever it is given, what it writes touches only the operands' region.
import { INDICES, OPERAND_TYPES } from '../../ops/by-number.js';
import { elementPlace, OPS } from '../../ops/ops.js';
import { LiveCode } from '../../program/flat/live-code.js';
import { FEATURES_SLOT, LABEL_SLOT, LAST_USE_OF_INPUT, PREDICTION_SLOT } from '../../program/liveness-analysis.js';
import { FUNCTION_NAMES, type LabelKind, MAX_INDEX, type Program } from '../../program/program.js';
import { INSTRUCTION } from './encoding.js';
import { heap } from './heap.js';
import { copyKernel, fusedKernel, IS_PRODUCER, needsSeparateOutput } from './kernels.js';
import type { Layout } from './layout.js';
import { writeConstants, writeInstruction } from './write-instruction.js';

/** A program that cannot be encoded. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/** More addresses of one type than any memory has. */
const MAX_ADDRESSES = 4096;

// By op number, for speed.
const INPUTS = Uint8Array.from(OPS, (op) => op.inputs.length);
const HAS_OUTPUT = Uint8Array.from(OPS, (op) => Number(op.output !== undefined));
const HAS_CONSTANTS = Uint8Array.from(OPS, (op) => Number(op.constantSpecs.length > 0));
const IS_RANDOM = Uint8Array.from(OPS, (op) => Number(op.random));
const NEEDS_SEPARATE_OUTPUT = Uint8Array.from(OPS, (op) => Number(needsSeparateOutput(op)));

const NO_SLOT = -1;
const NOWHERE = -1;

/** An instruction that is computed alone, and one that is computed together with a later one. */
const ALONE = -1;
const LATER = -2;

/** Where an encoded program lies. */
interface Encoded {
  setup: number;
  predict: number;
  learn: number;
  codeEnd: number;
  /** Operands: address and bytes, all of which must be zero at the start. */
  memory: number;
  memoryBytes: number;
  features: number;
  label: number;
  prediction: number;
  predictWritesFeatures: boolean;
}

export class Encoder {
  /** What the last call of `encode` wrote. */
  readonly encoded: Encoded = {
    setup: 0,
    predict: 0,
    learn: 0,
    codeEnd: 0,
    memory: 0,
    memoryBytes: 0,
    features: 0,
    label: 0,
    prediction: 0,
    predictWritesFeatures: false,
  };

  private readonly layout: Layout;
  private readonly ownCode: LiveCode;
  /** What is being encoded. */
  private live: LiveCode;
  /** Regions of the heap; 0 while there is none. */
  private code = 0;
  private codeInstructions = 0;
  private memory = 0;
  private memoryBytes = 0;

  /** Bytes of an operand, by type. */
  private readonly sizes: Float64Array;
  /** Where the operand of each slot begins in memory; -1 while it has no place. */
  private places = new Int32Array(64);
  /** A place for a moment, by type. */
  private readonly scratch = new Float64Array(OPERAND_TYPES.length);
  private used = 0;
  private pc = 0;
  private ordinal = 0;
  /** Per instruction: the earlier one that is computed together with it, or ALONE, or LATER. */
  private partner = new Int32Array(64);

  constructor(layout: Layout, labels: LabelKind) {
    this.layout = layout;
    this.ownCode = new LiveCode(labels);
    this.live = this.ownCode;
    this.sizes = Float64Array.from(OPERAND_TYPES, (type) => layout.operandBytes(type));
  }

  dispose(): void {
    if (this.code !== 0) heap.release(this.code);
    if (this.memory !== 0) heap.release(this.memory);
    this.code = 0;
    this.memory = 0;
  }

  /** Encodes a program and leaves its places in `encoded`. Throws EncodingError if it is not valid. */
  encode(program: Program): void {
    checkProgram(program);
    this.ownCode.setProgram(program);
    this.encodeLive(this.ownCode);
  }

  /** The same for what is known to be valid and live. */
  encodeLive(live: LiveCode): void {
    this.live = live;
    this.reserve(live.end);
    this.write();
    if (this.used > this.memoryBytes) {
      this.growMemory(this.used);
      this.write();
    }
  }

  /** Bytes of WebAssembly memory that this encoder holds. */
  get bytes(): number {
    return this.codeInstructions * INSTRUCTION.bytes + this.memoryBytes;
  }

  private reserve(instructions: number): void {
    if (this.partner.length < instructions) this.partner = new Int32Array(2 * instructions);
    if (this.places.length < this.live.slotCount) this.places = new Int32Array(2 * this.live.slotCount);
    // An instruction may need a second one that copies its output.
    const needed = 2 * instructions;
    if (needed <= this.codeInstructions) return;
    const larger = heap.allocate(2 * needed * INSTRUCTION.bytes);
    if (this.code !== 0) heap.release(this.code);
    this.code = larger;
    this.codeInstructions = 2 * needed;
  }

  private growMemory(bytes: number): void {
    // The old one first: both may not fit.
    if (this.memory !== 0) heap.release(this.memory);
    this.memory = 0;
    this.memoryBytes = 0;
    this.memory = heap.allocate(bytes);
    this.memoryBytes = bytes;
  }

  private write(): void {
    const { encoded, live, places } = this;
    const { firstOfPredict, firstOfLearn, end, slotCount } = live;
    this.used = 0;
    this.ordinal = 0;
    for (let type = 0; type < OPERAND_TYPES.length; type++) this.scratch[type] = NOWHERE;
    for (let slot = 0; slot < slotCount; slot++) places[slot] = NOWHERE;
    encoded.features = this.pointer(FEATURES_SLOT);
    encoded.label = this.pointer(LABEL_SLOT);
    encoded.prediction = this.pointer(PREDICTION_SLOT);
    this.pc = this.code;
    encoded.setup = this.pc;
    this.writeFunction(0, firstOfPredict);
    encoded.predict = this.pc;
    this.writeFunction(firstOfPredict, firstOfLearn);
    encoded.learn = this.pc;
    this.writeFunction(firstOfLearn, end);
    encoded.codeEnd = this.pc;
    encoded.memory = this.memory;
    encoded.memoryBytes = this.used;
    encoded.predictWritesFeatures = this.writesFeatures(firstOfPredict, firstOfLearn);
  }

  /** Whether an instruction changes the features. */
  private writesFeatures(first: number, end: number): boolean {
    const { out } = this.live;
    for (let k = first; k < end; k++) if (out[k] === FEATURES_SLOT) return true;
    return false;
  }

  private writeFunction(first: number, end: number): void {
    const { partner } = this;
    const { ops } = this.live;
    for (let k = first; k < end; k++) partner[k] = ALONE;
    for (let k = first; k < end; k++) {
      if (!IS_PRODUCER[ops[k]!]) continue;
      const reader = this.onlyReader(k, end);
      if (reader < 0) continue;
      partner[reader] = k;
      partner[k] = LATER;
    }
    for (let k = first; k < end; k++) {
      const other = partner[k]!;
      if (other === ALONE) this.writeInstruction(k);
      else if (other !== LATER) this.writeFused(other, k);
    }
  }

  /**
   * The later instruction that a pointwise one can be computed together with: it alone reads the value, and until then
   * nothing changes what the value is made of. -1 if there is none.
   */
  private onlyReader(k: number, end: number): number {
    const { ops, marks, out, in1, in2 } = this.live;
    const value = out[k]!;
    for (let next = k + 1; next < end; next++) {
      const readsFirst = in1[next] === value;
      const readsSecond = in2[next] === value;
      if (readsFirst || readsSecond) {
        if ((readsFirst && readsSecond) || this.partner[next]! >= 0) return -1;
        const position = readsFirst ? 0 : 1;
        const isLast = (marks[next]! & LAST_USE_OF_INPUT[position]) !== 0;
        return isLast && fusedKernel(ops[k]!, ops[next]!, position) >= 0 ? next : -1;
      }
      const changed = out[next];
      if (changed === value || changed === in1[k] || changed === in2[k]) return -1;
    }
    return -1;
  }

  private writeFused(first: number, second: number): void {
    const { ops, out, in1, in2 } = this.live;
    const position = in1[second] === out[first] ? 0 : 1;
    const other = this.pointer(position === 0 ? in2[second]! : in1[second]!);
    const pointer1 = this.pointer(in1[first]!);
    const pointer2 = in2[first] === NO_SLOT ? other : this.pointer(in2[first]!);
    const kernel = fusedKernel(ops[first]!, ops[second]!, position);
    writeInstruction(this.pc, kernel, pointer1, pointer2, this.pointer(out[second]!));
    heap.i32[(this.pc + INSTRUCTION.in3) / 4] = other;
    this.pc += INSTRUCTION.bytes;
  }

  private writeInstruction(k: number): void {
    const { ops, out, in1, in2, slotType, index1, index2, constants } = this.live;
    const op = ops[k]!;
    const pointer1 = in1[k] === NO_SLOT ? 0 : this.pointer(in1[k]!);
    const pointer2 = in2[k] === NO_SLOT ? 0 : this.pointer(in2[k]!);
    let target = this.pointer(out[k]!);
    if (NEEDS_SEPARATE_OUTPUT[op] && (out[k] === in1[k] || out[k] === in2[k])) {
      const type = slotType[out[k]!]!;
      const aside = this.scratchPointer(type);
      writeInstruction(this.pc, op, pointer1, pointer2, aside);
      this.pc += INSTRUCTION.bytes;
      writeInstruction(this.pc, copyKernel(OPERAND_TYPES[type] as 'v' | 'm'), aside, 0, target);
      this.pc += INSTRUCTION.bytes;
      return;
    }
    const { features, elementStride } = this.layout;
    if (INDICES[op]! > 0) target += elementPlace(INDICES[op]!, index1[k]!, index2[k]!, features) * elementStride;
    writeInstruction(this.pc, op, IS_RANDOM[op] ? this.ordinal++ : pointer1, pointer2, target);
    if (HAS_CONSTANTS[op]) writeConstants(this.pc, constants[2 * k]!, constants[2 * k + 1]!);
    this.pc += INSTRUCTION.bytes;
  }

  /** Where an operand lies; the next free place when it is first asked for. */
  private pointer(slot: number): number {
    if (this.places[slot] === NOWHERE) this.places[slot] = this.take(this.live.slotType[slot]!);
    return this.memory + this.places[slot]!;
  }

  /** A place beside the operands, shared by all instructions that need one for a moment. */
  private scratchPointer(type: number): number {
    if (this.scratch[type] === NOWHERE) this.scratch[type] = this.take(type);
    return this.memory + this.scratch[type]!;
  }

  private take(type: number): number {
    const offset = this.used;
    this.used += this.sizes[type]!;
    return offset;
  }
}

function isWholeNumber(x: number, end: number): boolean {
  return (x | 0) === x && x >= 0 && x < end;
}

function isAddress(x: number): boolean {
  return isWholeNumber(x, MAX_ADDRESSES);
}

function isIndex(x: number): boolean {
  return isWholeNumber(x, MAX_INDEX + 1);
}

/** Throws unless every instruction has an op, and the addresses and indices that the op uses exist. */
function checkProgram(program: Program): void {
  for (const name of FUNCTION_NAMES) {
    const body = program[name];
    for (let k = 0; k < body.length; k++) {
      const { op, in1, in2, out, index1, index2 } = body[k]!;
      if (!isWholeNumber(op, OPS.length)) throw new EncodingError(`${name}[${k}]: there is no op ${op}`);
      const inputs = INPUTS[op]!;
      if ((inputs >= 1 && !isAddress(in1)) || (inputs >= 2 && !isAddress(in2)) || (HAS_OUTPUT[op] && !isAddress(out))) {
        throw new EncodingError(`${name}[${k}]: addresses are whole numbers below ${MAX_ADDRESSES}`);
      }
      const indices = INDICES[op]!;
      if ((indices >= 1 && !isIndex(index1)) || (indices >= 2 && !isIndex(index2))) {
        throw new EncodingError(`${name}[${k}]: indices are whole numbers up to ${MAX_INDEX}`);
      }
    }
  }
}
