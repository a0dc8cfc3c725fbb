// The live instructions of one program at a time, in flat arrays: what engines run and what canonical hashes are made of.
// Addresses are slots: features, label, prediction, then the others. Every candidate of a search goes through this, so it leaves
// no garbage. Must not run anything.
import { OPS } from '../ops/ops.js';
import type { CodeStore } from './code-store.js';
import { FUNCTIONS, firstIndex, secondIndex, wordIn1, wordIn2, wordOp, wordOut } from './code-store.js';
import {
  FEATURES_SLOT,
  LABEL_SLOT,
  LAST_USE_OF_INPUT,
  LIVE,
  LivenessAnalysis,
  OPERAND_TYPES,
  PREDICTION_SLOT,
  typeNumber,
} from './liveness-analysis.js';
import { type Instruction, type LabelKind, memorySize, type Program, TASK_ADDRESSES } from './program.js';

const NO_SLOT = -1;
/** Slots that fit into the bits of a number. */
const MAX_BITS = 32;

// --- Tables by op number: where in a table of slots the addresses of an operand begin. ---

const ROW = 256;
/** The row of operands that an op does not have. */
const NO_ROW = OPERAND_TYPES.length * ROW;
const rowOf = (type: number) => (type < 0 ? NO_ROW : type * ROW);
const OUT_ROW = Int32Array.from(OPS, (op) => rowOf(typeNumber(op.output)));
const IN1_ROW = Int32Array.from(OPS, (op) => rowOf(typeNumber(op.inputs[0])));
const IN2_ROW = Int32Array.from(OPS, (op) => rowOf(typeNumber(op.inputs[1])));
const SETS_ELEMENT = Uint8Array.from(OPS, (op) => Number(op.output !== undefined && !op.overwrites));

export class LiveCode {
  readonly labels: LabelKind;
  /** Live instructions: where Predict and Learn begin, and the number of all. */
  firstOfPredict = 0;
  firstOfLearn = 0;
  end = 0;
  ops = new Uint8Array(64);
  /** Slots; -1 where an op has none. */
  out = new Int32Array(64);
  in1 = new Int32Array(64);
  in2 = new Int32Array(64);
  /** LAST_USE_OF_INPUT. */
  marks = new Uint8Array(64);
  index1 = new Int32Array(64);
  index2 = new Int32Array(64);
  /** Two for each instruction. */
  constants = new Float64Array(128);
  slotCount = 0;
  /** Of each slot, the number of its type. */
  slotType = new Int32Array(64);

  private readonly analysis = new LivenessAnalysis();
  // All instructions of a program in a store, live or not.
  private outBits = new Int32Array(64);
  private inBits = new Int32Array(64);
  /** Live instructions, those of each function from its end, and what is still needed after each. */
  private listed = new Int32Array(65);
  private liveAfter = new Int32Array(65);
  /** The instruction's place in the store. */
  private places = new Int32Array(64);

  // The slots of a store's addresses, by type and address.
  private store: CodeStore | undefined;
  private readonly slots = new Int32Array((OPERAND_TYPES.length + 1) * ROW);
  private readonly bits = new Int32Array((OPERAND_TYPES.length + 1) * ROW);
  private storeSlots = 0;
  /** The types of the store's slots, and whether `slotType` has them. */
  private readonly storeTypes: number[] = [];
  private hasTypesOfStore = false;

  constructor(labels: LabelKind) {
    this.labels = labels;
  }

  // --- From any program ------------------------------------------------------------------------------------------------

  setProgram(program: Program): void {
    const { analysis } = this;
    analysis.run(program, this.labels);
    this.reserve(program.setup.length + program.predict.length + program.learn.length, analysis.slotCount);
    this.slotCount = analysis.slotCount;
    this.hasTypesOfStore = false;
    for (let slot = 0; slot < analysis.slotCount; slot++) this.slotType[slot] = analysis.slotType[slot]!;
    this.end = 0;
    this.addFunction(program.setup, 0);
    this.firstOfPredict = this.end;
    this.addFunction(program.predict, program.setup.length);
    this.firstOfLearn = this.end;
    this.addFunction(program.learn, program.setup.length + program.predict.length);
  }

  private addFunction(body: readonly Instruction[], first: number): void {
    const { marks, out, in1, in2 } = this.analysis;
    for (let k = 0; k < body.length; k++) {
      if (marks[first + k] === 0) continue;
      const { op, index1, index2, const1, const2 } = body[k]!;
      const to = this.end++;
      this.ops[to] = op;
      this.marks[to] = marks[first + k]!;
      this.out[to] = out[first + k]!;
      this.in1[to] = in1[first + k]!;
      this.in2[to] = in2[first + k]!;
      this.index1[to] = index1;
      this.index2[to] = index2;
      this.constants[2 * to] = const1;
      this.constants[2 * to + 1] = const2;
    }
  }

