// Puts instructions into the functions of a program, and takes them out: dead ones make room, so that sizes hold, and constants that are
// used for the first time are drawn anew (docs/discovery.md). Must not know which mutations want that.

import { IN1_TYPE, IN2_TYPE, OUT_TYPE } from '../ops/by-number.js';
import { opByName } from '../ops/ops.js';
import type { CodeFlow } from '../program/flat/code-flow.js';
import { FUNCTIONS, SETUP } from '../program/flat/code-layout.js';
import { type CodeStore, wordIn1, wordIn2, wordOp, wordOut } from '../program/flat/code-store.js';
import { exp } from '../util/elementary.js';
import type { FastRandom } from '../util/fast-random.js';
import type { SearchSpace } from './search-space.js';

const SCALAR_CONSTANT = opByName('scalar-constant').id;
const SCALAR = OUT_TYPE[SCALAR_CONSTANT];
/** The smallest of constants of any size has so many zeros. */
const DECADES = 3;
const NO_ROOM = -1;

export class CodeInserter {
  private readonly space: SearchSpace;
  private readonly store: CodeStore;
  private readonly flow: CodeFlow;
  private readonly random: FastRandom;
  /** By function: how long insertions may make it. */
  private readonly limits: number[];
  /** Whether Setup may change. */
  private readonly makesSetup: boolean;
  /** Made once, since every insertion needs it. */
  private readonly dead: Int32Array;

  /** For programs in a store, whose flow has been found. */
  constructor(space: SearchSpace, store: CodeStore, flow: CodeFlow, random: FastRandom) {
    this.space = space;
    this.store = store;
    this.flow = flow;
    this.random = random;
    this.limits = Array.from({ length: FUNCTIONS }, (_, fn) => this.longest(fn));
    this.makesSetup = space.mutable.includes(SETUP);
    this.dead = new Int32Array(store.stride);
  }

  /** From now on insertions make a function no longer than this, as far as the space allows. */
  limit(fn: number, length: number): void {
    const { space } = this;
    if (space.mutable.includes(fn)) this.limits[fn] = Math.min(this.longest(fn), Math.max(space.of(fn).min, length));
  }

  private longest(fn: number): number {
    const { space } = this;
    return space.mutable.includes(fn) ? space.of(fn).max : 0;
  }

  /** Puts instructions before number `at` of a function; dead ones make room. */
  insert(place: number, fn: number, at: number, words: readonly number[]): boolean {
    const { space, store, random } = this;
    const surplus = store.length(place, fn) + words.length - this.limits[fn]!;
    const target = surplus > 0 ? this.makeRoom(place, fn, at, surplus) : at;
    if (target === NO_ROOM) return false;
    const first = store.makeGap(place, fn, target, words.length);
    for (let k = 0; k < words.length; k++) space.writeInstruction(store, first + k, words[k]!, random);
    if (fn !== SETUP && this.makesSetup) for (const word of words) this.renewConstants(place, word);
    return true;
  }

  /** Removes so many dead instructions of a function, and says where number `at` is then; NO_ROOM if there are not enough of them. */
  private makeRoom(place: number, fn: number, at: number, surplus: number): number {
    const { store, flow, dead } = this;
    const length = store.length(place, fn);
    let count = 0;
    for (let k = 0; k < length; k++) if (!flow.isLive(fn, k)) dead[count++] = k;
    if (surplus > count) return NO_ROOM;
    // Of the dead ones, some that are drawn go to the end, and the others keep their order.
    const kept = count - surplus;
    for (let left = count; left > kept; left--) {
      const drawn = this.random.integer(left);
      const k = dead[drawn]!;
      dead.copyWithin(drawn, drawn + 1, left);
      dead[left - 1] = k;
    }
    const gone = dead.subarray(kept, count).sort();
    let target = at;
    for (let n = surplus - 1; n >= 0; n--) {
      this.store.remove(place, fn, gone[n]!);
      if (gone[n]! < at) target--;
    }
    return target;
  }

  /** A constant that nothing has read so far, and that a new instruction reads, becomes one of any size: rates are often small. */
  private renewConstants(place: number, word: number): void {
    const { store, flow } = this;
    const op = wordOp(word);
    const isRead = (address: number) =>
      (IN1_TYPE[op] === SCALAR && wordIn1(word) === address) || (IN2_TYPE[op] === SCALAR && wordIn2(word) === address);
    const first = store.first(place, SETUP);
    for (let k = 0; k < store.length(place, SETUP); k++) {
      const other = store.words[first + k]!;
      const isDead = wordOp(other) === SCALAR_CONSTANT && !flow.isLive(SETUP, k);
      if (isDead && isRead(wordOut(other))) store.constants[2 * (first + k)] = this.drawOfAnySize();
    }
  }

  /** Small numbers are as likely as large ones. */
  private drawOfAnySize(): number {
    const { random } = this;
    const size = exp(-DECADES * Math.LN10 * random.uniform());
    return random.uniform() < 0.5 ? size : -size;
  }
}
