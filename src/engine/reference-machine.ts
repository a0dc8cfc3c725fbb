// A program on one task by the rules of ops/semantics.ts: its memory, its instructions with their operands found, and what it is shown of
// the task. The interpreter, fits, records and the playground train with it. Must not know when training ends or what is measured.
import { elements, opById } from '../ops/ops.js';
import { applyOp, type Elements, instructionKey, type Parameters, type Precision, ROUND } from '../ops/semantics.js';
import type { Op, OperandType } from '../ops/types.js';
import { randomOrdinals } from '../program/liveness.js';
import {
  type Address,
  type ForFunctions,
  type FunctionName,
  type Instruction,
  type Program,
  TASK_ADDRESSES,
} from '../program/program.js';
import { deriveKey } from '../util/random.js';
import { type Loss, labelKind } from './engine.js';
import { normalize, trainingError } from './loss.js';

/** What a program is run on; a task says it, too. */
export interface Setting {
  readonly features: number;
  readonly loss: Loss;
  /** Keys the random ops. */
  readonly seed: number;
}

const NOTHING: Elements = new Float64Array(0);
const NO_KEY = deriveKey();

/** An instruction with its operands found. */
interface Bound {
  readonly op: Op;
  readonly a: Elements;
  readonly b: Elements;
  readonly out: Elements;
  readonly parameters: Parameters;
}

/** Finds the elements of operands in a memory. */
type FindOperand = (type: OperandType, address: number) => Elements;

/** Finds the operands of an instruction. */
export function bind(instruction: Instruction, features: number, precision: Precision, find: FindOperand): Bound {
  const op = opById(instruction.op);
  const { index1, index2, const1, const2 } = instruction;
  const operand = (type: OperandType | undefined, address: number) =>
    type === undefined ? NOTHING : find(type, address);
  return {
    op,
    a: operand(op.inputs[0], instruction.in1),
    b: operand(op.inputs[1], instruction.in2),
    out: operand(op.output, instruction.out),
    parameters: { precision, features, index1, index2, const1, const2, key: NO_KEY },
  };
}

export class ReferenceMachine {
  readonly prediction: Elements;
  private readonly program: Program;
  private readonly setting: Setting;
  private readonly precision: Precision;
  private readonly features: Elements;
  private readonly label: Elements;
  private readonly memory = new Map<string, Elements>();
  /** Bound when they are first called: what never runs needs no memory. */
  private readonly bound: Partial<Record<FunctionName, readonly Bound[]>> = {};
  private readonly ordinals: ForFunctions<readonly number[]>;

  constructor(program: Program, setting: Setting, precision: Precision = 'f64') {
    const labels = labelKind(setting.loss);
    this.program = program;
    this.setting = setting;
    this.precision = precision;
    this.ordinals = randomOrdinals(program, labels);
    const { features, label, prediction } = TASK_ADDRESSES[labels];
    this.features = this.at(features);
    this.label = this.at(label);
    this.prediction = this.at(prediction);
  }

  /** The elements at an address, which are zero at first. */
  at({ type, address }: Address): Elements {
    const name = `${type}${address}`;
    const known = this.memory.get(name) ?? new Float64Array(elements(type, this.setting.features));
    this.memory.set(name, known);
    return known;
  }

  /** Runs instruction `k` of a function, and gives what it has written. Setup is step 0; then every example counts. */
  execute(name: FunctionName, k: number, step: number): Elements {
    const { op, a, b, out, parameters } = this.bodyOf(name)[k]!;
    const key = op.random ? instructionKey(this.setting.seed, step, this.ordinals[name][k]!) : NO_KEY;
    applyOp(op, a, b, out, op.random ? { ...parameters, key } : parameters);
    return out;
  }

  call(name: FunctionName, step: number): void {
    for (let k = 0; k < this.program[name].length; k++) this.execute(name, k, step);
  }

  /** What Predict is called with: features and no label. */
  showFeatures(row: Elements): void {
    this.setFeatures(row);
    this.label.fill(0);
  }

  /** What Learn is called with: the features again, since Predict may have changed them, and the label. */
  showLabel(row: Elements, label: number): void {
    this.setFeatures(row);
    this.label.fill(0);
    if (this.setting.loss === 'multiclass') this.label[label] = 1;
    else this.label[0] = ROUND[this.precision](label);
  }

  /** Turns what Predict has left into what Learn sees, and says how far that is from the label. */
  judge(label: number): number {
    const round = ROUND[this.precision];
    const { loss } = this.setting;
    normalize(loss, this.prediction);
    if (this.precision !== 'f64') this.prediction.set(this.prediction.map(round));
    return round(trainingError(loss, round(label), this.prediction));
  }

  private setFeatures(row: Elements): void {
    this.features.set(this.precision === 'f64' ? row : row.map(ROUND[this.precision]));
  }

  private bodyOf(name: FunctionName): readonly Bound[] {
    this.bound[name] ??= this.program[name].map((instruction) =>
      bind(instruction, this.setting.features, this.precision, (type, address) => this.at({ type, address })),
    );
    return this.bound[name];
  }
}