  private reserve(instructions: number, slots: number): void {
    if (this.ops.length < instructions) {
      const size = 2 * instructions;
      this.ops = new Uint8Array(size);
      this.out = new Int32Array(size);
      this.in1 = new Int32Array(size);
      this.in2 = new Int32Array(size);
      this.marks = new Uint8Array(size);
      this.index1 = new Int32Array(size);
      this.index2 = new Int32Array(size);
      this.constants = new Float64Array(2 * size);
      this.outBits = new Int32Array(size);
      this.inBits = new Int32Array(size);
      this.listed = new Int32Array(size + 1);
      this.liveAfter = new Int32Array(size + 1);
      this.places = new Int32Array(size);
    }
    if (this.slotType.length < slots) this.slotType = new Int32Array(2 * slots);
  }

  // --- From a store ----------------------------------------------------------------------------------------------------

  setCode(store: CodeStore, place: number): void {
    if (store !== this.store) this.readSlots(store);
    this.reserve(store.stride, this.storeSlots);
    if (this.storeSlots > MAX_BITS || !this.collect(store, place)) {
      this.setProgram(store.read(place));
      return;
    }
    if (!this.hasTypesOfStore) this.slotType.set(this.storeTypes);
    this.hasTypesOfStore = true;
    this.analyse(store);
    this.compact(store);
  }

  private readSlots(store: CodeStore): void {
    const { features, label, prediction } = TASK_ADDRESSES[this.labels];
    const fixed = [features, label, prediction];
    this.store = store;
    this.storeTypes.length = 0;
    this.hasTypesOfStore = false;
    this.slots.fill(NO_SLOT);
    this.bits.fill(0);
    let next = 0;
    const give = (type: number, address: number) => {
      const at = type * ROW + address;
      if (this.slots[at] !== NO_SLOT) return;
      this.storeTypes[next] = type;
      this.bits[at] = 1 << next;
      this.slots[at] = next++;
    };
    for (const { type, address } of fixed) give(typeNumber(type), address);
    OPERAND_TYPES.forEach((name, type) => {
      for (let address = 0; address < memorySize(store.memory, name); address++) give(type, address);
    });
    this.storeSlots = next;
  }

  private firstOfAllPredict = 0;
  private firstOfAllLearn = 0;
  private endOfAll = 0;
  private setupSetsElement = false;
  /** Elements that are certainly set later in Setup, before anything reads them: slot as a bit, and indices. */
  private readonly settledBits: number[] = [];
  private readonly settledIndices: number[] = [];

  /** Finds the bits of all instructions; false if one sets an element elsewhere than in Setup, which takes a closer look. */
  private collect(store: CodeStore, place: number): boolean {
    const { lengths, starts, stride } = store;
    const first = place * stride;
    const predict = lengths[FUNCTIONS * place]!;
    const learn = predict + lengths[FUNCTIONS * place + 1]!;
    const end = learn + lengths[FUNCTIONS * place + 2]!;
    this.firstOfAllPredict = predict;
    this.firstOfAllLearn = learn;
    this.endOfAll = end;
    this.setupSetsElement = this.collectFunction(store, first, 0, predict) !== 0;
    const setsElement =
      this.collectFunction(store, first + starts[1]! - predict, predict, learn) |
      this.collectFunction(store, first + starts[2]! - learn, learn, end);
    return setsElement === 0;
  }

  /** Instructions from `begin` to `end` lie in the store at `offset` plus their number. */
  private collectFunction({ words }: CodeStore, offset: number, begin: number, end: number): number {
    const { outBits, inBits, places, bits } = this;
    let setsElement = 0;
    for (let at = begin; at < end; at++) {
      const word = words[offset + at]!;
      const op = wordOp(word);
      outBits[at] = bits[OUT_ROW[op]! + wordOut(word)]!;
      inBits[at] = bits[IN1_ROW[op]! + wordIn1(word)]! | bits[IN2_ROW[op]! + wordIn2(word)]!;
      places[at] = offset + at;
      setsElement |= SETS_ELEMENT[op]!;
    }
    return setsElement;
  }

  /** As LivenessAnalysis: liveness over setup -> (predict, learn)* -> predict*. */
  private analyse(store: CodeStore): void {
    const { firstOfAllPredict, firstOfAllLearn, endOfAll } = this;
    const others = ~((1 << FEATURES_SLOT) | (1 << LABEL_SLOT));
    let atPredict = 0;
    let atLearn = 0;
    let afterPredict = 0;
    for (;;) {
      afterPredict = ((atPredict | atLearn) & others) | (1 << PREDICTION_SLOT);
      const predict = this.backward(afterPredict, firstOfAllPredict, firstOfAllLearn);
      const learn = this.backward(predict & others, firstOfAllLearn, endOfAll);
      const isSettled = predict === atPredict && learn === atLearn;
      atPredict = predict;
      atLearn = learn;
      if (isSettled) break;
    }
    this.firstOfPredict = this.setupSetsElement
      ? this.listSetup(store, atPredict & others)
      : this.list(atPredict & others, 0, firstOfAllPredict, 0);
    this.firstOfLearn = this.list(afterPredict, firstOfAllPredict, firstOfAllLearn, this.firstOfPredict);
    this.end = this.list(atPredict & others, firstOfAllLearn, endOfAll, this.firstOfLearn);
  }

