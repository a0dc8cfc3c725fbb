// The mutations by name, and the two sets of them: the paper's (supplement, "Search Method Additional Details") and that of
// the released C++ program. Must not know populations or fitness.

import { CONSTANTS, IN1_TYPE, IN2_TYPE, INDICES, OUT_TYPE } from '../ops/by-number.js';
import { OPS } from '../ops/ops.js';
import type { ConstantSpec } from '../ops/types.js';
import {
  type CodeStore,
  firstIndex,
  packIndices,
  secondIndex,
  withIn1,
  withIn2,
  withOut,
  wordOp,
} from '../program/flat/code-store.js';
import { exp } from '../util/elementary.js';
import type { FastRandom } from '../util/fast-random.js';
import { MAX_CONSTANT, type SearchSpace } from './search-space.js';

/** The names of all mutations. */
export const MUTATION_NAMES = [
  'insert',
  'remove',
  'randomize-function',
  'alter-argument',
  'randomize-instruction',
  'trade',
] as const;
/** The name of a mutation. */
export type MutationName = (typeof MUTATION_NAMES)[number];

/** How constants change: the paper's way, or the released program's. */
export const CONSTANT_CHANGES = ['paper', 'released'] as const;
export type ConstantChange = (typeof CONSTANT_CHANGES)[number];

/** Which mutations happen, how often, and how constants change. */
export interface MutationSet {
  /** How likely each mutation is, relative to the others; those without a weight never happen. */
  readonly weights: Readonly<Partial<Record<MutationName, number>>>;
  readonly constants: ConstantChange;
}

/** The mutations of the paper, and those of the released program. */
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

function changeConstant(value: number, spec: ConstantSpec, change: ConstantChange, random: FastRandom): number {
  const changed = CHANGE_CONSTANT[change](value, spec, random);
  return Math.abs(changed) <= MAX_CONSTANT ? changed : value;
}

// --- One instruction ---------------------------------------------------------------------------------------------------

/** What a mutation works on: a function of a program in a store. */
interface Target {
  readonly space: SearchSpace;
  readonly change: ConstantChange;
  readonly store: CodeStore;
  readonly place: number;
  readonly fn: number;
  readonly random: FastRandom;
}

/** One argument, each as likely as any other: inputs, the output, element indices, constants. */
function alterArgument({ space, change, store, random }: Target, at: number): boolean {
  const word = store.words[at]!;
  const op = wordOp(word);
  const inputs = IN2_TYPE[op]! >= 0 ? 2 : IN1_TYPE[op]! >= 0 ? 1 : 0;
  const outputs = OUT_TYPE[op]! >= 0 ? 1 : 0;
  const total = inputs + outputs + INDICES[op]! + CONSTANTS[op]!;
  if (total === 0) return false;
  let k = random.integer(total);
  if (k < inputs) {
    const address = space.randomInput(k === 0 ? IN1_TYPE[op]! : IN2_TYPE[op]!, random);
    store.words[at] = k === 0 ? withIn1(word, address) : withIn2(word, address);
    return store.words[at] !== word;
  }
  k -= inputs;
  if (k < outputs) {
    store.words[at] = withOut(word, space.randomOutput(OUT_TYPE[op]!, random));
    return store.words[at] !== word;
  }
  k -= outputs;
  if (k < INDICES[op]!) {
    const index = random.integer(space.features);
    const packed = store.indices[at]!;
    store.indices[at] = k === 0 ? packIndices(index, secondIndex(packed)) : packIndices(firstIndex(packed), index);
    return store.indices[at] !== packed;
  }
  k -= INDICES[op]!;
  const place = 2 * at + k;
  const before = store.constants[place]!;
  store.constants[place] = changeConstant(before, OPS[op]!.constantSpecs[k]!, change, random);
  return !Object.is(store.constants[place], before);
}

// --- One function ------------------------------------------------------------------------------------------------------

function insertInstruction({ space, store, place, fn, random }: Target): void {
  const at = store.makeGap(place, fn, random.integer(store.length(place, fn) + 1), 1);
  space.randomizeInstruction(store, fn, at, random);
}

function removeInstruction({ store, place, fn, random }: Target): void {
  store.remove(place, fn, random.integer(store.length(place, fn)));
}

/** What each mutation makes of a function. Where it is not possible, as in an empty function, nothing changes: false. */
const MUTATE: Readonly<Record<MutationName, (target: Target) => boolean>> = {
  insert(target) {
    const { space, store, place, fn } = target;
    if (store.length(place, fn) >= space.of(fn).max) return false;
    insertInstruction(target);
    return true;
  },
  remove(target) {
    const { space, store, place, fn } = target;
    if (store.length(place, fn) <= space.of(fn).min) return false;
    removeInstruction(target);
    return true;
  },
  'randomize-function'({ space, store, place, fn, random }) {
    const length = store.length(place, fn);
    space.randomizeFunction(store, place, fn, length, random);
    return length > 0;
  },
  'alter-argument'(target) {
    const { store, place, fn, random } = target;
    const length = store.length(place, fn);
    return length > 0 && alterArgument(target, store.first(place, fn) + random.integer(length));
  },
  'randomize-instruction'({ space, store, place, fn, random }) {
    const length = store.length(place, fn);
    if (length === 0) return false;
    space.randomizeInstruction(store, fn, store.first(place, fn) + random.integer(length), random);
    return true;
  },
  trade(target) {
    const { store, place, fn } = target;
    if (store.length(place, fn) === 0) return false;
    removeInstruction(target);
    insertInstruction(target);
    return true;
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

  /** Changes a program in a store. False if it is what it was: the mutation was impossible, or drew what there was before. */
  apply(mutation: MutationName, store: CodeStore, place: number, random: FastRandom): boolean {
    const { space, change } = this;
    const fn = space.mutable[random.integer(space.mutable.length)]!;
    return MUTATE[mutation]({ space, change, store, place, fn, random });
  }
}
