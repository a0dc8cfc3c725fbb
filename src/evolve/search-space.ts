// The programs that a search may make: memory, ops and sizes of each function, and random instructions and programs out of
// them (paper, "Search Space"). Must not know fitness.

import { CONSTANTS, IN1_TYPE, IN2_TYPE, INDICES, OPERAND_TYPES, OUT_TYPE } from '../ops/by-number.js';
import { OPS } from '../ops/ops.js';
import type { ConstantSpec, OperandType } from '../ops/types.js';
import { FUNCTIONS, packWord } from '../program/flat/code-layout.js';
import { CodeStore, packIndices, wordOp } from '../program/flat/code-store.js';
import {
  type ForFunctions,
  FUNCTION_NAMES,
  forFunctions,
  type LabelKind,
  type MemorySizes,
  memorySize,
  type Program,
  TASK_ADDRESSES,
} from '../program/program.js';
import type { FastRandom } from '../util/fast-random.js';

/** What one function of a program may be. */
export interface FunctionSpace {
  /** Numbers of the ops that random instructions have. */
  readonly ops: readonly number[];
  /** Instructions: fewest and most. */
  readonly min: number;
  readonly max: number;
}

/** What makes up a space of programs. */
export interface SpaceOptions {
  readonly memory: MemorySizes;
  /** F, for element indices. */
  readonly features: number;
  readonly labels: LabelKind;
  /** Functions without a space are frozen: every program has that of `base`. */
  readonly functions: ForFunctions<FunctionSpace | undefined>;
  readonly base: Program;
}

/** The first address of a type that an instruction may write to. */
function firstOutput(type: OperandType, labels: LabelKind): number {
  // Features and label are there to be read: as in the original, no random instruction writes to them.
  const { features, label } = TASK_ADDRESSES[labels];
  const inputs = [features, label].filter((address) => address.type === type).map(({ address }) => address + 1);
  return Math.max(0, ...inputs);
}

/** Constants stay numbers, however often they grow. */
export const MAX_CONSTANT = 1e100;

/** The programs that a search can find, and how random ones are drawn. */
export class SearchSpace {
  readonly features: number;
  /** Numbers of the functions that may change. */
  readonly mutable: readonly number[];
  private readonly memory: MemorySizes;
  private readonly functions: readonly (FunctionSpace | undefined)[];
  private readonly base: Program;
  /** By type: how many addresses there are, and the first that an instruction may write to. */
  private readonly counts: Int32Array;
  private readonly firstOutputs: Int32Array;
  /** By function: the ops of random instructions; and of these, by type, the ones that give it. */
  private readonly ops: readonly Uint8Array[];
  private readonly opsByOutput: readonly (readonly Uint8Array[])[];
  readonly labels: LabelKind;

  constructor({ memory, features, labels, functions, base }: SpaceOptions) {
    this.features = features;
    this.memory = memory;
    this.functions = FUNCTION_NAMES.map((name) => functions[name]);
    this.base = base;
    this.mutable = FUNCTION_NAMES.map((_, fn) => fn).filter((fn) => this.functions[fn] !== undefined);
    this.counts = Int32Array.from(OPERAND_TYPES, (type) => memorySize(memory, type));
    this.firstOutputs = Int32Array.from(OPERAND_TYPES, (type) => firstOutput(type, labels));
    this.ops = this.functions.map((space) => Uint8Array.from(space?.ops ?? []));
    this.opsByOutput = this.ops.map((ops) => OPERAND_TYPES.map((_, type) => ops.filter((op) => OUT_TYPE[op] === type)));
    this.labels = labels;
  }

  /** Room for programs of this space. */
  makeStore(capacity: number): CodeStore {
    const lengths = forFunctions((name) => {
      const space = this.functions[FUNCTION_NAMES.indexOf(name)];
      return space === undefined ? this.base[name].length : space.max;
    });
    return new CodeStore(this.memory, lengths, capacity);
  }

