// Mutations that know what is live (docs/discovery.md): they change what can reach a prediction, and what they insert is connected to it,
// several instructions at once if need be. Must not know populations or fitness.

import { CONSTANTS, IN1_TYPE, IN2_TYPE, INDICES, OPERAND_TYPES, OUT_TYPE } from '../ops/by-number.js';
import { OPS } from '../ops/ops.js';
import { type CodeFlow, MAX_FLOW_ADDRESSES } from '../program/flat/code-flow.js';
import { FUNCTIONS, LEARN, packWord } from '../program/flat/code-layout.js';
import {
  type CodeStore,
  withIn1,
  withIn2,
  withOut,
  wordIn1,
  wordIn2,
  wordOp,
  wordOut,
} from '../program/flat/code-store.js';
import { exp } from '../util/elementary.js';
import type { FastRandom } from '../util/fast-random.js';
import { CodeBuilder, NO_ADDRESS } from './code-builder.js';
import { CodeInserter } from './code-inserter.js';
import { drawConstant, MAX_CONSTANT, type SearchSpace } from './search-space.js';

/** The mutations of the method `evozero`, and how likely each is, relative to the others. */
export const CONNECTED_MUTATIONS = {
  /** Something that is live gets a new value, made of itself or of other things that hold values. */
  connect: 3,
  /** Memory that Predict reads gets a new value in Learn, made of itself and of something that depends on the label. */
  train: 2,
  /** An input of a live instruction is replaced by something made of it. */
  expand: 2,
  /** An input, the output or the op of a live instruction is another. */
  rewire: 2,
  /** A live constant is another, most often one near by. */
  tweak: 2,
  /** A live instruction goes. */
  drop: 1,
  /** An instruction, live or not, becomes random. */
  redraw: 1,
  /** Two instructions of a function change places. */
  swap: 0.3,
} as const;

/** The name of a mutation of the method `evozero`. */
export type ConnectedMutation = keyof typeof CONNECTED_MUTATIONS;

export const CONNECTED_NAMES = Object.keys(CONNECTED_MUTATIONS) as ConnectedMutation[];
const TOTAL_WEIGHT = CONNECTED_NAMES.reduce((sum, name) => sum + CONNECTED_MUTATIONS[name], 0);

/** How likely the inputs of what trains are computed by further instructions. */
const TRAIN_NESTING = [0.8, 0.5, 0.2];
/** How often it is tried to make them of something that depends on the label. */
const TRAIN_ATTEMPTS = 8;
/** Connections begin in each function so often. */
const CONNECT_IN = [0.2, 0.4, 0.4];

// Constants: sometimes drawn anew, otherwise times a factor, large or small; some change their sign.
const FRESH_CONSTANT = 0.1;
const LARGE_STEP = 0.5;
const STEPS = [0.3, 1] as const;
const SIGN_FLIP = 0.1;

// A live instruction is a number here, and so is an address with its type: mutations draw them all the time.
const HALF = 1 << 16;
const NOTHING = -1;
const pairOf = (high: number, low: number): number => high * HALF + low;
const highOf = (pair: number): number => pair >> 16;
const lowOf = (pair: number): number => pair & (HALF - 1);

/** These look at what is live. */
const NEEDS_FLOW = (mutation: ConnectedMutation): boolean => mutation !== 'redraw' && mutation !== 'swap';

export class ConnectedMutator {
  private readonly space: SearchSpace;
  private readonly store: CodeStore;
  private readonly flow: CodeFlow;
  private readonly random: FastRandom;
  private readonly builder: CodeBuilder;
  private readonly inserter: CodeInserter;
  /** By type: the ops of Learn that make something new of what was there. */
  private readonly keepingOps: readonly Uint8Array[];
  /** By function and op: the ops that can stand for it. */
  private readonly likeOps: Uint8Array[][] = Array.from({ length: FUNCTIONS }, () => []);
  /** Of the mutable functions: how often connections begin there, all in all. */
  private readonly connectInAny: number;
  // What one is drawn of: lists that are made once, since every mutation needs them.
  private readonly spots: Int32Array;
  private readonly targets: Int32Array;

  /** Changes programs in a store, whose flow has been found. */
  constructor(space: SearchSpace, store: CodeStore, flow: CodeFlow, random: FastRandom) {
    this.space = space;
    this.store = store;
    this.flow = flow;
    this.random = random;
    this.builder = new CodeBuilder(space, store, flow, random);
    this.inserter = new CodeInserter(space, store, flow, random);
    this.connectInAny = space.mutable.reduce((sum, fn) => sum + CONNECT_IN[fn]!, 0);
    this.spots = new Int32Array(store.stride);
    this.targets = new Int32Array(MAX_FLOW_ADDRESSES);
    this.keepingOps = OPERAND_TYPES.map((_, type) => {
      const keeps = (op: number) => IN1_TYPE[op] === type || IN2_TYPE[op] === type;
      return space.mutable.includes(LEARN) ? space.opsGiving(LEARN, type).filter(keeps) : new Uint8Array();
    });
  }

