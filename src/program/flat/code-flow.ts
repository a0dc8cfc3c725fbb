// How values flow through a program in a store: what is live before each instruction, whether the prediction depends on features and
// labels, and by which formula it depends on the features. For searches that build programs by what connects. Sets of addresses are
// bits, so that a program may have 32 of them. Must not know mutations or fitness.

import { IN1_TYPE, IN2_TYPE, OPERAND_TYPES, OUT_TYPE, OVERWRITES, typeNumber } from '../../ops/by-number.js';
import { OPS } from '../../ops/ops.js';
import { type LabelKind, type MemorySizes, memorySize, TASK_ADDRESSES } from '../program.js';
import { FUNCTIONS, LEARN, PREDICT, SETUP } from './code-layout.js';
import { type CodeStore, wordIn1, wordIn2, wordOp, wordOut } from './code-store.js';

/** Addresses that a set of bits holds. */
export const MAX_FLOW_ADDRESSES = 32;

/** An address, with its type by number. */
export interface TypedAddress {
  readonly type: number;
  readonly address: number;
}

export function countAddresses({ scalars, vectors, matrices }: MemorySizes): number {
  return scalars + vectors + matrices;
}

/** Ops for which f(a, a) = a, and whose nesting says no more than a list: minima and maxima. */
const IS_CHOICE = Uint8Array.from(OPS, (op) => Number(op.shape === 'map2' && /^(min|max)/.test(op.fn)));

/** An op does not have this operand. */
const NONE = -1;
/** Levels of ops that a formula shows. */
const FORMULA_DEPTH = 4;

export class CodeFlow {
  /** Of each instruction of the last program that `run` looked at, from its first: whether it is live. */
  readonly live: Uint8Array;
  /** Addresses that, through memory, depend on labels: what the last program that `canLearn` looked at learns. */
  learned = 0;
  private readonly store: CodeStore;
  /** The bit of the first address of each type. */
  private readonly firstBit: readonly number[];
  /** By op: where the bits of what it writes and reads begin; NONE if it does not. */
  private readonly outBase: Int8Array;
  private readonly in1Base: Int8Array;
  private readonly in2Base: Int8Array;
  /** The same as bits, to be shifted by the address: no bit if it does not. */
  private readonly outFirst: Int32Array;
  private readonly in1First: Int32Array;
  private readonly in2First: Int32Array;
  private readonly givenTo: readonly (readonly TypedAddress[])[];
  private readonly features: number;
  private readonly label: number;
  private readonly prediction: number;
  /** What is live before each instruction; one more for each function, for its end. */
  private readonly before: Int32Array;
  private place = 0;
  private readonly terms = new Terms();
  private readonly written = new Int32Array(MAX_FLOW_ADDRESSES);

  constructor(store: CodeStore, labels: LabelKind) {
    this.store = store;
    let bit = 0;
    this.firstBit = OPERAND_TYPES.map((type) => {
      const first = bit;
      bit += memorySize(store.memory, type);
      return first;
    });
    if (bit > MAX_FLOW_ADDRESSES) throw new RangeError(`${bit} addresses, and at most ${MAX_FLOW_ADDRESSES} fit`);
    const baseOf = (types: Int8Array) => types.map((type) => (type < 0 ? NONE : this.firstBit[type]!));
    [this.outBase, this.in1Base, this.in2Base] = [baseOf(OUT_TYPE), baseOf(IN1_TYPE), baseOf(IN2_TYPE)];
    const firstOf = (bases: Int8Array) => Int32Array.from(bases, (base) => (base === NONE ? 0 : 1 << base));
    this.outFirst = firstOf(this.outBase);
    this.in1First = firstOf(this.in1Base);
    this.in2First = firstOf(this.in2Base);
    const at = (role: 'features' | 'label' | 'prediction'): TypedAddress => {
      const { type, address } = TASK_ADDRESSES[labels][role];
      return { type: typeNumber(type), address };
    };
    const [features, label, prediction] = [at('features'), at('label'), at('prediction')];
    this.givenTo = [[], [features], [features, label, prediction]];
    this.features = this.bit(features.type, features.address);
    this.label = this.bit(label.type, label.address);
    this.prediction = this.bit(prediction.type, prediction.address);
    this.live = new Uint8Array(store.stride);
    this.before = new Int32Array(store.stride + FUNCTIONS);
  }

  /** What the task gives to a function, by the numbers of types: features, and for Learn the label and the prediction before it. */
  given(fn: number): readonly TypedAddress[] {
    return this.givenTo[fn]!;
  }

  /** The bit of an address, by the number of its type. */
  bit(type: number, address: number): number {
    return 1 << (this.firstBit[type]! + address);
  }