  // Which instructions are live is hard to guess, so that these loops do without branches.

  private backward(after: number, first: number, end: number): number {
    const { outBits, inBits } = this;
    let live = after;
    for (let k = end - 1; k >= first; k--) {
      const bit = outBits[k]!;
      live = (live & ~bit) | (inBits[k]! & onesIf(live & bit));
    }
    return live;
  }

  /** Lists the live instructions, backwards from place `to` on, and gives the place after them. */
  private list(after: number, first: number, end: number, to: number): number {
    const { outBits, inBits, listed, liveAfter } = this;
    let live = after;
    let place = to;
    for (let k = end - 1; k >= first; k--) {
      const bit = outBits[k]!;
      const ones = onesIf(live & bit);
      live &= ~bit;
      listed[place] = k;
      liveAfter[place] = live;
      live |= inBits[k]! & ones;
      place -= ones;
    }
    return place;
  }

  /** As `list`, for a Setup that sets elements: of those that are set twice without being read, only the last counts. */
  private listSetup({ words, indices }: CodeStore, after: number): number {
    const { outBits, inBits, places, listed, liveAfter } = this;
    this.settledBits.length = 0;
    this.settledIndices.length = 0;
    let live = after;
    let place = 0;
    for (let k = this.firstOfAllPredict - 1; k >= 0; k--) {
      const bit = outBits[k]!;
      if ((live & bit) === 0) continue;
      if (SETS_ELEMENT[wordOp(words[places[k]!]!)] === 0) {
        live &= ~bit;
      } else if (!this.settle(bit, indices[places[k]!]!)) {
        continue;
      }
      listed[place] = k;
      liveAfter[place++] = live;
      live |= inBits[k]!;
      this.read(inBits[k]!);
    }
    return place;
  }

  /** Notes that an element is set; false if it was set later already. */
  private settle(bit: number, indices: number): boolean {
    const { settledBits, settledIndices } = this;
    for (let n = 0; n < settledBits.length; n++) {
      if (settledBits[n] === bit && settledIndices[n] === indices) return false;
    }
    settledBits.push(bit);
    settledIndices.push(indices);
    return true;
  }

  /** What is read needs what was set before. */
  private read(bits: number): void {
    const { settledBits } = this;
    for (let n = 0; n < settledBits.length; n++) if ((settledBits[n]! & bits) !== 0) settledBits[n] = 0;
  }

  private compact(store: CodeStore): void {
    this.compactFunction(store, 0, this.firstOfPredict);
    this.compactFunction(store, this.firstOfPredict, this.firstOfLearn);
    this.compactFunction(store, this.firstOfLearn, this.end);
    this.slotCount = this.storeSlots;
  }

  /** Copies the listed instructions of a function, which are in the opposite order. */
  private compactFunction({ words, indices, constants }: CodeStore, begin: number, end: number): void {
    const { listed, liveAfter, places, slots, ops, marks, out, in1, in2, index1, index2 } = this;
    for (let to = begin, from = end - 1; to < end; to++, from--) {
      const k = places[listed[from]!]!;
      const after = liveAfter[from]!;
      const word = words[k]!;
      const op = wordOp(word);
      const slot1 = slots[IN1_ROW[op]! + wordIn1(word)]!;
      const slot2 = slots[IN2_ROW[op]! + wordIn2(word)]!;
      let bits = LIVE;
      if (slot1 !== NO_SLOT && (after & (1 << slot1)) === 0) bits |= LAST_USE_OF_INPUT[0];
      if (slot2 !== NO_SLOT && (after & (1 << slot2)) === 0) bits |= LAST_USE_OF_INPUT[1];
      ops[to] = op;
      marks[to] = bits;
      out[to] = slots[OUT_ROW[op]! + wordOut(word)]!;
      in1[to] = slot1;
      in2[to] = slot2;
      index1[to] = firstIndex(indices[k]!);
      index2[to] = secondIndex(indices[k]!);
      this.constants[2 * to] = constants[2 * k]!;
      this.constants[2 * to + 1] = constants[2 * k + 1]!;
    }
  }
}

/** All ones if any bit is set, and zero otherwise. */
function onesIf(bits: number): number {
  return (bits | -bits) >> 31;
}
