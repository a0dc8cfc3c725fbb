// Which instructions can reach a prediction: liveness over setup -> (predict, learn)* -> predict*, across calls, because
// memory persists. `simplify` removes the others (paper, supplement "Interpreting Algorithms", a). Must not run anything.
import { opById } from '../ops/ops.js';
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

const TYPE_CODE: { readonly [type in OperandType]: number } = { s: 0, v: 1, m: 2 };

/** One number per address. */
function slot(type: OperandType, address: number): number {
  return address * 3 + TYPE_CODE[type];
}

function slotOf({ type, address }: Address): number {
  return slot(type, address);
}

/**
 * The addresses whose value may still be read: slot -> elements of it that are certainly set again before that, by
 * `v3[5] = ...`. Equal indices are one element at every feature size; different ones may be too (they wrap), so only
 * equal ones count.
 */
class LiveSet {
  private readonly slots = new Map<number, Set<string>>();

  copy(): LiveSet {
    const copy = new LiveSet();
    for (const [s, elements] of this.slots) copy.slots.set(s, new Set(elements));
    return copy;
  }

  read(s: number): void {
    this.slots.set(s, new Set());
  }

  overwrite(s: number): void {
    this.slots.delete(s);
  }

  isLive(s: number): boolean {
    return this.slots.has(s);
  }

  isElementLive(s: number, element: string): boolean {
    return this.slots.get(s)?.has(element) === false;
  }

  overwriteElement(s: number, element: string): void {
    this.slots.get(s)?.add(element);
  }

  /** Adds what is live on another path: an element is surely set again only if it is on both. */
  join(other: LiveSet): void {
    for (const [s, theirs] of other.slots) {
      const ours = this.slots.get(s);
      this.slots.set(s, new Set(ours === undefined ? theirs : [...ours].filter((element) => theirs.has(element))));
    }
  }

  equals(other: LiveSet): boolean {
    if (this.slots.size !== other.slots.size) return false;
    for (const [s, ours] of this.slots) {
      if (other.slots.get(s)?.size !== ours.size) return false;
    }
    return true;
  }
}

/** Goes backwards over a function from what is live after it to what is live before it, marking live instructions. */
function backward(instructions: readonly Instruction[], after: LiveSet, marks?: boolean[]): LiveSet {
  const live = after.copy();
  for (let k = instructions.length - 1; k >= 0; k--) {
    const { op: id, in1, in2, out, index1, index2 } = instructions[k]!;
    const op = opById(id);
    if (op.output === undefined) continue;
    const target = slot(op.output, out);
    const element = `${index1},${index2}`;
    if (op.overwrites ? !live.isLive(target) : !live.isElementLive(target, element)) continue;
    if (marks !== undefined) marks[k] = true;
    if (op.overwrites) live.overwrite(target);
    else live.overwriteElement(target, element);
    if (op.inputs[0] !== undefined) live.read(slot(op.inputs[0], in1));
    if (op.inputs[1] !== undefined) live.read(slot(op.inputs[1], in2));
  }
  return live;
}

export function liveness(program: Program, labels: LabelKind = 'scalar'): Liveness {
  const { features, label, prediction } = TASK_ADDRESSES[labels];
  /** What is live before the evaluation sets features and label (the latter to zero, for Predict). */
  const beforeInputs = (live: LiveSet): LiveSet => {
    const before = live.copy();
    before.overwrite(slotOf(features));
    before.overwrite(slotOf(label));
    return before;
  };
  let atPredict = new LiveSet();
  let atLearn = new LiveSet();
  let afterPredict: LiveSet;
  // Live sets only grow, so this ends; the evaluation may go from Predict to Learn or to the next Predict.
  for (;;) {
    afterPredict = beforeInputs(atPredict);
    afterPredict.join(beforeInputs(atLearn));
    afterPredict.read(slotOf(prediction));
    const nextPredict = backward(program.predict, afterPredict);
    const nextLearn = backward(program.learn, beforeInputs(nextPredict));
    const settled = nextPredict.equals(atPredict) && nextLearn.equals(atLearn);
    atPredict = nextPredict;
    atLearn = nextLearn;
    if (settled) break;
  }
  const result = forFunctions((name) => new Array<boolean>(program[name].length).fill(false));
  backward(program.setup, beforeInputs(atPredict), result.setup);
  backward(program.predict, afterPredict, result.predict);
  backward(program.learn, beforeInputs(atPredict), result.learn);
  return result;
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
