// Which instructions can reach a prediction: liveness over setup -> (predict, learn)* -> predict*, across calls, because
// memory persists. Every candidate of a search goes through this, so it works on numbers and bits and leaves no garbage. Must not
// run anything.
import { IN1_TYPE, IN2_TYPE, NO_OPERAND, OPERAND_TYPES, OUT_TYPE, OVERWRITES, typeNumber } from '../ops/by-number.js';
import { type Instruction, type LabelKind, type Program, TASK_ADDRESSES } from './program.js';

/** What an analysis says about an instruction, as bits. */
export const LIVE = 1;
/** Nobody reads the value of this input after this instruction. */
export const LAST_USE_OF_INPUT = [2, 4] as const;

/**
 * Slots whose value may still be read, as bits, and elements of them that are certainly set again before that, by
 * `v3[5] = ...`. Equal indices are one element at every feature size; different ones may be too (they wrap), so only
 * equal ones count.
 */
interface LiveSet {
  readonly slots: Int32Array;
  readonly settled: Int32Array;
}

function makeLiveSet(slotWords: number, elementWords: number): LiveSet {
  return { slots: new Int32Array(slotWords), settled: new Int32Array(elementWords) };
}

function grown<T extends Int32Array | Uint8Array>(larger: T, array: T): T {
  larger.set(array);
  return larger;
}

/** Stamps are 32-bit numbers; a long search analyses more programs than there are. */
const LAST_STAMP = 2 ** 31 - 1;

/** The slots with a fixed meaning. */
export const FEATURES_SLOT = 0;
export const LABEL_SLOT = 1;
export const PREDICTION_SLOT = 2;

/** Type and address of each of these. */
const FIXED: { readonly [kind in LabelKind]: Int32Array } = {
  scalar: fixedSlots('scalar'),
  vector: fixedSlots('vector'),
};

function fixedSlots(labels: LabelKind): Int32Array {
  const { features, label, prediction } = TASK_ADDRESSES[labels];
  return Int32Array.from([features, label, prediction].flatMap(({ type, address }) => [typeNumber(type), address]));
}

/**
 * Which instructions of a program are live. Addresses become slots, numbered as they are met, so that sets of them are a few
 * bits. Keeps its memory from program to program: analysing leaves no garbage.
 */
export class LivenessAnalysis {
  /** Bits for each instruction of setup, predict and learn, one after the other. */
  marks = new Uint8Array(64);
  /** The slots of each instruction; -1 where it has none. */
  out = new Int32Array(64);
  in1 = new Int32Array(64);
  in2 = new Int32Array(64);
  /** Of each slot, the number of its type. */
  slotType = new Int32Array(64);
  slotCount = 0;

  /** The slots as bits, for programs with few: of each instruction's output, and of its inputs together. */
  private outBits = new Int32Array(64);
  private inBits = new Int32Array(64);

  /** By address and type: the slot, if its stamp is that of this program. */
  private slotOf = new Int32Array(96);
  private stampOf = new Int32Array(96);
  private stamp = 0;

  private elementCount = 0;
  /** Of each element that is set somewhere: its slot and indices. */
  private elementSlot = new Int32Array(16);
  private elementIndex1 = new Int32Array(16);
  private elementIndex2 = new Int32Array(16);
  /** The elements of a slot: the first, and of each the next, or -1. */
  private firstElement = new Int32Array(64);
  private nextElement = new Int32Array(16);
  /** Of each instruction: the element that it sets, or -1. */
  private element = new Int32Array(64);

  private atPredict = makeLiveSet(2, 1);
  private atLearn = makeLiveSet(2, 1);
  private afterPredict = makeLiveSet(2, 1);
  private work = makeLiveSet(2, 1);
  private slotWords = 1;
  private elementWords = 1;

