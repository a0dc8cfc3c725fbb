// Writes a program into WebAssembly memory: live instructions only, addresses replaced by pointers, pairs fused where the value
// between them is read nowhere else. Leaves no garbage. Whatever it is given, what it writes touches only the operands' region.
import { OPS } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import { LAST_USE_OF_INPUT, LIVE, LivenessAnalysis } from '../../program/liveness.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  type Instruction,
  type LabelKind,
  MAX_INDEX,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import { INSTRUCTION } from './encoding.js';
import { heap } from './heap.js';
import { copyKernel, fusedKernel, IS_PRODUCER, needsSeparateOutput } from './kernels.js';
import type { Layout } from './layout.js';

/** A program that cannot be encoded. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/** More addresses of one type than any memory has. */
const MAX_ADDRESSES = 4096;
/** As many as nearly every program has. */
const FEW_ADDRESSES = 32;

const TYPES = ['s', 'v', 'm'] as const;
const TYPE_CODE = { s: 0, v: 1, m: 2 } as const;

/** Where an encoded program lies. */
export interface Encoded {
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

const NEVER = 0;

/** An instruction that is computed alone, and one that is computed together with a later one. */
const ALONE = -1;
const LATER = -2;

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
  private readonly labels: LabelKind;
  private readonly analysis = new LivenessAnalysis();
  private code = heap.allocate(INSTRUCTION.bytes);
  private codeInstructions = 1;
  private memory = heap.allocate(16);
  private memoryBytes = 16;

  /** Offsets of operands in memory, by type and address. Those of earlier programs are marked by an older stamp. */
  private readonly offsets = TYPES.map(() => new Float64Array(FEW_ADDRESSES));
  private readonly stamps = TYPES.map(() => new Int32Array(FEW_ADDRESSES));
  private readonly scratch = new Float64Array(TYPES.length);
  private readonly sizes: Float64Array;
  private stamp = NEVER;
  private used = 0;
  private pc = 0;
  private ordinal = 0;
  /** Per instruction of a function: the earlier one that is computed together with it, or one of the two below. */
  private fused = new Int32Array(64);

  constructor(layout: Layout, labels: LabelKind) {
    this.layout = layout;
    this.labels = labels;
    this.sizes = Float64Array.from(TYPES, (type) => layout.operandBytes(type));
  }

  dispose(): void {
    heap.release(this.code);
    heap.release(this.memory);
  }

  /** Encodes a program and leaves its places in `encoded`. Throws EncodingError if it is not valid. */
  encode(program: Program): void {
    checkProgram(program);
    this.analysis.run(program, this.labels);
    this.reserveCode(program.setup.length + program.predict.length + program.learn.length);
    this.write(program);
    if (this.used > this.memoryBytes) {
      const previous = this.memory;
      this.memory = heap.allocate(this.used);
      this.memoryBytes = this.used;
      heap.release(previous);
      this.write(program);
    }
  }

  /** Bytes of WebAssembly memory that this encoder holds. */
  get bytes(): number {
    return this.codeInstructions * INSTRUCTION.bytes + this.memoryBytes;
  }

  private reserveCode(instructions: number): void {
    // An instruction may need a second one that copies its output.
    const needed = 2 * instructions;
    if (needed <= this.codeInstructions) return;
    heap.release(this.code);
    this.codeInstructions = 2 * needed;
    this.code = heap.allocate(this.codeInstructions * INSTRUCTION.bytes);
  }

  private write(program: Program): void {
    const { encoded } = this;
    this.stamp++;
    this.used = 0;
    this.ordinal = 0;
    this.scratch.fill(0);
    const { features, label, prediction } = TASK_ADDRESSES[this.labels];
    encoded.features = this.pointer(TYPE_CODE[features.type], features.address);
    encoded.label = this.pointer(TYPE_CODE[label.type], label.address);
    encoded.prediction = this.pointer(TYPE_CODE[prediction.type], prediction.address);
    this.pc = this.code;
    encoded.setup = this.pc;
    this.writeFunction(program, 'setup', 0);
    encoded.predict = this.pc;
    this.writeFunction(program, 'predict', program.setup.length);
    encoded.learn = this.pc;
    this.writeFunction(program, 'learn', program.setup.length + program.predict.length);
    encoded.codeEnd = this.pc;
    encoded.memory = this.memory;
    encoded.memoryBytes = this.used;
    encoded.predictWritesFeatures = this.writes(program.predict, program.setup.length, features.type, features.address);
  }