  /** From now on insertions make a function no longer than this, and never longer than the space allows. */
  limit(fn: number, length: number): void {
    this.inserter.limit(fn, length);
  }

  choose(): ConnectedMutation {
    let point = this.random.uniform() * TOTAL_WEIGHT;
    for (const name of CONNECTED_NAMES) {
      point -= CONNECTED_MUTATIONS[name];
      if (point < 0) return name;
    }
    return CONNECTED_NAMES[0]!;
  }

  /** Changes a program. False if that was not possible; the program is then as it was. */
  apply(mutation: ConnectedMutation, place: number): boolean {
    if (NEEDS_FLOW(mutation)) this.flow.run(place);
    return this[mutation](place);
  }

  // --- Inserting -------------------------------------------------------------------------------------------------------

  /** At a place where something is live, it gets a new value. */
  connect(place: number): boolean {
    const { space, store, flow, random } = this;
    const fn = this.drawFunction();
    const at = random.integer(store.length(place, fn) + 1);
    const live = flow.liveBefore(fn, at);
    const target = this.drawTarget(fn, live);
    if (target === NOTHING) return false;
    const [type, address] = [highOf(target), lowOf(target)];
    const building = this.builder.begin(place, fn, live | flow.bit(type, address));
    const op = this.pick(space.opsGiving(fn, type));
    building.words.push(this.builder.build(building, op, address, address, type, 0));
    return this.inserter.insert(place, fn, at, building.words);
  }

  /** Something that Predict reads learns. */
  train(place: number): boolean {
    const { space, store, flow, random, builder } = this;
    if (!space.mutable.includes(LEARN)) return false;
    const target = this.drawTarget(LEARN, flow.parameters(place));
    if (target === NOTHING) return false;
    const [type, address] = [highOf(target), lowOf(target)];
    const ops = this.keepingOps[type]!;
    if (ops.length === 0) return false;
    const at = random.integer(store.length(place, LEARN) + 1);
    const bit = flow.bit(type, address);
    const labelled = flow.ofLabel(place, at);
    const taken = flow.liveBefore(LEARN, at) | bit;
    const building = builder.begin(place, LEARN, taken, { nesting: TRAIN_NESTING, readsItself: 1 });
    builder.prefer(building, labelled);
    for (let attempt = 0; attempt < TRAIN_ATTEMPTS; attempt++) {
      building.taken = taken;
      building.words.length = 0;
      building.words.push(builder.build(building, this.pick(ops), address, address, type, 0));
      const after = building.words.reduce((depends, word) => flow.spread(word, depends), labelled & ~bit);
      if ((after & bit) !== 0) return this.inserter.insert(place, LEARN, at, building.words);
    }
    return false;
  }

  /** What an input was becomes a part of what it is. */
  expand(place: number): boolean {
    const { space, store, flow, random } = this;
    const spot = this.drawLive(place, HAS_INPUT);
    if (spot === NOTHING) return false;
    const [fn, k] = [highOf(spot), lowOf(spot)];
    const at = store.first(place, fn) + k;
    const word = store.words[at]!;
    const isSecond = IN2_TYPE[wordOp(word)]! >= 0 && random.uniform() < 0.5;
    const type = isSecond ? IN2_TYPE[wordOp(word)]! : IN1_TYPE[wordOp(word)]!;
    const ops = space.opsGiving(fn, type);
    if (ops.length === 0) return false;
    const building = this.builder.begin(place, fn, flow.liveBefore(fn, k));
    const address = this.builder.takeFree(building, type);
    if (address === NO_ADDRESS) return false;
    const before = isSecond ? wordIn2(word) : wordIn1(word);
    building.words.push(this.builder.build(building, this.pick(ops), address, before, type, 0));
    store.words[at] = isSecond ? withIn2(word, address) : withIn1(word, address);
    if (this.inserter.insert(place, fn, k, building.words)) return true;
    store.words[at] = word;
    return false;
  }

  // --- Changing --------------------------------------------------------------------------------------------------------

  rewire(place: number): boolean {
    const { space, store, random } = this;
    const spot = this.drawLive(place);
    if (spot === NOTHING) return false;
    const fn = highOf(spot);
    const at = store.first(place, fn) + lowOf(spot);
    const word = store.words[at]!;
    const op = wordOp(word);
    const kind = random.integer(4);
    if (kind === 3) {
      const like = this.opsLike(fn, op);
      // A given program may have ops that the space does not.
      if (like.length === 0) return false;
      store.words[at] = packWord(this.pick(like), wordIn1(word), wordIn2(word), wordOut(word));
    } else if (kind === 2) {
      store.words[at] = withOut(word, space.randomOutput(OUT_TYPE[op]!, random));
    } else {
      const type = kind === 1 ? IN2_TYPE[op]! : IN1_TYPE[op]!;
      if (type < 0) return false;
      const address = this.builder.drawHolding(this.builder.findHolding(place, fn), type);
      store.words[at] = kind === 1 ? withIn2(word, address) : withIn1(word, address);
    }
    return store.words[at] !== word;
  }