  // --- What is live ----------------------------------------------------------------------------------------------------

  /** Finds what is live in a program: setup -> (predict, learn)* -> predict*, across calls. */
  run(place: number): void {
    this.place = place;
    const inputs = this.features | this.label;
    let atPredict = 0;
    for (;;) {
      const afterPredict = (this.backward(LEARN, atPredict) & ~inputs) | atPredict | this.prediction;
      const next = this.backward(PREDICT, afterPredict) & ~inputs;
      if ((next | atPredict) === atPredict) break;
      atPredict |= next;
    }
    this.backward(SETUP, atPredict);
  }

  isLive(fn: number, k: number): boolean {
    return this.live[this.store.starts[fn]! + k] === 1;
  }

  /** How many instructions of a function of the last program are live. */
  countLive(fn: number): number {
    let count = 0;
    for (let k = 0; k < this.store.length(this.place, fn); k++) if (this.isLive(fn, k)) count++;
    return count;
  }

  /** What is live before instruction `k` of a function of the last program, as bits. */
  liveBefore(fn: number, k: number): number {
    return this.before[this.store.starts[fn]! + fn + k]!;
  }

  /** Whether the last program uses its prediction after it was made: in Learn, or for the next one. */
  get usesPrediction(): boolean {
    return (this.liveBefore(LEARN, 0) & this.prediction) !== 0;
  }

  /** From what is live after a function to what is live before it. */
  private backward(fn: number, after: number): number {
    const { store, live, before, place } = this;
    const { words } = store;
    const first = store.first(place, fn);
    const offset = store.starts[fn]!;
    let needed = after;
    const length = store.length(place, fn);
    before[offset + fn + length] = needed;
    for (let k = length - 1; k >= 0; k--) {
      const word = words[first + k]!;
      const op = wordOp(word);
      const out = this.output(word, op);
      const isLive = (needed & out) !== 0;
      live[offset + k] = Number(isLive);
      if (isLive) {
        if (OVERWRITES[op] === 1) needed &= ~out;
        needed |= this.inputs(word, op);
      }
      before[offset + fn + k] = needed;
    }
    return needed;
  }

  private output(word: number, op: number): number {
    return this.outFirst[op]! << wordOut(word);
  }

  private inputs(word: number, op: number): number {
    return (this.in1First[op]! << wordIn1(word)) | (this.in2First[op]! << wordIn2(word));
  }

  // --- What depends on what --------------------------------------------------------------------------------------------

  /**
   * Whether a program can learn at all: its prediction depends on the features of the example, and, through memory, on labels. No
   * other program is better than one that predicts the same for every example, or the same whatever it was shown.
   */
  canLearn(place: number): boolean {
    const { features, label, prediction } = this;
    this.learned = 0;
    if ((this.forward(place, PREDICT, features) & prediction) === 0) return false;
    let learned = 0;
    for (;;) {
      const next = (this.forward(place, LEARN, this.forward(place, PREDICT, learned) | label) & ~label) | learned;
      if (next === learned) break;
      learned = next;
    }
    this.learned = learned;
    return (this.forward(place, PREDICT, learned) & prediction) !== 0;
  }

  /** Addresses that depend on labels before instruction `k` of Learn, the label among them, as bits. */
  ofLabel(place: number, k: number): number {
    this.canLearn(place);
    return this.forward(place, LEARN, this.forward(place, PREDICT, this.learned) | this.label, k);
  }

  /** What Predict reads to make its prediction, as it was before, but for the features: as bits. */
  parameters(place: number): number {
    const { store } = this;
    const first = store.first(place, PREDICT);
    let needed = this.prediction;
    for (let k = store.length(place, PREDICT) - 1; k >= 0; k--) {
      const word = store.words[first + k]!;
      const op = wordOp(word);
      const out = this.output(word, op);
      if ((needed & out) === 0) continue;
      if (OVERWRITES[op] === 1) needed &= ~out;
      needed |= this.inputs(word, op);
    }
    return needed & ~this.features;
  }

  /** What depends on something after a function, or before its instruction `end`, given what does before it. */
  private forward(place: number, fn: number, from: number, end = this.store.length(place, fn)): number {
    const { store } = this;
    const first = store.first(place, fn);
    let depends = from;
    for (let k = 0; k < end; k++) depends = this.spread(store.words[first + k]!, depends);
    return depends;
  }

  /** What depends on something after an instruction, given what does before it. */
  spread(word: number, depends: number): number {
    const op = wordOp(word);
    const out = this.output(word, op);
    if ((depends & this.inputs(word, op)) !== 0) return depends | out;
    return OVERWRITES[op] === 1 ? depends & ~out : depends;
  }

