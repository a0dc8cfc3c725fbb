// The programs that a search may make: memory, ops and sizes of each function, and random instructions and programs out of
// them (paper, "Search Space"). Must not know fitness.
import { OPS } from '../ops/ops.js';
import type { ConstantSpec, OperandType } from '../ops/types.js';
import {
  type ForFunctions,
  FUNCTION_NAMES,
  type FunctionName,
  forFunctions,
  type Instruction,
  type LabelKind,
  type MemorySizes,
  memorySize,
  type Program,
  TASK_ADDRESSES,
} from '../program/program.js';
import type { FastRandom } from '../util/fast-random.js';

export interface FunctionSpace {
  /** Numbers of the ops that random instructions have. */
  readonly ops: readonly number[];
  /** Instructions: fewest and most. */
  readonly min: number;
  readonly max: number;
}

export interface SpaceOptions {
  readonly memory: MemorySizes;
  /** F, for element indices. */
  readonly features: number;
  readonly labels: LabelKind;
  /** Functions without a space are frozen: every program has that of `base`. */
  readonly functions: ForFunctions<FunctionSpace | undefined>;
  readonly base: Program;
}

/** Addresses of one type: how many, and the first that an instruction may write to. */
interface Addresses {
  readonly count: number;
  readonly firstOutput: number;
}

function findAddresses(type: OperandType, memory: MemorySizes, labels: LabelKind): Addresses {
  // Features and label are there to be read: as in the original, no random instruction writes to them.
  const { features, label } = TASK_ADDRESSES[labels];
  const inputs = [features, label].filter((address) => address.type === type).map(({ address }) => address + 1);
  return { count: memorySize(memory, type), firstOutput: Math.max(0, ...inputs) };
}

const NO_CONSTANT = 0;

export class SearchSpace {
  readonly features: number;
  /** Functions that may change, in the order of FUNCTION_NAMES. */
  readonly mutable: readonly FunctionName[];
  private readonly functions: SpaceOptions['functions'];
  private readonly base: Program;
  private readonly addresses: Readonly<Record<OperandType, Addresses>>;

  constructor({ memory, features, labels, functions, base }: SpaceOptions) {
    this.features = features;
    this.functions = functions;
    this.base = base;
    this.mutable = FUNCTION_NAMES.filter((name) => functions[name] !== undefined);
    this.addresses = {
      s: findAddresses('s', memory, labels),
      v: findAddresses('v', memory, labels),
      m: findAddresses('m', memory, labels),
    };
  }

  /** The space of a function that may change. */
  of(name: FunctionName): FunctionSpace {
    return this.functions[name]!;
  }

  randomInput(type: OperandType, random: FastRandom): number {
    return random.integer(this.addresses[type].count);
  }

  randomOutput(type: OperandType, random: FastRandom): number {
    const { count, firstOutput } = this.addresses[type];
    return firstOutput + random.integer(count - firstOutput);
  }

  /** A random op of the function, with random arguments. */
  randomInstruction(name: FunctionName, random: FastRandom): Instruction {
    const { ops } = this.functions[name]!;
    const op = OPS[ops[random.integer(ops.length)]!]!;
    const [type1, type2] = op.inputs;
    const [spec1, spec2] = op.constantSpecs;
    const in1 = type1 === undefined ? 0 : this.randomInput(type1, random);
    const in2 = type2 === undefined ? 0 : this.randomInput(type2, random);
    const out = op.output === undefined ? 0 : this.randomOutput(op.output, random);
    const index1 = op.indices > 0 ? random.integer(this.features) : 0;
    const index2 = op.indices > 1 ? random.integer(this.features) : 0;
    const const1 = spec1 === undefined ? NO_CONSTANT : randomConstant(spec1, random);
    const const2 = spec2 === undefined ? NO_CONSTANT : randomConstant(spec2, random);
    return { op: op.id, in1, in2, out, index1, index2, const1, const2 };
  }

  randomInstructions(name: FunctionName, count: number, random: FastRandom): Instruction[] {
    const body: Instruction[] = [];
    for (let k = 0; k < count; k++) body.push(this.randomInstruction(name, random));
    return body;
  }

  /** Random instructions in every function that may change; where sizes vary, a random size. */
  randomProgram(random: FastRandom): Program {
    return this.program((name) => {
      const { min, max } = this.of(name);
      return this.randomInstructions(name, min + random.integer(max - min + 1), random);
    });
  }

  /** As few instructions as may be: none, unless sizes are fixed; those are random. */
  emptyProgram(random: FastRandom): Program {
    return this.program((name) => this.randomInstructions(name, this.of(name).min, random));
  }

  /** A program with these functions, except those that are frozen. */
  program(make: (name: FunctionName) => readonly Instruction[]): Program {
    return forFunctions((name) => (this.functions[name] === undefined ? this.base[name] : make(name)));
  }
}

export function randomConstant({ low, high }: ConstantSpec, random: FastRandom): number {
  return low + (high - low) * random.uniform();
}
