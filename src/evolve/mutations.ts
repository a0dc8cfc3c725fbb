// The mutations by name, and the two sets of them: the paper's (supplement, "Search Method Additional Details") and that of
// the released C++ program. Must not know populations or fitness.
import { OPS } from '../ops/ops.js';
import type { ConstantSpec } from '../ops/types.js';
import type { FunctionName, Instruction, Program } from '../program/program.js';
import { exp } from '../util/elementary.js';
import type { FastRandom } from '../util/fast-random.js';
import type { SearchSpace } from './search-space.js';

export const MUTATION_NAMES = [
  'insert',
  'remove',
  'randomize-function',
  'alter-argument',
  'randomize-instruction',
  'trade',
] as const;
export type MutationName = (typeof MUTATION_NAMES)[number];

/** How constants change: the paper's way, or the released program's. */
export const CONSTANT_CHANGES = ['paper', 'released'] as const;
export type ConstantChange = (typeof CONSTANT_CHANGES)[number];

export interface MutationSet {
  /** How likely each mutation is, relative to the others; those without a weight never happen. */
  readonly weights: Readonly<Partial<Record<MutationName, number>>>;
  readonly constants: ConstantChange;
}

export const MUTATION_SETS = {
  /** Three kinds with equal chance; within the first, removal is twice as likely as insertion. */
  paper: {
    weights: { insert: 1, remove: 2, 'randomize-function': 3, 'alter-argument': 3 },
    constants: 'paper',
  },
  released: {
    weights: {
      insert: 1,
      remove: 1,
      'randomize-function': 1,
      'alter-argument': 1,
      'randomize-instruction': 1,
      trade: 1,
    },
    constants: 'released',
  },
} as const satisfies Record<string, MutationSet>;

// --- Constants ---------------------------------------------------------------------------------------------------------

const SIGN_FLIP = 0.1;

/** Another constant near by. */
const CHANGE_CONSTANT: Readonly<
  Record<ConstantChange, (value: number, spec: ConstantSpec, random: FastRandom) => number>
> = {
  /** Times a factor from 0.5 to 2, and then perhaps the other sign. */
  paper(value, { signed }, random) {
    const scaled = value * (0.5 + 1.5 * random.uniform());
    return random.uniform() < SIGN_FLIP && signed ? -scaled : scaled;
  },
  /** Either the other sign, or times a factor whose logarithm is standard normal. */
  released(value, { signed }, random) {
    return signed && random.uniform() < SIGN_FLIP ? -value : value * exp(random.gaussian());
  },
};

/** Constants stay numbers, however often they grow. */
const MAX_CONSTANT = 1e100;

function changeConstant(value: number, spec: ConstantSpec, change: ConstantChange, random: FastRandom): number {
  const changed = CHANGE_CONSTANT[change](value, spec, random);
  return Math.abs(changed) <= MAX_CONSTANT ? changed : value;
}

// --- One instruction ---------------------------------------------------------------------------------------------------

/** One argument, each as likely as any other: inputs, the output, element indices, constants. */
function alterArgument(
  instruction: Instruction,
  space: SearchSpace,
  change: ConstantChange,
  random: FastRandom,
): Instruction {
  const { inputs, output, indices, constantSpecs } = OPS[instruction.op]!;
  const outputs = output === undefined ? 0 : 1;
  const total = inputs.length + outputs + indices + constantSpecs.length;
  if (total === 0) return instruction;
  let k = random.integer(total);
  if (k < inputs.length) {
    const address = space.randomInput(inputs[k]!, random);
    return k === 0 ? { ...instruction, in1: address } : { ...instruction, in2: address };
  }
  k -= inputs.length;
  if (k < outputs) return { ...instruction, out: space.randomOutput(output!, random) };
  k -= outputs;
  if (k < indices) {
    const index = random.integer(space.features);
    return k === 0 ? { ...instruction, index1: index } : { ...instruction, index2: index };
  }
  k -= indices;
  const spec = constantSpecs[k]!;
  return k === 0
    ? { ...instruction, const1: changeConstant(instruction.const1, spec, change, random) }
    : { ...instruction, const2: changeConstant(instruction.const2, spec, change, random) };
}

// --- One function ------------------------------------------------------------------------------------------------------

type Body = readonly Instruction[];

interface Context {
  readonly name: FunctionName;
  readonly space: SearchSpace;
  readonly change: ConstantChange;
  readonly random: FastRandom;
}

function replaced(body: Body, place: number, instruction: Instruction): Body {
  const changed = body.slice();
  changed[place] = instruction;
  return changed;
}

function inserted(body: Body, { name, space, random }: Context): Body {
  const place = random.integer(body.length + 1);
  const longer = body.slice();
  longer.splice(place, 0, space.randomInstruction(name, random));
  return longer;
}

function removed(body: Body, random: FastRandom): Body {
  const shorter = body.slice();
  shorter.splice(random.integer(body.length), 1);
  return shorter;
}

/** What each mutation makes of a function. Where it is not possible, as in an empty function, nothing changes. */
const MUTATE: Readonly<Record<MutationName, (body: Body, context: Context) => Body>> = {
  insert(body, context) {
    return body.length >= context.space.of(context.name).max ? body : inserted(body, context);
  },
  remove(body, { name, space, random }) {
    return body.length <= space.of(name).min ? body : removed(body, random);
  },
  'randomize-function'(body, { name, space, random }) {
    return space.randomInstructions(name, body.length, random);
  },
  'alter-argument'(body, { space, change, random }) {
    if (body.length === 0) return body;
    const place = random.integer(body.length);
    return replaced(body, place, alterArgument(body[place]!, space, change, random));
  },
  'randomize-instruction'(body, { name, space, random }) {
    if (body.length === 0) return body;
    return replaced(body, random.integer(body.length), space.randomInstruction(name, random));
  },
  trade(body, context) {
    return body.length === 0 ? body : inserted(removed(body, context.random), context);
  },
};

/** Draws mutations by their weights and applies them, to functions that may change, each as likely as any other. */
export class Mutator {
  private readonly space: SearchSpace;
  private readonly change: ConstantChange;
  private readonly names: readonly MutationName[];
  /** Sums of the weights up to each. */
  private readonly sums: readonly number[];

  constructor(space: SearchSpace, { weights, constants }: MutationSet) {
    this.space = space;
    this.change = constants;
    this.names = MUTATION_NAMES.filter((name) => (weights[name] ?? 0) > 0);
    let sum = 0;
    this.sums = this.names.map((name) => {
      sum += weights[name]!;
      return sum;
    });
  }

  choose(random: FastRandom): MutationName {
    const last = this.names.length - 1;
    const point = random.uniform() * this.sums[last]!;
    let k = 0;
    while (k < last && point >= this.sums[k]!) k++;
    return this.names[k]!;
  }

  apply(mutation: MutationName, program: Program, random: FastRandom): Program {
    const { space, change } = this;
    const name = space.mutable[random.integer(space.mutable.length)]!;
    const body = MUTATE[mutation](program[name], { name, space, change, random });
    return {
      setup: name === 'setup' ? body : program.setup,
      predict: name === 'predict' ? body : program.predict,
      learn: name === 'learn' ? body : program.learn,
    };
  }
}