  /** The space of a function that may change. */
  of(fn: number): FunctionSpace {
    return this.functions[fn]!;
  }

  /** The ops that random instructions of a function have, and those of them that give a type, by its number. */
  opsOf(fn: number): Uint8Array {
    return this.ops[fn]!;
  }

  opsGiving(fn: number, type: number): Uint8Array {
    return this.opsByOutput[fn]![type]!;
  }

  /** How many addresses a type has, and the first that an instruction may write to. */
  addressCount(type: number): number {
    return this.counts[type]!;
  }

  firstOutput(type: number): number {
    return this.firstOutputs[type]!;
  }

  /** A random address of a type, by its number, to read from. */
  randomInput(type: number, random: FastRandom): number {
    return random.integer(this.counts[type]!);
  }

  randomOutput(type: number, random: FastRandom): number {
    const first = this.firstOutputs[type]!;
    return first + random.integer(this.counts[type]! - first);
  }

  /** Writes a random op of a function, with random arguments, over instruction `at`. */
  randomizeInstruction(store: CodeStore, fn: number, at: number, random: FastRandom): void {
    const ops = this.ops[fn]!;
    const op = ops[random.integer(ops.length)]!;
    const in1 = IN1_TYPE[op]! >= 0 ? this.randomInput(IN1_TYPE[op]!, random) : 0;
    const in2 = IN2_TYPE[op]! >= 0 ? this.randomInput(IN2_TYPE[op]!, random) : 0;
    const out = OUT_TYPE[op]! >= 0 ? this.randomOutput(OUT_TYPE[op]!, random) : 0;
    this.writeInstruction(store, at, packWord(op, in1, in2, out), random);
  }

  /** Writes an instruction with random element indices and constants. */
  writeInstruction(store: CodeStore, at: number, word: number, random: FastRandom): void {
    const op = wordOp(word);
    const indices = INDICES[op]!;
    const index1 = indices > 0 ? random.integer(this.features) : 0;
    const index2 = indices > 1 ? random.integer(this.features) : 0;
    store.words[at] = word;
    store.indices[at] = packIndices(index1, index2);
    store.constants[2 * at] = CONSTANTS[op]! > 0 ? drawConstant(OPS[op]!.constantSpecs[0]!, random) : 0;
    store.constants[2 * at + 1] = CONSTANTS[op]! > 1 ? drawConstant(OPS[op]!.constantSpecs[1]!, random) : 0;
  }

  /** Gives a function of a program so many random instructions. */
  randomizeFunction(store: CodeStore, place: number, fn: number, length: number, random: FastRandom): void {
    const first = store.first(place, fn);
    store.lengths[FUNCTIONS * place + fn] = length;
    for (let k = 0; k < length; k++) this.randomizeInstruction(store, fn, first + k, random);
  }

  /** Random instructions in every function that may change; where sizes vary, a random size. */
  randomProgram(store: CodeStore, place: number, random: FastRandom): void {
    store.write(place, this.program());
    for (const fn of this.mutable) {
      const { min, max } = this.of(fn);
      this.randomizeFunction(store, place, fn, min + random.integer(max - min + 1), random);
    }
  }

  /** As few instructions as may be: none, unless there must be some; those are random. */
  emptyProgram(store: CodeStore, place: number, random: FastRandom): void {
    store.write(place, this.program());
    for (const fn of this.mutable) this.randomizeFunction(store, place, fn, this.of(fn).min, random);
  }

  /** A program, but for the functions that are frozen; without one, only those. */
  program(given?: Program): Program {
    return forFunctions((name) => {
      const isFrozen = this.functions[FUNCTION_NAMES.indexOf(name)] === undefined;
      return isFrozen ? this.base[name] : (given?.[name] ?? []);
    });
  }
}

/** A constant as random instructions have it. */
export function drawConstant({ low, high }: ConstantSpec, random: FastRandom): number {
  return low + (high - low) * random.uniform();
}