  /** Whether a live instruction of a function writes to an address. */
  private writes(body: readonly Instruction[], first: number, type: OperandType, address: number): boolean {
    for (let k = 0; k < body.length; k++) {
      const { op, out } = body[k]!;
      if (this.analysis.marks[first + k] !== 0 && out === address && OPS[op]!.output === type) return true;
    }
    return false;
  }

  private writeFunction(program: Program, name: FunctionName, first: number): void {
    const body = program[name];
    const { marks } = this.analysis;
    if (this.fused.length < body.length) this.fused = new Int32Array(2 * body.length);
    this.fused.fill(ALONE, 0, body.length);
    for (let k = 0; k < body.length; k++) {
      if ((marks[first + k]! & LIVE) === 0 || !IS_PRODUCER[body[k]!.op]) continue;
      const reader = this.onlyReader(body, k, first);
      if (reader < 0) continue;
      this.fused[reader] = k;
      this.fused[k] = LATER;
    }
    for (let k = 0; k < body.length; k++) {
      if ((marks[first + k]! & LIVE) === 0) continue;
      const producer = this.fused[k]!;
      if (producer === ALONE) this.writeInstruction(body[k]!);
      else if (producer !== LATER) this.writeFused(body[producer]!, body[k]!);
    }
  }

  /**
   * The later instruction that a pointwise one can be computed together with: it alone reads the value, and until then
   * nothing changes what the value is made of. -1 if there is none.
   */
  private onlyReader(body: readonly Instruction[], k: number, first: number): number {
    const { marks } = this.analysis;
    const { op: id, in1, in2, out } = body[k]!;
    const { output, inputs } = OPS[id]!;
    for (let next = k + 1; next < body.length; next++) {
      const bits = marks[first + next]!;
      if ((bits & LIVE) === 0) continue;
      const reader = body[next]!;
      const op = OPS[reader.op]!;
      const readsFirst = op.inputs[0] === output && reader.in1 === out;
      const readsSecond = op.inputs[1] === output && reader.in2 === out;
      if (readsFirst || readsSecond) {
        if ((readsFirst && readsSecond) || this.fused[next]! >= 0) return -1;
        const position = readsFirst ? 0 : 1;
        const isLast = (bits & LAST_USE_OF_INPUT[position]) !== 0;
        return isLast && fusedKernel(id, reader.op, position) !== undefined ? next : -1;
      }
      if (op.output === output && reader.out === out) return -1;
      if (op.output === inputs[0] && reader.out === in1) return -1;
      if (op.output === inputs[1] && reader.out === in2) return -1;
    }
    return -1;
  }

  private writeFused(producer: Instruction, consumer: Instruction): void {
    const made = OPS[producer.op]!;
    const type = TYPE_CODE[made.output!];
    const position = consumer.in1 === producer.out ? 0 : 1;
    const kernel = fusedKernel(producer.op, consumer.op, position)!;
    const other = this.pointer(type, position === 0 ? consumer.in2 : consumer.in1);
    const pointer1 = this.pointer(TYPE_CODE[made.inputs[0]!], producer.in1);
    const pointer2 = made.inputs[1] === undefined ? other : this.pointer(TYPE_CODE[made.inputs[1]], producer.in2);
    this.writeWords(kernel, pointer1, pointer2, this.pointer(type, consumer.out));
    heap.i32[(this.pc + INSTRUCTION.in3) / 4] = other;
    this.pc += INSTRUCTION.bytes;
  }

