// The live instructions of one program at a time, in flat arrays: what engines run and what canonical hashes are made of.
// Addresses are slots: features, label, prediction, then the others. Every candidate of a search goes through this, so it leaves
// no garbage. Must not run anything.
import { OPS } from '../ops/ops.js';
import type { CodeStore } from './code-store.js';
import { firstIndex, secondIndex, wordIn1, wordIn2, wordOp, wordOut } from './code-store.js';
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
import {
  FUNCTION_NAMES,
  type Instruction,
  type LabelKind,
  memorySize,
  type Program,
  TASK_ADDRESSES,
} from './program.js';

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
  private allMarks = new Uint8Array(64);
  /** The instruction's place in the store. */
  private places = new Int32Array(64);

  // The slots of a store's addresses, by type and address.
  private store: CodeStore | undefined;
  private readonly slots = new Int32Array((OPERAND_TYPES.length + 1) * ROW);
  private readonly bits = new Int32Array((OPERAND_TYPES.length + 1) * ROW);
  private storeSlots = 0;

  constructor(labels: LabelKind) {
    this.labels = labels;
  }

  // --- From any program ------------------------------------------------------------------------------------------------

  setProgram(program: Program): void {
    const { analysis } = this;
    analysis.run(program, this.labels);
    this.reserve(program.setup.length + program.predict.length + program.learn.length, analysis.slotCount);
    this.slotCount = analysis.slotCount;
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
      this.allMarks = new Uint8Array(size);
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
    this.analyse();
    this.compact(store);
  }

  private readSlots(store: CodeStore): void {
    const { features, label, prediction } = TASK_ADDRESSES[this.labels];
    const fixed = [features, label, prediction];
    this.store = store;
    this.slots.fill(NO_SLOT);
    this.bits.fill(0);
    let next = 0;
    const give = (type: number, address: number) => {
      const at = type * ROW + address;
      if (this.slots[at] !== NO_SLOT) return;
      this.slotType[next] = type;
      this.bits[at] = 1 << next;
      this.slots[at] = next++;
    };
    for (const { type, address } of fixed) give(typeNumber(type), address);
    OPERAND_TYPES.forEach((name, type) => {
      this.reserve(0, next + memorySize(store.memory, name));
      for (let address = 0; address < memorySize(store.memory, name); address++) give(type, address);
    });
    this.storeSlots = next;
  }

  private firstOfAllPredict = 0;
  private firstOfAllLearn = 0;
  private endOfAll = 0;

  /** Finds the bits of all instructions; false if one sets an element, which takes a closer look. */
  private collect(store: CodeStore, place: number): boolean {
    const { outBits, inBits, places, bits } = this;
    const { words } = store;
    let at = 0;
    let setsElement = 0;
    for (let fn = 0; fn < FUNCTION_NAMES.length; fn++) {
      if (fn === 1) this.firstOfAllPredict = at;
      if (fn === 2) this.firstOfAllLearn = at;
      const first = store.first(place, fn);
      const end = first + store.length(place, fn);
      for (let k = first; k < end; k++, at++) {
        const word = words[k]!;
        const op = wordOp(word);
        outBits[at] = bits[OUT_ROW[op]! + wordOut(word)]!;
        inBits[at] = bits[IN1_ROW[op]! + wordIn1(word)]! | bits[IN2_ROW[op]! + wordIn2(word)]!;
        places[at] = k;
        setsElement |= SETS_ELEMENT[op]!;
      }
    }
    this.endOfAll = at;
    return setsElement === 0;
  }

  /** As LivenessAnalysis: liveness over setup -> (predict, learn)* -> predict*. */
  private analyse(): void {
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
    this.mark(atPredict & others, 0, firstOfAllPredict);
    this.mark(afterPredict, firstOfAllPredict, firstOfAllLearn);
    this.mark(atPredict & others, firstOfAllLearn, endOfAll);
  }

  private backward(after: number, first: number, end: number): number {
    const { outBits, inBits } = this;
    let live = after;
    for (let k = end - 1; k >= first; k--) {
      const bit = outBits[k]!;
      if ((live & bit) !== 0) live = (live & ~bit) | inBits[k]!;
    }
    return live;
  }

  /** Marks live instructions. Which inputs are read for the last time is found with their slots. */
  private mark(after: number, first: number, end: number): void {
    const { outBits, inBits, allMarks } = this;
    let live = after;
    for (let k = end - 1; k >= first; k--) {
      const bit = outBits[k]!;
      if ((live & bit) === 0) {
        allMarks[k] = 0;
        continue;
      }
      live &= ~bit;
      allMarks[k] = LIVE;
      // What is still needed afterwards, in place of what is read: the inputs' bits are no longer needed here.
      const inputs = inBits[k]!;
      inBits[k] = live;
      live |= inputs;
    }
  }

  private compact({ words, indices, constants }: CodeStore): void {
    const { allMarks, places, inBits, slots } = this;
    let to = 0;
    for (let at = 0; at < this.endOfAll; at++) {
      if (at === this.firstOfAllPredict) this.firstOfPredict = to;
      if (at === this.firstOfAllLearn) this.firstOfLearn = to;
      if (allMarks[at] === 0) continue;
      const k = places[at]!;
      const word = words[k]!;
      const op = wordOp(word);
      const liveAfter = inBits[at]!;
      const in1 = slots[IN1_ROW[op]! + wordIn1(word)]!;
      const in2 = slots[IN2_ROW[op]! + wordIn2(word)]!;
      let marks = LIVE;
      if (in1 !== NO_SLOT && (liveAfter & (1 << in1)) === 0) marks |= LAST_USE_OF_INPUT[0];
      if (in2 !== NO_SLOT && (liveAfter & (1 << in2)) === 0) marks |= LAST_USE_OF_INPUT[1];
      this.ops[to] = op;
      this.marks[to] = marks;
      this.out[to] = slots[OUT_ROW[op]! + wordOut(word)]!;
      this.in1[to] = in1;
      this.in2[to] = in2;
      this.index1[to] = firstIndex(indices[k]!);
      this.index2[to] = secondIndex(indices[k]!);
      this.constants[2 * to] = constants[2 * k]!;
      this.constants[2 * to + 1] = constants[2 * k + 1]!;
      to++;
    }
    if (this.firstOfAllPredict === this.endOfAll) this.firstOfPredict = to;
    if (this.firstOfAllLearn === this.endOfAll) this.firstOfLearn = to;
    this.end = to;
    this.slotCount = this.storeSlots;
  }
}
