// What a program is: three functions of instructions, the memory they run on, and the addresses with a fixed meaning
// (paper, "Search Space"). Immutable plain data. Must not know text, engines or tasks.
import { OPS, opById } from '../ops/ops.js';
import type { OperandType } from '../ops/types.js';

/** Fields that an op does not use are 0, so that equal instructions have equal fields. */
export interface Instruction {
  readonly op: number;
  readonly in1: number;
  readonly in2: number;
  readonly out: number;
  readonly index1: number;
  readonly index2: number;
  readonly const1: number;
  readonly const2: number;
}

export const FUNCTION_NAMES = ['setup', 'predict', 'learn'] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];

/** A program: the instructions of `setup`, `predict` and `learn`. */
export type Program = ForFunctions<readonly Instruction[]>;

export function countInstructions({ setup, predict, learn }: Program): number {
  return setup.length + predict.length + learn.length;
}

/** Something for each function. */
export type ForFunctions<T> = { readonly [name in FunctionName]: T };

export function forFunctions<T>(make: (name: FunctionName) => T): ForFunctions<T> {
  return { setup: make('setup'), predict: make('predict'), learn: make('learn') };
}

/** How many addresses of each type there are. */
export interface MemorySizes {
  readonly scalars: number;
  readonly vectors: number;
  readonly matrices: number;
}

/** Enough for every program and every example of an op in the paper. */
export const DEFAULT_MEMORY: MemorySizes = { scalars: 10, vectors: 20, matrices: 10 };

export interface Address {
  readonly type: OperandType;
  readonly address: number;
}

export const LABEL_KINDS = ['scalar', 'vector'] as const;
/** Whether a label is a scalar (s0), or a vector (v1) for many classes. */
export type LabelKind = (typeof LABEL_KINDS)[number];

export type TaskAddresses = { readonly [role in 'features' | 'label' | 'prediction']: Address };

/**
 * Where a program meets its task. Regression and two classes: label and prediction are scalars. Many classes: vectors
 * with one component per class.
 */
export const TASK_ADDRESSES: { readonly [kind in LabelKind]: TaskAddresses } = {
  scalar: {
    features: { type: 'v', address: 0 },
    label: { type: 's', address: 0 },
    prediction: { type: 's', address: 1 },
  },
  vector: {
    features: { type: 'v', address: 0 },
    label: { type: 'v', address: 1 },
    prediction: { type: 'v', address: 2 },
  },
};

export const TYPE_NAMES: { readonly [type in OperandType]: { readonly one: string; readonly many: string } } = {
  s: { one: 'scalar', many: 'scalars' },
  v: { one: 'vector', many: 'vectors' },
  m: { one: 'matrix', many: 'matrices' },
};

export function memorySize(memory: MemorySizes, type: OperandType): number {
  return type === 's' ? memory.scalars : type === 'v' ? memory.vectors : memory.matrices;
}

/** Larger indices are surely mistakes, and feature sizes stay far below. */
export const MAX_INDEX = 1_000_000;

interface InstructionParts {
  readonly op: number;
  readonly inputs?: readonly number[];
  readonly out?: number;
  readonly indices?: readonly number[];
  readonly constants?: readonly number[];
}

/** An instruction from the parts that its op uses. */
export function makeInstruction(parts: InstructionParts): Instruction {
  const { op, inputs = [], out = 0, indices = [], constants = [] } = parts;
  const [in1 = 0, in2 = 0] = inputs;
  const [index1 = 0, index2 = 0] = indices;
  const [const1 = 0, const2 = 0] = constants;
  return { op, in1, in2, out, index1, index2, const1, const2 };
}

/** Says that an address lies outside the memory, or nothing. `shown` is the address as it was written. */
export function addressProblem(
  type: OperandType,
  address: number,
  memory: MemorySizes,
  shown = type + address,
): string | undefined {
  const size = memorySize(memory, type);
  if (Number.isInteger(address) && address >= 0 && address < size) return undefined;
  const { one, many } = TYPE_NAMES[type];
  return `${one} address ${shown} is out of range: this memory has ${size} ${size === 1 ? one : many}`;
}

function instructionProblem(instruction: Instruction, memory: MemorySizes): string | undefined {
  const op = OPS[instruction.op];
  if (op === undefined) return `there is no op ${instruction.op}: ops are numbered 0 to ${OPS.length - 1}`;
  const addresses = [instruction.in1, instruction.in2];
  for (const [k, type] of op.inputs.entries()) {
    const problem = addressProblem(type, addresses[k]!, memory);
    if (problem !== undefined) return problem;
  }
  if (op.output !== undefined) {
    const problem = addressProblem(op.output, instruction.out, memory);
    if (problem !== undefined) return problem;
  }
  for (const index of [instruction.index1, instruction.index2]) {
    if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) return `element index ${index} is out of range`;
  }
  if (!Number.isFinite(instruction.const1) || !Number.isFinite(instruction.const2)) {
    return 'constants must be finite numbers';
  }
  return undefined;
}

/** The first thing that makes the program unfit for this memory, with its place, or nothing. */
export function programProblem(program: Program, memory: MemorySizes): string | undefined {
  for (const name of FUNCTION_NAMES) {
    for (const [k, instruction] of program[name].entries()) {
      const problem = instructionProblem(instruction, memory);
      if (problem !== undefined) return `${name}[${k}]: ${problem}`;
    }
  }
  return undefined;
}

/** Says that an element index does not exist at this feature size, or nothing. Engines wrap such an index. */
export function indexProblem(program: Program, features: number): string | undefined {
  for (const name of FUNCTION_NAMES) {
    for (const instruction of program[name]) {
      const used = [instruction.index1, instruction.index2].slice(0, opById(instruction.op).indices);
      const beyond = used.find((index) => index >= features);
      if (beyond !== undefined) return `element index ${beyond} in ${name} needs more than ${features} features`;
    }
  }
  return undefined;
}

/** The smallest memory that the program and its interface fit in. */
export function memoryNeeded(program: Program, labels: LabelKind): MemorySizes {
  const size = { s: 0, v: 0, m: 0 };
  const need = (type: OperandType, address: number) => {
    size[type] = Math.max(size[type], address + 1);
  };
  for (const { type, address } of Object.values(TASK_ADDRESSES[labels])) need(type, address);
  for (const name of FUNCTION_NAMES) {
    for (const instruction of program[name]) {
      const op = opById(instruction.op);
      if (op.output !== undefined) need(op.output, instruction.out);
      if (op.inputs[0] !== undefined) need(op.inputs[0], instruction.in1);
      if (op.inputs[1] !== undefined) need(op.inputs[1], instruction.in2);
    }
  }
  return { scalars: size.s, vectors: size.v, matrices: size.m };
}