  private writeInstruction(instruction: Instruction): void {
    const { op: id, in1, in2, out, index1, index2 } = instruction;
    const op = OPS[id]!;
    if (op.output === undefined) return;
    const type = TYPE_CODE[op.output];
    const pointer1 = op.inputs[0] === undefined ? 0 : this.pointer(TYPE_CODE[op.inputs[0]], in1);
    const pointer2 = op.inputs[1] === undefined ? 0 : this.pointer(TYPE_CODE[op.inputs[1]], in2);
    const target = this.pointer(type, out);
    if ((target === pointer1 || target === pointer2) && needsSeparateOutput(op)) {
      const aside = this.scratchPointer(type);
      this.writeWords(id, pointer1, pointer2, aside);
      this.pc += INSTRUCTION.bytes;
      this.writeWords(copyKernel(op.output), aside, 0, target);
      this.pc += INSTRUCTION.bytes;
      return;
    }
    const F = this.layout.features;
    const element = op.indices === 0 ? 0 : op.indices === 1 ? index1 % F : (index1 % F) * F + (index2 % F);
    this.writeWords(id, op.random ? this.ordinal++ : pointer1, pointer2, target + element * this.layout.elementStride);
    heap.f64[(this.pc + INSTRUCTION.const1) / 8] = instruction.const1;
    heap.f64[(this.pc + INSTRUCTION.const2) / 8] = instruction.const2;
    this.pc += INSTRUCTION.bytes;
  }

  private writeWords(kernel: number, in1: number, in2: number, out: number): void {
    const words = heap.i32;
    const at = this.pc / 4;
    words[at + INSTRUCTION.kernel / 4] = kernel;
    words[at + INSTRUCTION.in1 / 4] = in1;
    words[at + INSTRUCTION.in2 / 4] = in2;
    words[at + INSTRUCTION.out / 4] = out;
  }

  /** Where an operand lies; the next free place when it is first asked for. */
  private pointer(type: number, address: number): number {
    if (address >= this.stamps[type]!.length) {
      this.stamps[type] = grown(this.stamps[type]!, new Int32Array(MAX_ADDRESSES));
      this.offsets[type] = grown(this.offsets[type]!, new Float64Array(MAX_ADDRESSES));
    }
    const stamps = this.stamps[type]!;
    const offsets = this.offsets[type]!;
    if (stamps[address] !== this.stamp) {
      stamps[address] = this.stamp;
      offsets[address] = this.take(type);
    }
    return this.memory + offsets[address]!;
  }

  /** A place beside the operands, shared by all instructions that need one for a moment. */
  private scratchPointer(type: number): number {
    if (this.scratch[type] === 0) this.scratch[type] = this.take(type) + 1;
    return this.memory + this.scratch[type]! - 1;
  }

  private take(type: number): number {
    const offset = this.used;
    this.used += this.sizes[type]!;
    return offset;
  }
}

function grown<T extends Int32Array | Float64Array>(array: T, larger: T): T {
  larger.set(array);
  return larger;
}

function isAddress(address: number): boolean {
  return Number.isInteger(address) && address >= 0 && address < MAX_ADDRESSES;
}

function isIndex(index: number): boolean {
  return Number.isInteger(index) && index >= 0 && index <= MAX_INDEX;
}

/** Throws unless every instruction has an op, addresses and indices that exist. */
function checkProgram(program: Program): void {
  for (const name of FUNCTION_NAMES) {
    const body = program[name];
    for (let k = 0; k < body.length; k++) {
      const { op: id, in1, in2, out, index1, index2 } = body[k]!;
      if (!Number.isInteger(id) || id < 0 || id >= OPS.length) throw new EncodingError(`${name}[${k}]: no op ${id}`);
      if (!isAddress(in1) || !isAddress(in2) || !isAddress(out)) {
        throw new EncodingError(`${name}[${k}]: addresses must be whole numbers from 0 to ${MAX_ADDRESSES - 1}`);
      }
      if (!isIndex(index1) || !isIndex(index2)) throw new EncodingError(`${name}[${k}]: not an index of an element`);
    }
  }
}