  run({ setup, predict, learn }: Program, labels: LabelKind): void {
    const firstOfLearn = setup.length + predict.length;
    const end = firstOfLearn + learn.length;
    this.begin(end, labels);
    this.collect(setup, 0);
    this.collect(predict, setup.length);
    this.collect(learn, firstOfLearn);
    if (this.slotCount <= 32 && this.elementCount === 0) this.analyseBits(setup.length, firstOfLearn, end);
    else this.analyseSets(setup.length, firstOfLearn, end);
  }

  // --- Few addresses, no elements: nearly every program. A live set is one number. ---

  private analyseBits(firstOfPredict: number, firstOfLearn: number, end: number): void {
    /** Without what the evaluation sets between the functions: the features, and the label (to zero, for Predict). */
    const others = ~((1 << FEATURES_SLOT) | (1 << LABEL_SLOT));
    let atPredict = 0;
    let atLearn = 0;
    let afterPredict = 0;
    // Live sets only grow, so this ends. The evaluation may go from Predict to Learn or to the next Predict.
    for (;;) {
      afterPredict = ((atPredict | atLearn) & others) | (1 << PREDICTION_SLOT);
      const predict = this.backwardBits(afterPredict, firstOfPredict, firstOfLearn);
      const learn = this.backwardBits(predict & others, firstOfLearn, end);
      const isSettled = predict === atPredict && learn === atLearn;
      atPredict = predict;
      atLearn = learn;
      if (isSettled) break;
    }
    this.markBits(afterPredict, firstOfPredict, firstOfLearn);
    this.markBits(atPredict & others, 0, firstOfPredict);
    this.markBits(atPredict & others, firstOfLearn, end);
  }

  /** From what is live after instructions to what is live before them. */
  private backwardBits(after: number, first: number, end: number): number {
    const { outBits, inBits } = this;
    let live = after;
    for (let k = end - 1; k >= first; k--) {
      if ((live & outBits[k]!) !== 0) live = (live & ~outBits[k]!) | inBits[k]!;
    }
    return live;
  }

  private markBits(after: number, first: number, end: number): void {
    const { outBits, inBits, in1, in2, marks } = this;
    let live = after;
    for (let k = end - 1; k >= first; k--) {
      if ((live & outBits[k]!) === 0) {
        marks[k] = 0;
        continue;
      }
      live &= ~outBits[k]!;
      const isLast1 = in1[k] !== NO_OPERAND && (live & (1 << in1[k]!)) === 0;
      const isLast2 = in2[k] !== NO_OPERAND && (live & (1 << in2[k]!)) === 0;
      marks[k] = LIVE | (isLast1 ? LAST_USE_OF_INPUT[0] : 0) | (isLast2 ? LAST_USE_OF_INPUT[1] : 0);
      live |= inBits[k]!;
    }
  }

  // --- Any program: live sets are arrays of bits, and elements count. ---

  private analyseSets(firstOfPredict: number, firstOfLearn: number, end: number): void {
    this.clearLiveSets();
    for (;;) {
      this.findAfterPredict();
      this.copy(this.afterPredict, this.work);
      this.backward(firstOfPredict, firstOfLearn);
      const predictSettled = this.replace(this.atPredict, this.work);
      this.setInputs(this.work);
      this.backward(firstOfLearn, end);
      const learnSettled = this.replace(this.atLearn, this.work);
      if (predictSettled && learnSettled) break;
    }
    this.marks.fill(0, 0, end);
    this.copy(this.afterPredict, this.work);
    this.backward(firstOfPredict, firstOfLearn);
    this.copy(this.atPredict, this.work);
    this.setInputs(this.work);
    this.backward(0, firstOfPredict);
    this.copy(this.atPredict, this.work);
    this.setInputs(this.work);
    this.backward(firstOfLearn, end);
  }

  // --- Slots and elements ---

