// Which instructions can reach a prediction: liveness over setup -> (predict, learn)* -> predict*, across calls, because
// memory persists. `simplify` removes the others (paper, supplement "Interpreting Algorithms", a). Must not run anything.
import { OPS, opById } from '../ops/ops.js';
import type { OperandType } from '../ops/types.js';
import {
  type Address,
  type ForFunctions,
  forFunctions,
  type Instruction,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from './program.js';

export type Liveness = ForFunctions<readonly boolean[]>;

/** What an analysis says about an instruction, as bits. */
export const LIVE = 1;
/** Nobody reads the value of this input after this instruction. */
export const LAST_USE_OF_INPUT = [2, 4] as const;

const TYPE_CODE: { readonly [type in OperandType]: number } = { s: 0, v: 1, m: 2 };
const NO_OPERAND = -1;
const code = (type: OperandType | undefined) => (type === undefined ? NO_OPERAND : TYPE_CODE[type]);

// By op number, for speed: every candidate of a search is analysed.
const OUTPUT = Int8Array.from(OPS, (op) => code(op.output));
const INPUT_1 = Int8Array.from(OPS, (op) => code(op.inputs[0]));
const INPUT_2 = Int8Array.from(OPS, (op) => code(op.inputs[1]));
const OVERWRITES = Uint8Array.from(OPS, (op) => Number(op.overwrites));

/** One number per address. */
function slotOf({ type, address }: Address): number {
  return address * 3 + TYPE_CODE[type];
}

/**
 * The addresses whose value may still be read, by slot, and the elements of them that are certainly set again before that,
 * by `v3[5] = ...`. Equal indices are one element at every feature size; different ones may be too (they wrap), so only
 * equal ones count.
 */
interface LiveSet {
  readonly slots: Uint8Array;
  readonly settled: Uint8Array;
}

/** Which instructions of a program are live. Keeps its memory from program to program, so that it leaves no garbage. */
export class LivenessAnalysis {
  /** Bits for each instruction of setup, predict and learn, one after the other. */
  marks = new Uint8Array(64);

  private slotCount = 0;
  private elementCount = 0;
  /** For each element that is set somewhere: its slot and indices. */
  private elementSlot = new Int32Array(16);
  private elementIndex1 = new Int32Array(16);
  private elementIndex2 = new Int32Array(16);
  /** For each instruction that sets an element: which. */
  private elementOf = new Int32Array(64);

  private atPredict = makeLiveSet(0, 0);
  private atLearn = makeLiveSet(0, 0);
  private afterPredict = makeLiveSet(0, 0);
  private work = makeLiveSet(0, 0);

  run({ setup, predict, learn }: Program, labels: LabelKind): void {
    const { features, label, prediction } = TASK_ADDRESSES[labels];
    const [featuresSlot, labelSlot] = [slotOf(features), slotOf(label)];
    const predictionSlot = slotOf(prediction);
    const firstOfLearn = setup.length + predict.length;
    this.begin(firstOfLearn + learn.length, Math.max(featuresSlot, labelSlot, predictionSlot));
    this.collect(setup, 0);
    this.collect(predict, setup.length);
    this.collect(learn, firstOfLearn);
    this.sizeLiveSets();

    // What is live before the evaluation sets features and label (the latter to zero, for Predict). Live sets only grow, so
    // this ends; the evaluation may go from Predict to Learn or to the next Predict.
    for (;;) {
      this.findAfterPredict(featuresSlot, labelSlot, predictionSlot);
      this.copy(this.afterPredict, this.work);
      this.backward(predict, setup.length, false);
      let settled = this.replace(this.atPredict, this.work);
      this.work.slots[featuresSlot] = 0;
      this.work.slots[labelSlot] = 0;
      this.backward(learn, firstOfLearn, false);
      settled = this.replace(this.atLearn, this.work) && settled;
      if (settled) break;
    }
    this.marks.fill(0, 0, firstOfLearn + learn.length);
    this.copy(this.afterPredict, this.work);
    this.backward(predict, setup.length, true);
    for (const [body, first] of [
      [setup, 0],
      [learn, firstOfLearn],
    ] as const) {
      this.copy(this.atPredict, this.work);
      this.work.slots[featuresSlot] = 0;
      this.work.slots[labelSlot] = 0;
      this.backward(body, first, true);
    }
  }

  private begin(instructions: number, largestSlot: number): void {
    this.slotCount = largestSlot + 1;
    this.elementCount = 0;
    if (this.marks.length < instructions) {
      this.marks = new Uint8Array(2 * instructions);
      this.elementOf = new Int32Array(2 * instructions);
    }
  }

  /** Finds the largest slot, and numbers the elements that are set. */
  private collect(body: readonly Instruction[], first: number): void {
    for (let k = 0; k < body.length; k++) {
      const { op, in1, in2, out, index1, index2 } = body[k]!;
      const output = OUTPUT[op]!;
      if (output === NO_OPERAND) continue;
      const target = out * 3 + output;
      this.slotCount = Math.max(this.slotCount, target + 1);
      if (INPUT_1[op]! !== NO_OPERAND) this.slotCount = Math.max(this.slotCount, in1 * 3 + INPUT_1[op]! + 1);
      if (INPUT_2[op]! !== NO_OPERAND) this.slotCount = Math.max(this.slotCount, in2 * 3 + INPUT_2[op]! + 1);
      if (!OVERWRITES[op]) this.elementOf[first + k] = this.elementNumber(target, index1, index2);
    }
  }

  private elementNumber(slot: number, index1: number, index2: number): number {
    const { elementSlot, elementIndex1, elementIndex2 } = this;
    for (let k = 0; k < this.elementCount; k++) {
      if (elementSlot[k] === slot && elementIndex1[k] === index1 && elementIndex2[k] === index2) return k;
    }
    if (this.elementCount === elementSlot.length) {
      const grown = (array: Int32Array) => {
        const larger = new Int32Array(2 * array.length);
        larger.set(array);
        return larger;
      };
      this.elementSlot = grown(elementSlot);
      this.elementIndex1 = grown(elementIndex1);
      this.elementIndex2 = grown(elementIndex2);
    }
    this.elementSlot[this.elementCount] = slot;
    this.elementIndex1[this.elementCount] = index1;
    this.elementIndex2[this.elementCount] = index2;
    return this.elementCount++;
  }

  private sizeLiveSets(): void {
    const { slots, settled } = this.work;
    if (slots.length < this.slotCount || settled.length < this.elementCount) {
      const make = () => makeLiveSet(2 * this.slotCount, 2 * this.elementCount);
      this.atPredict = make();
      this.atLearn = make();
      this.afterPredict = make();
      this.work = make();
    } else {
      this.atPredict.slots.fill(0, 0, this.slotCount);
      this.atLearn.slots.fill(0, 0, this.slotCount);
    }
  }

  private copy(from: LiveSet, to: LiveSet): void {
    for (let s = 0; s < this.slotCount; s++) to.slots[s] = from.slots[s]!;
    for (let e = 0; e < this.elementCount; e++) to.settled[e] = from.settled[e]!;
  }

  /** Copies, and says whether there was no difference. */
  private replace(to: LiveSet, from: LiveSet): boolean {
    let same = true;
    for (let s = 0; s < this.slotCount; s++) {
      if (to.slots[s] !== from.slots[s]) same = false;
      to.slots[s] = from.slots[s]!;
    }
    for (let e = 0; e < this.elementCount; e++) {
      const isLive = from.slots[this.elementSlot[e]!] === 1;
      if (isLive && to.settled[e] !== from.settled[e]) same = false;
      to.settled[e] = from.settled[e]!;
    }
    return same;
  }

  /** What is live before the next Predict or before Learn: an element is surely set again only if it is on both ways. */
  private findAfterPredict(featuresSlot: number, labelSlot: number, predictionSlot: number): void {
    const { atPredict, atLearn, afterPredict } = this;
    for (let e = 0; e < this.elementCount; e++) {
      const slot = this.elementSlot[e]!;
      const onPredict = atPredict.slots[slot] === 0 || atPredict.settled[e] === 1;
      const onLearn = atLearn.slots[slot] === 0 || atLearn.settled[e] === 1;
      afterPredict.settled[e] = onPredict && onLearn ? 1 : 0;
    }
    for (let s = 0; s < this.slotCount; s++) afterPredict.slots[s] = atPredict.slots[s]! | atLearn.slots[s]!;
    afterPredict.slots[featuresSlot] = 0;
    afterPredict.slots[labelSlot] = 0;
    this.read(afterPredict, predictionSlot);
  }

  private read({ slots, settled }: LiveSet, slot: number): void {
    slots[slot] = 1;
    for (let e = 0; e < this.elementCount; e++) if (this.elementSlot[e] === slot) settled[e] = 0;
  }

  /** Goes backwards over a function from what is live after it, in `work`, to what is live before it. */
  private backward(body: readonly Instruction[], first: number, mark: boolean): void {
    const { work, marks, elementOf } = this;
    const { slots, settled } = work;
    for (let k = body.length - 1; k >= 0; k--) {
      const { op, in1, in2, out } = body[k]!;
      const output = OUTPUT[op]!;
      if (output === NO_OPERAND) continue;
      const target = out * 3 + output;
      if (slots[target] === 0) continue;
      if (OVERWRITES[op]) {
        slots[target] = 0;
      } else {
        const element = elementOf[first + k]!;
        if (settled[element] === 1) continue;
        settled[element] = 1;
      }
      let bits = LIVE;
      const input1 = INPUT_1[op]!;
      const input2 = INPUT_2[op]!;
      if (input1 !== NO_OPERAND && slots[in1 * 3 + input1] === 0) bits |= LAST_USE_OF_INPUT[0];
      if (input2 !== NO_OPERAND && slots[in2 * 3 + input2] === 0) bits |= LAST_USE_OF_INPUT[1];
      if (mark) marks[first + k] = bits;
      if (input1 !== NO_OPERAND) this.read(work, in1 * 3 + input1);
      if (input2 !== NO_OPERAND) this.read(work, in2 * 3 + input2);
    }
  }
}

function makeLiveSet(slots: number, elements: number): LiveSet {
  return { slots: new Uint8Array(slots), settled: new Uint8Array(elements) };
}

const analysis = new LivenessAnalysis();

export function liveness(program: Program, labels: LabelKind = 'scalar'): Liveness {
  analysis.run(program, labels);
  const first = { setup: 0, predict: program.setup.length, learn: program.setup.length + program.predict.length };
  return forFunctions((name) =>
    Array.from(analysis.marks.subarray(first[name], first[name] + program[name].length), (bits) => bits !== 0),
  );
}

/** The program without the instructions that cannot reach a prediction. */
export function simplify(program: Program, labels: LabelKind = 'scalar'): Program {
  const live = liveness(program, labels);
  return forFunctions((name) => program[name].filter((_, k) => live[name][k]));
}

/** Beyond any ordinal of a live instruction. */
const FIRST_DEAD_ORDINAL = 2 ** 31;

/**
 * For each instruction, the number that keys its random draws: live random instructions are counted in the order setup,
 * predict, learn, so that a program and its simplified form draw the same numbers; dead ones get numbers of their own.
 */
export function randomOrdinals(program: Program, labels: LabelKind): ForFunctions<readonly number[]> {
  const live = liveness(program, labels);
  let nextLive = 0;
  let nextDead = FIRST_DEAD_ORDINAL;
  return forFunctions((name) =>
    program[name].map(({ op }, k) => (opById(op).random ? (live[name][k] ? nextLive++ : nextDead++) : 0)),
  );
}