  /**
   * The model that a program is: how its prediction is made of features x, of memory that is learned, w, and of other memory, c. What
   * does not depend on the features is not told apart further. To be called after `canLearn`.
   */
  formula(place: number): string {
    const { store, learned, terms } = this;
    const first = store.first(place, PREDICT);
    terms.forget();
    // By bit: the terms of what Predict has written so far.
    const written = this.written.fill(NONE);
    written[indexOf(this.features)] = X;
    const term = (base: number, address: number) => {
      if (base === NONE) return NONE;
      const index = base + address;
      const known = written[index]!;
      return known !== NONE ? known : ((learned >> index) & 1) !== 0 ? W : C;
    };
    for (let k = 0; k < store.length(place, PREDICT); k++) {
      const word = store.words[first + k]!;
      const op = wordOp(word);
      const base = this.outBase[op]!;
      if (base === NONE) continue;
      const value = terms.apply(op, term(this.in1Base[op]!, wordIn1(word)), term(this.in2Base[op]!, wordIn2(word)));
      written[base + wordOut(word)] = value;
    }
    const prediction = written[indexOf(this.prediction)]!;
    return terms.text(prediction === NONE ? C : prediction);
  }
}

/** The number of the one bit of a set. */
function indexOf(bit: number): number {
  return 31 - Math.clz32(bit);
}

/** Terms that there are from the beginning: features, memory that is learned, other memory. */
const [X, W, C] = [0, 1, 2];
/** So many terms are remembered, at most; no more of them than fit into a number with an op. */
const MAX_TERMS = 1 << 16;

/** Terms of formulas, by number, so that each is written only once. */
class Terms {
  private texts: string[] = [];
  private readonly byText = new Map<string, number>();
  /** By op and the terms it is applied to. */
  private readonly known = new Map<number, number>();

  constructor() {
    this.clear();
  }

  text(term: number): string {
    return this.texts[term]!;
  }

  /** The term of an op's value, given those of its inputs, or NONE. */
  apply(op: number, in1: number, in2: number): number {
    const key = (op * MAX_TERMS + in1 + 1) * MAX_TERMS + in2 + 1;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const inputs = [in1, in2].filter((term) => term !== NONE).map((term) => this.text(term));
    const term = this.add(applied(op, inputs));
    this.known.set(key, term);
    return term;
  }

  private add(text: string): number {
    const known = this.byText.get(text);
    if (known !== undefined) return known;
    const term = this.texts.push(text) - 1;
    this.byText.set(text, term);
    return term;
  }

  /** Begins anew if too much is remembered: between two formulas. */
  forget(): void {
    if (this.known.size >= MAX_TERMS / 2) this.clear();
  }

  private clear(): void {
    this.texts = [];
    this.byText.clear();
    this.known.clear();
    for (const text of ['x', 'w', 'c']) this.add(text);
  }
}

/** The text of an op's value. */
function applied(op: number, inputs: readonly string[]): string {
  if (!inputs.some((text) => text.includes('x'))) return inputs.some((text) => text === 'w') ? 'w' : 'c';
  const { name, commutes } = OPS[op]!;
  if (IS_CHOICE[op] === 1) {
    const prefix = `${name}[`;
    const parts = new Set(inputs.flatMap((text) => (text.startsWith(prefix) ? choicesOf(text, prefix) : [text])));
    return parts.size === 1 ? inputs[0]! : shortened(`${prefix}${[...parts].sort().join(' | ')}]`);
  }
  return shortened(`${name}(${(commutes ? [...inputs].sort() : inputs).join(', ')})`);
}

/** What a minimum or maximum chooses from. A choice may have a list of its own. */
function choicesOf(text: string, prefix: string): string[] {
  const choices: string[] = [];
  let depth = 0;
  let from = prefix.length;
  for (let at = from; at < text.length; at++) {
    const letter = text[at]!;
    const isEnd = depth === 0 && (letter === '|' || at === text.length - 1);
    if ('(['.includes(letter)) depth++;
    else if (')]'.includes(letter)) depth--;
    if (!isEnd) continue;
    choices.push(text.slice(from, letter === '|' ? at - 1 : at));
    from = at + 2;
  }
  return choices;
}

/** Deep formulas are all alike to the eye: below some levels they are only something of the features. */
function shortened(text: string): string {
  let depth = 0;
  let deepest = 0;
  for (const letter of text) {
    if (letter === '(' || letter === '[') deepest = Math.max(deepest, ++depth);
    else if (letter === ')' || letter === ']') depth--;
  }
  return deepest > FORMULA_DEPTH ? 'f(x)' : text;
}