  private begin(instructions: number, labels: LabelKind): void {
    if (this.marks.length < instructions) {
      const size = 2 * instructions;
      this.marks = new Uint8Array(size);
      this.out = new Int32Array(size);
      this.in1 = new Int32Array(size);
      this.in2 = new Int32Array(size);
      this.element = new Int32Array(size);
      this.outBits = new Int32Array(size);
      this.inBits = new Int32Array(size);
    }
    if (++this.stamp === LAST_STAMP) {
      this.stampOf.fill(0);
      this.stamp = 1;
    }
    this.slotCount = 0;
    this.elementCount = 0;
    const fixed = FIXED[labels];
    for (let k = 0; k < fixed.length; k += 2) this.slot(fixed[k]!, fixed[k + 1]!);
  }

  /** The slot of an address; the next number when it is first met. */
  private slot(type: number, address: number): number {
    const key = address * OPERAND_TYPES.length + type;
    if (key >= this.stampOf.length) {
      this.stampOf = grown(new Int32Array(2 * key), this.stampOf);
      this.slotOf = grown(new Int32Array(2 * key), this.slotOf);
    }
    if (this.stampOf[key] === this.stamp) return this.slotOf[key]!;
    const slot = this.slotCount++;
    this.stampOf[key] = this.stamp;
    this.slotOf[key] = slot;
    if (slot === this.slotType.length) {
      this.slotType = grown(new Int32Array(2 * slot), this.slotType);
      this.firstElement = grown(new Int32Array(2 * slot), this.firstElement);
    }
    this.slotType[slot] = type;
    this.firstElement[slot] = NO_OPERAND;
    return slot;
  }

  /** Finds the slots and elements of instructions, the first of which has the number `first`. */
  private collect(body: readonly Instruction[], first: number): void {
    const { out, in1, in2, outBits, inBits, element } = this;
    for (let k = 0; k < body.length; k++) {
      const instruction = body[k]!;
      const { op } = instruction;
      const output = OUT_TYPE[op]!;
      const input1 = IN1_TYPE[op]!;
      const input2 = IN2_TYPE[op]!;
      const target = output === NO_OPERAND ? NO_OPERAND : this.slot(output, instruction.out);
      const source1 = input1 === NO_OPERAND ? NO_OPERAND : this.slot(input1, instruction.in1);
      const source2 = input2 === NO_OPERAND ? NO_OPERAND : this.slot(input2, instruction.in2);
      out[first + k] = target;
      in1[first + k] = source1;
      in2[first + k] = source2;
      outBits[first + k] = bitOf(target);
      inBits[first + k] = bitOf(source1) | bitOf(source2);
      const setsElement = target !== NO_OPERAND && OVERWRITES[op] === 0;
      const { index1, index2 } = instruction;
      element[first + k] = setsElement ? this.elementNumber(target, index1, index2) : NO_OPERAND;
    }
  }

  private elementNumber(slot: number, index1: number, index2: number): number {
    for (let e = this.firstElement[slot]!; e >= 0; e = this.nextElement[e]!) {
      if (this.elementIndex1[e] === index1 && this.elementIndex2[e] === index2) return e;
    }
    const number = this.elementCount++;
    if (number === this.elementSlot.length) {
      this.elementSlot = grown(new Int32Array(2 * number), this.elementSlot);
      this.elementIndex1 = grown(new Int32Array(2 * number), this.elementIndex1);
      this.elementIndex2 = grown(new Int32Array(2 * number), this.elementIndex2);
      this.nextElement = grown(new Int32Array(2 * number), this.nextElement);
    }
    this.elementSlot[number] = slot;
    this.elementIndex1[number] = index1;
    this.elementIndex2[number] = index2;
    this.nextElement[number] = this.firstElement[slot]!;
    this.firstElement[slot] = number;
    return number;
  }

  private clearLiveSets(): void {
    this.slotWords = (this.slotCount + 31) >> 5;
    this.elementWords = (this.elementCount + 31) >> 5;
    const { slots, settled } = this.work;
    if (slots.length < this.slotWords || settled.length < this.elementWords) {
      const make = () => makeLiveSet(2 * this.slotWords, 2 * this.elementWords);
      this.atPredict = make();
      this.atLearn = make();
      this.afterPredict = make();
      this.work = make();
    }
    for (let w = 0; w < this.slotWords; w++) this.atPredict.slots[w] = this.atLearn.slots[w] = 0;
  }

