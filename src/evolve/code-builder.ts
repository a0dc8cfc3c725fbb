// Writes new instructions that are connected to what is there: they read what holds values, and write where nobody needs what was
// there (docs/discovery.md). Must not know which mutations want them.

import { IN1_TYPE, IN2_TYPE, OPERAND_TYPES, OUT_TYPE } from '../ops/by-number.js';
import type { CodeFlow } from '../program/flat/code-flow.js';
import { FUNCTIONS, packWord, SETUP } from '../program/flat/code-layout.js';
import { type CodeStore, wordOp, wordOut } from '../program/flat/code-store.js';
import type { FastRandom } from '../util/fast-random.js';
import type { SearchSpace } from './search-space.js';

/** How likely an input of a new instruction is computed by a further one, by how many such levels there are already. */
const NESTING = [0.5, 0.4, 0.2];
/** How likely a new instruction reads what it is connected to, and how likely any address instead of one that holds something. */
const READS_ITSELF = 0.7;
const ANY_ADDRESS = 0.1;
/** How many times as likely to be read as anything else that holds something are features, label and prediction, and what is in use. */
const GIVEN_WEIGHT = 3;
const USED_WEIGHT = 3;

/** No address is to be written to. */
export const NO_ADDRESS = -1;
const NO_TYPE = -1;

/** What the instructions of one insertion are made of. */
export interface Building {
  readonly fn: number;
  /** By type: addresses that hold something. */
  readonly holding: readonly number[][];
  /** Addresses that must keep their values, as bits. */
  taken: number;
  /** How likely inputs are computed anew. */
  readonly nesting: readonly number[];
  /** How likely what is written to is read. */
  readonly readsItself: number;
  /** What is to be inserted, in order. */
  readonly words: number[];
}

export class CodeBuilder {
  private readonly space: SearchSpace;
  private readonly store: CodeStore;
  private readonly flow: CodeFlow;
  private readonly random: FastRandom;
  /** By type, what was found last: made once, since mutations ask for it all the time. */
  private readonly holding: readonly number[][] = OPERAND_TYPES.map(() => []);
  private readonly preferred: number[] = [];
  private readonly free: number[] = [];
  /** What is among the last, as bits. */
  private found = 0;

  /** For programs in a store, whose flow has been found. */
  constructor(space: SearchSpace, store: CodeStore, flow: CodeFlow, random: FastRandom) {
    this.space = space;
    this.store = store;
    this.flow = flow;
    this.random = random;
  }

  /** Begins an insertion into a function: what is in `taken`, as bits, keeps its value. The one before is over then. */
  begin(place: number, fn: number, taken: number, { nesting = NESTING, readsItself = READS_ITSELF } = {}): Building {
    return { fn, holding: this.findHolding(place, fn), taken, nesting, readsItself, words: [] };
  }

  /** What is in `addresses`, as bits, is read as often as what the task gives. */
  prefer({ holding }: Building, addresses: number): void {
    const { flow, preferred } = this;
    for (let type = 0; type < holding.length; type++) {
      const those = holding[type]!;
      let left = addresses;
      preferred.length = 0;
      for (const address of those) {
        const bit = flow.bit(type, address);
        if ((left & bit) === 0) continue;
        left &= ~bit;
        preferred.push(address);
      }
      for (let k = 1; k < GIVEN_WEIGHT; k++) for (const address of preferred) those.push(address);
    }
  }

  /** An instruction that writes to an address; one of its inputs may be `own`, of type `ownType`. What it needs comes before it. */
  build(building: Building, op: number, out: number, own: number, ownType: number, level: number): number {
    const { random } = this;
    const [type1, type2] = [IN1_TYPE[op]!, IN2_TYPE[op]!];
    const ownFirst = random.uniform() < 0.5;
    const mayBeFirst = type1 >= 0 && type1 === ownType && (ownFirst || type2 !== ownType);
    const isFirst = mayBeFirst && random.uniform() < building.readsItself;
    const in1 = isFirst ? own : this.drawInput(building, type1, level);
    const mayBeSecond = type2 >= 0 && type2 === ownType && !isFirst;
    const isSecond = mayBeSecond && random.uniform() < building.readsItself;
    const in2 = isSecond ? own : this.drawInput(building, type2, level);
    return packWord(op, in1, in2, out);
  }

  /** An address to read: of something that is there, or that a further instruction computes. The first where there is no input. */
  private drawInput(building: Building, type: number, level: number): number {
    const { space, random } = this;
    if (type < 0) return 0;
    const ops = space.opsGiving(building.fn, type);
    if (ops.length > 0 && random.uniform() < (building.nesting[level] ?? 0)) {
      const address = this.takeFree(building, type);
      if (address !== NO_ADDRESS) {
        const op = ops[random.integer(ops.length)]!;
        building.words.push(this.build(building, op, address, NO_ADDRESS, NO_TYPE, level + 1));
        return address;
      }
    }
    return this.drawHolding(building.holding, type);
  }

  drawHolding(holding: readonly (readonly number[])[], type: number): number {
    const { space, random } = this;
    const those = holding[type]!;
    if (those.length === 0 || random.uniform() < ANY_ADDRESS) return space.randomInput(type, random);
    return those[random.integer(those.length)]!;
  }

  /** An address to write to that nobody needs. */
  takeFree(building: Building, type: number): number {
    const { space, flow, free } = this;
    free.length = 0;
    for (let address = space.firstOutput(type); address < space.addressCount(type); address++) {
      if ((building.taken & flow.bit(type, address)) === 0) free.push(address);
    }
    if (free.length === 0) return NO_ADDRESS;
    const address = free[this.random.integer(free.length)]!;
    building.taken |= flow.bit(type, address);
    return address;
  }

  /**
   * By type, the addresses that hold something in a function: what Setup or live instructions write, features and label; as often as
   * they are to be read. They are good until the next call.
   */
  findHolding(place: number, fn: number): readonly number[][] {
    this.found = 0;
    for (const those of this.holding) those.length = 0;
    for (const { type, address } of this.flow.given(fn)) this.hold(type, address, GIVEN_WEIGHT);
    for (let other = 0; other < FUNCTIONS; other++) this.holdWritten(place, other, true, USED_WEIGHT);
    this.holdWritten(place, SETUP, false, 1);
    return this.holding;
  }

  private hold(type: number, address: number, weight: number): void {
    const bit = this.flow.bit(type, address);
    if ((this.found & bit) !== 0) return;
    this.found |= bit;
    const those = this.holding[type]!;
    for (let k = 0; k < weight; k++) those.push(address);
  }

  /** What the live instructions of a function write, or the others. */
  private holdWritten(place: number, fn: number, areLive: boolean, weight: number): void {
    const { words, starts } = this.store;
    const { live } = this.flow;
    const first = this.store.first(place, fn);
    const offset = starts[fn]!;
    const length = this.store.length(place, fn);
    const wanted = Number(areLive);
    for (let k = 0; k < length; k++) {
      if (live[offset + k] !== wanted) continue;
      const word = words[first + k]!;
      const type = OUT_TYPE[wordOp(word)]!;
      if (type >= 0) this.hold(type, wordOut(word), weight);
    }
  }
}