  tweak(place: number): boolean {
    const { store, random } = this;
    const spot = this.drawLive(place, HAS_CONSTANT);
    if (spot === NOTHING) return false;
    const at = store.first(place, highOf(spot)) + lowOf(spot);
    const op = wordOp(store.words[at]!);
    const k = random.integer(CONSTANTS[op]!);
    const spec = OPS[op]!.constantSpecs[k]!;
    const before = store.constants[2 * at + k]!;
    let changed = drawConstant(spec, random);
    if (random.uniform() >= FRESH_CONSTANT) {
      changed = before * exp(random.gaussian() * STEPS[Number(random.uniform() < LARGE_STEP)]!);
    }
    if (spec.signed && random.uniform() < SIGN_FLIP) changed = -changed;
    if (Math.abs(changed) > MAX_CONSTANT) return false;
    store.constants[2 * at + k] = changed;
    return !Object.is(changed, before);
  }

  drop(place: number): boolean {
    const { space, store, random } = this;
    const spot = this.drawLive(place);
    if (spot === NOTHING) return false;
    const [fn, k] = [highOf(spot), lowOf(spot)];
    if (store.length(place, fn) > space.of(fn).min) store.remove(place, fn, k);
    else space.randomizeInstruction(store, fn, store.first(place, fn) + k, random);
    return true;
  }

  redraw(place: number): boolean {
    const { space, store, random } = this;
    const fn = this.pick(space.mutable);
    const length = store.length(place, fn);
    if (length === 0) return false;
    space.randomizeInstruction(store, fn, store.first(place, fn) + random.integer(length), random);
    return true;
  }

  swap(place: number): boolean {
    const { space, store, random } = this;
    const fn = this.pick(space.mutable);
    const length = store.length(place, fn);
    if (length < 2) return false;
    const first = store.first(place, fn);
    const a = random.integer(length);
    const b = (a + 1 + random.integer(length - 1)) % length;
    store.exchange(first + a, first + b);
    return true;
  }

  // --- Drawing ---------------------------------------------------------------------------------------------------------

  private pick(list: ArrayLike<number>): number {
    return list[this.random.integer(list.length)]!;
  }

  /** A function that may change, some more often than others. */
  private drawFunction(): number {
    const { mutable } = this.space;
    let point = this.random.uniform() * this.connectInAny;
    for (const fn of mutable) {
      point -= CONNECT_IN[fn]!;
      if (point < 0) return fn;
    }
    return mutable.at(-1)!;
  }

  /** The ops of a function with the same kinds of operands. */
  private opsLike(fn: number, op: number): Uint8Array {
    const known = this.likeOps[fn]!;
    known[op] ??= this.space.opsOf(fn).filter((other) => isLike(other, op));
    return known[op];
  }

  /** An address that is live and that the ops of a function can write to: its type and itself, or NOTHING. */
  private drawTarget(fn: number, live: number): number {
    const { space, flow, targets } = this;
    let count = 0;
    for (let type = 0; type < OPERAND_TYPES.length; type++) {
      if (space.opsGiving(fn, type).length === 0) continue;
      for (let address = space.firstOutput(type); address < space.addressCount(type); address++) {
        if ((live & flow.bit(type, address)) !== 0) targets[count++] = pairOf(type, address);
      }
    }
    return count === 0 ? NOTHING : targets[this.random.integer(count)]!;
  }

  /** A live instruction, each as likely as any other: its function and its number there, or NOTHING. */
  private drawLive(place: number, suits: (op: number) => boolean = SUITS_ALL): number {
    const { space, store, flow, spots } = this;
    let count = 0;
    for (const fn of space.mutable) {
      const first = store.first(place, fn);
      const length = store.length(place, fn);
      for (let k = 0; k < length; k++) {
        if (flow.isLive(fn, k) && suits(wordOp(store.words[first + k]!))) spots[count++] = pairOf(fn, k);
      }
    }
    return count === 0 ? NOTHING : spots[this.random.integer(count)]!;
  }
}

const SUITS_ALL = () => true;
const HAS_INPUT = (op: number) => IN1_TYPE[op]! >= 0;
const HAS_CONSTANT = (op: number) => CONSTANTS[op]! > 0;

/** Whether ops have the same kinds of operands, so that one can stand for the other. */
function isLike(a: number, b: number): boolean {
  return (
    OUT_TYPE[a] === OUT_TYPE[b] &&
    IN1_TYPE[a] === IN1_TYPE[b] &&
    IN2_TYPE[a] === IN2_TYPE[b] &&
    CONSTANTS[a] === CONSTANTS[b] &&
    INDICES[a] === INDICES[b]
  );
}