  private copy(from: LiveSet, to: LiveSet): void {
    for (let w = 0; w < this.slotWords; w++) to.slots[w] = from.slots[w]!;
    for (let w = 0; w < this.elementWords; w++) to.settled[w] = from.settled[w]!;
  }

  /** Copies, and says whether there was no difference. */
  private replace(to: LiveSet, from: LiveSet): boolean {
    let difference = 0;
    for (let w = 0; w < this.slotWords; w++) difference |= to.slots[w]! ^ from.slots[w]!;
    for (let e = 0; e < this.elementCount; e++) {
      // Of slots that are not live the elements mean nothing.
      if (hasBit(from.slots, this.elementSlot[e]!)) {
        difference |= Number(hasBit(to.settled, e)) ^ Number(hasBit(from.settled, e));
      }
    }
    this.copy(from, to);
    return difference === 0;
  }

  /** Going backwards over the moment when the evaluation sets features and label. */
  private setInputs({ slots }: LiveSet): void {
    slots[0]! &= ~((1 << FEATURES_SLOT) | (1 << LABEL_SLOT));
  }

  /** What is live before the next Predict or before Learn: an element is surely set again only if it is on both ways. */
  private findAfterPredict(): void {
    const { atPredict, atLearn, afterPredict } = this;
    for (let w = 0; w < this.slotWords; w++) afterPredict.slots[w] = atPredict.slots[w]! | atLearn.slots[w]!;
    for (let e = 0; e < this.elementCount; e++) {
      const slot = this.elementSlot[e]!;
      const onPredict = !hasBit(atPredict.slots, slot) || hasBit(atPredict.settled, e);
      const onLearn = !hasBit(atLearn.slots, slot) || hasBit(atLearn.settled, e);
      if (onPredict && onLearn) setBit(afterPredict.settled, e);
      else clearBit(afterPredict.settled, e);
    }
    this.setInputs(afterPredict);
    this.read(afterPredict, PREDICTION_SLOT);
  }

  private read({ slots, settled }: LiveSet, slot: number): void {
    setBit(slots, slot);
    for (let e = this.firstElement[slot]!; e >= 0; e = this.nextElement[e]!) clearBit(settled, e);
  }

  /** Goes backwards over instructions from what is live after them, in `work`, to what is live before, and marks them. */
  private backward(first: number, end: number): void {
    const { work, marks, out, in1, in2, element } = this;
    const { slots, settled } = work;
    for (let k = end - 1; k >= first; k--) {
      const target = out[k]!;
      if (target === NO_OPERAND || !hasBit(slots, target)) continue;
      const set = element[k]!;
      if (set === NO_OPERAND) {
        clearBit(slots, target);
      } else {
        if (hasBit(settled, set)) continue;
        setBit(settled, set);
      }
      const input1 = in1[k]!;
      const input2 = in2[k]!;
      let bits = LIVE;
      if (input1 !== NO_OPERAND && !hasBit(slots, input1)) bits |= LAST_USE_OF_INPUT[0];
      if (input2 !== NO_OPERAND && !hasBit(slots, input2)) bits |= LAST_USE_OF_INPUT[1];
      marks[k] = bits;
      if (input1 !== NO_OPERAND) this.read(work, input1);
      if (input2 !== NO_OPERAND) this.read(work, input2);
    }
  }
}

function bitOf(slot: number): number {
  return slot === NO_OPERAND ? 0 : 1 << slot;
}

function hasBit(words: Int32Array, k: number): boolean {
  return (words[k >> 5]! & (1 << k)) !== 0;
}

function setBit(words: Int32Array, k: number): void {
  words[k >> 5]! |= 1 << k;
}

function clearBit(words: Int32Array, k: number): void {
  words[k >> 5]! &= ~(1 << k);
}
