// Mutations that know what is live (docs/discovery.md): they change what can reach a prediction, and what they insert is connected to it,
// several instructions at once if need be. Room comes from dead instructions, so that sizes hold. Must not know populations or fitness.
import { OPS } from '../ops/ops.js';
import type { CodeFlow } from '../program/code-flow.js';
import {
  type CodeStore,
  FUNCTIONS,
  packWord,
  withIn1,
  withIn2,
  withOut,
  wordIn1,
  wordIn2,
  wordOp,
  wordOut,
} from '../program/code-store.js';
import { OPERAND_TYPES } from '../program/liveness-analysis.js';
import { exp } from '../util/elementary.js';
import type { FastRandom } from '../util/fast-random.js';
import {
  CONSTANTS,
  drawConstant,
  IN1_TYPE,
  IN2_TYPE,
  INDICES,
  MAX_CONSTANT,
  OUT_TYPE,
  type SearchSpace,
} from './search-space.js';

/** The mutations of the method `evozero`, and how likely each is, relative to the others. */
export const CONNECTED_MUTATIONS = {
  /** Something that is live gets a new value, made of itself or of other things that hold values. */
  connect: 3,
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

/** How likely an input of a new instruction is computed by a further one, and how many such levels there are at most. */
const NESTING = 0.5;
const MAX_NESTING = 3;
/** How likely a new instruction reads what it is connected to, and how likely any address instead of one that holds something. */
const READS_ITSELF = 0.7;
const ANY_ADDRESS = 0.1;
/** Features, label and prediction are so many times as likely to be read as anything else that holds something. */
const GIVEN_WEIGHT = 3;
/** Connections begin in each function so often. */
const CONNECT_IN = [0.2, 0.4, 0.4];

// Constants: sometimes drawn anew, otherwise times a factor, large or small; some change their sign.
const FRESH_CONSTANT = 0.1;
const LARGE_STEP = 0.5;
const STEPS = [0.3, 1] as const;
const SIGN_FLIP = 0.1;

const NO_ADDRESS = -1;
const NO_TYPE = -1;

/** An instruction that is to be inserted, or a live one: its function and its number there. */
interface Spot {
  readonly fn: number;
  readonly k: number;
}

/** What the instructions of one insertion are made of. */
interface Building {
  readonly fn: number;
  /** By type: addresses that hold something. */
  readonly holding: readonly (readonly number[])[];
  /** Addresses that must keep their values, as bits. */
  taken: number;
  /** What is to be inserted, in order. */
  readonly words: number[];
}

export class ConnectedMutator {
  private readonly space: SearchSpace;
  private readonly store: CodeStore;
  private readonly flow: CodeFlow;
  private readonly random: FastRandom;

  /** Changes programs in a store, whose flow has been found. */
  constructor(space: SearchSpace, store: CodeStore, flow: CodeFlow, random: FastRandom) {
    this.space = space;
    this.store = store;
    this.flow = flow;
    this.random = random;
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
    this.flow.run(place);
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
    if (target === undefined) return false;
    const { type, address } = target;
    const building = this.begin(place, fn, live | flow.bit(type, address));
    const op = this.pick(space.opsGiving(fn, type));
    building.words.push(this.build(building, op, address, address, type, 0));
    return this.insert(place, fn, at, building.words);
  }

  /** What an input was becomes a part of what it is. */
  expand(place: number): boolean {
    const { space, store, flow, random } = this;
    const spot = this.drawLive(place, (op) => IN1_TYPE[op]! >= 0);
    if (spot === undefined) return false;
    const { fn, k } = spot;
    const at = store.first(place, fn) + k;
    const word = store.words[at]!;
    const isSecond = IN2_TYPE[wordOp(word)]! >= 0 && random.uniform() < 0.5;
    const type = isSecond ? IN2_TYPE[wordOp(word)]! : IN1_TYPE[wordOp(word)]!;
    const ops = space.opsGiving(fn, type);
    if (ops.length === 0) return false;
    const building = this.begin(place, fn, flow.liveBefore(fn, k));
    const address = this.takeFree(building, type);
    if (address === NO_ADDRESS) return false;
    const before = isSecond ? wordIn2(word) : wordIn1(word);
    building.words.push(this.build(building, this.pick(ops), address, before, type, 0));
    store.words[at] = isSecond ? withIn2(word, address) : withIn1(word, address);
    if (this.insert(place, fn, k, building.words)) return true;
    store.words[at] = word;
    return false;
  }

  private begin(place: number, fn: number, taken: number): Building {
    return { fn, holding: this.findHolding(place, fn), taken, words: [] };
  }

  /** An instruction that writes to an address; one of its inputs may be `own`, of type `ownType`. What it needs comes before it. */
  private build(building: Building, op: number, out: number, own: number, ownType: number, level: number): number {
    const { random } = this;
    const ownFirst = random.uniform() < 0.5;
    let isUsed = false;
    const input = (type: number, mayBeOwn: boolean) => {
      if (type < 0) return 0;
      if (mayBeOwn && !isUsed && type === ownType && random.uniform() < READS_ITSELF) {
        isUsed = true;
        return own;
      }
      return this.drawInput(building, type, level);
    };
    const in1 = input(IN1_TYPE[op]!, ownFirst || IN2_TYPE[op]! !== ownType);
    const in2 = input(IN2_TYPE[op]!, true);
    return packWord(op, in1, in2, out);
  }

  /** An address to read: of something that is there, or that a further instruction computes. */
  private drawInput(building: Building, type: number, level: number): number {
    const { space, random } = this;
    const ops = space.opsGiving(building.fn, type);
    if (level < MAX_NESTING && ops.length > 0 && random.uniform() < NESTING) {
      const address = this.takeFree(building, type);
      if (address !== NO_ADDRESS) {
        building.words.push(this.build(building, this.pick(ops), address, NO_ADDRESS, NO_TYPE, level + 1));
        return address;
      }
    }
    return this.drawHolding(building.holding, type);
  }

  private drawHolding(holding: readonly (readonly number[])[], type: number): number {
    const { space, random } = this;
    const those = holding[type]!;
    if (those.length === 0 || random.uniform() < ANY_ADDRESS) return space.randomInput(type, random);
    return those[random.integer(those.length)]!;
  }

  /** An address to write to that nobody needs. */
  private takeFree(building: Building, type: number): number {
    const { space, flow } = this;
    const free: number[] = [];
    for (let address = space.firstOutput(type); address < space.addressCount(type); address++) {
      if ((building.taken & flow.bit(type, address)) === 0) free.push(address);
    }
    if (free.length === 0) return NO_ADDRESS;
    const address = free[this.random.integer(free.length)]!;
    building.taken |= flow.bit(type, address);
    return address;
  }

  /** By type, the addresses that hold something in a function: what Setup or live instructions write, features and label. */
  private findHolding(place: number, fn: number): number[][] {
    const { store, flow } = this;
    const found = new Set<number>();
    const holding: number[][] = OPERAND_TYPES.map(() => []);
    const add = (type: number, address: number) => {
      const bit = flow.bit(type, address);
      if (found.has(bit)) return;
      found.add(bit);
      holding[type]!.push(address);
    };
    for (const { type, address } of flow.given(fn)) {
      add(type, address);
      for (let k = 1; k < GIVEN_WEIGHT; k++) holding[type]!.push(address);
    }
    for (let other = 0; other < FUNCTIONS; other++) {
      const first = store.first(place, other);
      for (let k = 0; k < store.length(place, other); k++) {
        const word = store.words[first + k]!;
        const type = OUT_TYPE[wordOp(word)]!;
        if (type >= 0 && (other === 0 || flow.isLive(other, k))) add(type, wordOut(word));
      }
    }
    return holding;
  }

  /** Puts instructions before number `at` of a function; dead ones make room. */
  private insert(place: number, fn: number, at: number, words: readonly number[]): boolean {
    const { space, store, random } = this;
    const dead: number[] = [];
    const length = store.length(place, fn);
    let surplus = length + words.length - space.of(fn).max;
    for (let k = 0; surplus > 0 && k < length; k++) if (!this.flow.isLive(fn, k)) dead.push(k);
    if (surplus > dead.length) return false;
    const gone: number[] = [];
    for (; surplus > 0; surplus--) gone.push(...dead.splice(random.integer(dead.length), 1));
    gone.sort((a, b) => b - a);
    for (const k of gone) this.removeAt(place, fn, k);
    const target = at - gone.filter((k) => k < at).length;
    const first = store.first(place, fn);
    const left = store.length(place, fn);
    store.move(first + target, first + target + words.length, left - target);
    store.lengths[FUNCTIONS * place + fn] = left + words.length;
    for (const [k, word] of words.entries()) space.writeInstruction(store, first + target + k, word, random);
    return true;
  }

  private removeAt(place: number, fn: number, k: number): void {
    const { store } = this;
    const at = store.first(place, fn) + k;
    const length = store.length(place, fn);
    store.move(at + 1, at, length - k - 1);
    store.lengths[FUNCTIONS * place + fn] = length - 1;
  }

  // --- Changing --------------------------------------------------------------------------------------------------------

  rewire(place: number): boolean {
    const { space, store, random } = this;
    const spot = this.drawLive(place);
    if (spot === undefined) return false;
    const at = store.first(place, spot.fn) + spot.k;
    const word = store.words[at]!;
    const op = wordOp(word);
    const kind = random.integer(4);
    if (kind === 3) {
      const like = space.opsOf(spot.fn).filter((other) => isLike(other, op));
      store.words[at] = packWord(this.pick(like), wordIn1(word), wordIn2(word), wordOut(word));
    } else if (kind === 2) {
      store.words[at] = withOut(word, space.randomOutput(OUT_TYPE[op]!, random));
    } else {
      const type = kind === 1 ? IN2_TYPE[op]! : IN1_TYPE[op]!;
      if (type < 0) return false;
      const address = this.drawHolding(this.findHolding(place, spot.fn), type);
      store.words[at] = kind === 1 ? withIn2(word, address) : withIn1(word, address);
    }
    return store.words[at] !== word;
  }

  tweak(place: number): boolean {
    const { store, random } = this;
    const spot = this.drawLive(place, (op) => CONSTANTS[op]! > 0);
    if (spot === undefined) return false;
    const at = store.first(place, spot.fn) + spot.k;
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
    if (spot === undefined) return false;
    const { fn, k } = spot;
    if (store.length(place, fn) > space.of(fn).min) this.removeAt(place, fn, k);
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

  /** A function that may change and is not empty of ops. */
  private drawFunction(): number {
    const { mutable } = this.space;
    const total = mutable.reduce((sum, fn) => sum + CONNECT_IN[fn]!, 0);
    let point = this.random.uniform() * total;
    for (const fn of mutable) {
      point -= CONNECT_IN[fn]!;
      if (point < 0) return fn;
    }
    return mutable.at(-1)!;
  }

  /** An address that is live and that the ops of a function can write to. */
  private drawTarget(fn: number, live: number): { type: number; address: number } | undefined {
    const { space, flow, random } = this;
    const targets: { type: number; address: number }[] = [];
    for (let type = 0; type < OPERAND_TYPES.length; type++) {
      if (space.opsGiving(fn, type).length === 0) continue;
      for (let address = space.firstOutput(type); address < space.addressCount(type); address++) {
        if ((live & flow.bit(type, address)) !== 0) targets.push({ type, address });
      }
    }
    return targets.length === 0 ? undefined : targets[random.integer(targets.length)]!;
  }

  /** A live instruction, each as likely as any other. */
  private drawLive(place: number, suits: (op: number) => boolean = () => true): Spot | undefined {
    const { space, store, flow, random } = this;
    const spots: Spot[] = [];
    for (const fn of space.mutable) {
      const first = store.first(place, fn);
      for (let k = 0; k < store.length(place, fn); k++) {
        if (flow.isLive(fn, k) && suits(wordOp(store.words[first + k]!))) spots.push({ fn, k });
      }
    }
    return spots.length === 0 ? undefined : spots[random.integer(spots.length)]!;
  }
}

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
