// Trains a program on examples and predicts with what it has learned, by the rules of ops/semantics.ts: the same numbers as every
// engine, but what was learned can be kept. Must not know tables or files.
import { type Examples, type Loss, labelKind, MAX_ERROR } from '../../engine/engine.js';
import type { Bound } from '../../engine/interpreter.js';
import { normalize, trainingError } from '../../engine/loss.js';
import { elements, isOuter, opById } from '../../ops/ops.js';
import { applyOp, type Elements, instructionKey } from '../../ops/semantics.js';
import { randomOrdinals } from '../../program/liveness.js';
import {
  type Address,
  type FunctionName,
  type Instruction,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import { deriveKey } from '../../util/random.js';

/** What a program is run on. */
export interface Setting {
  readonly features: number;
  readonly loss: Loss;
  /** Keys the random ops. */
  readonly seed: number;
}

export interface MemoryValue extends Address {
  readonly values: Float64Array;
}

/** What is needed to predict after training. */
export interface Trained {
  /** What Predict reads before it writes it. */
  readonly memory: readonly MemoryValue[];
  /** The number of the next example, which keys the random ops of Predict. */
  readonly step: number;
}

const NOTHING: Elements = new Float64Array(0);
const NO_KEY = deriveKey();

function nameOf({ type, address }: Address): string {
  return `${type}${address}`;
}

function inputsOf({ op, in1, in2 }: Instruction): Address[] {
  return opById(op).inputs.map((type, k) => ({ type, address: k === 0 ? in1 : in2 }));
}

function outputOf({ op, out }: Instruction): Address | undefined {
  const { output } = opById(op);
  return output && { type: output, address: out };
}

/** What Predict reads before it writes it, and so takes over from what was learned. Features and label are not among these. */
export function readsBeforeWriting({ predict }: Program, loss: Loss): Address[] {
  const { features, label, prediction } = TASK_ADDRESSES[labelKind(loss)];
  const written = new Set([features, label].map(nameOf));
  const carried = new Map<string, Address>();
  const read = (address: Address) => {
    if (!written.has(nameOf(address))) carried.set(nameOf(address), address);
  };
  for (const instruction of predict) {
    const output = outputOf(instruction);
    for (const input of inputsOf(instruction)) read(input);
    if (output === undefined) continue;
    // One element changes, the others stay.
    if (!opById(instruction.op).overwrites) read(output);
    written.add(nameOf(output));
  }
  read(prediction);
  return [...carried.values()];
}

/** Numbers in all operands of Predict. */
export function predictSize({ predict }: Program, features: number): number {
  const used = predict.flatMap((each) => [...inputsOf(each), outputOf(each) ?? []].flat());
  const types = new Map(used.map((address) => [nameOf(address), address.type]));
  return [...types.values()].reduce((total, type) => total + elements(type, features), 0);
}

/** What applyOp does, without a sum of one term for each element: otherwise most of the time of a network's training. */
function multiplyOuter(a: Elements, b: Elements, out: Elements): void {
  for (let i = 0, at = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) out[at++] = a[i]! * b[j]!;
}

/** A program with a memory of its own, in which an operand is there once it is asked for. */
interface Machine {
  readonly at: (address: Address) => Elements;
  readonly call: (name: FunctionName, step: number) => void;
}

function makeMachine(program: Program, { features, loss, seed }: Setting, names: readonly FunctionName[]): Machine {
  const memory = new Map<string, Elements>();
  const at = (address: Address): Elements => {
    const known = memory.get(nameOf(address)) ?? new Float64Array(elements(address.type, features));
    memory.set(nameOf(address), known);
    return known;
  };
  const ordinals = randomOrdinals(program, labelKind(loss));
  const bind = (name: FunctionName, instruction: Instruction, k: number): Bound => {
    const [a, b] = inputsOf(instruction).map(at);
    const output = outputOf(instruction);
    const { index1, index2, const1, const2 } = instruction;
    return {
      op: opById(instruction.op),
      a: a ?? NOTHING,
      b: b ?? NOTHING,
      out: output === undefined ? NOTHING : at(output),
      parameters: { precision: 'f64', features, index1, index2, const1, const2, key: NO_KEY },
      ordinal: ordinals[name][k]!,
    };
  };
  const bound = new Map(names.map((name) => [name, program[name].map((each, k) => bind(name, each, k))]));
  const call = (name: FunctionName, step: number) => {
    for (const { op, a, b, out, parameters, ordinal } of bound.get(name)!) {
      const keyed = op.random ? { ...parameters, key: instructionKey(seed, step, ordinal) } : parameters;
      if (isOuter(op)) multiplyOuter(a, b, out);
      else applyOp(op, a, b, out, keyed);
    }
  };
  return { at, call };
}

/** Trains on every example once, in their order. Nothing if an error above 100 or NaN ended it, as in every engine. */
export function trainProgram(program: Program, setting: Setting, examples: Examples): Trained | undefined {
  const { features: F, loss } = setting;
  const { at, call } = makeMachine(program, setting, ['setup', 'predict', 'learn']);
  const addresses = TASK_ADDRESSES[labelKind(loss)];
  const [features, label, prediction] = [addresses.features, addresses.label, addresses.prediction].map(at) as [
    Elements,
    Elements,
    Elements,
  ];
  call('setup', 0);
  for (let k = 0; k < examples.count; k++) {
    const row = examples.features.subarray(k * F, (k + 1) * F);
    const wanted = examples.labels[k]!;
    features.set(row);
    label.fill(0);
    call('predict', k + 1);
    normalize(loss, prediction);
    if (!(trainingError(loss, wanted, prediction) <= MAX_ERROR)) return undefined;
    features.set(row);
    label.fill(0);
    label[loss === 'multiclass' ? wanted : 0] = loss === 'multiclass' ? 1 : wanted;
    call('learn', k + 1);
  }
  const memory = readsBeforeWriting(program, loss).map((address) => ({ ...address, values: at(address).slice() }));
  return { memory, step: examples.count + 1 };
}

/**
 * Predicts for one row after the other, each from the same memory and at the same step, as if it were the first after training: so
 * that neither the order of the rows nor what else is asked changes an answer. Gives what Predict leaves, before any normalization;
 * it is overwritten by the next.
 */
export function makePredictor(
  program: Program,
  setting: Setting,
  { memory, step }: Trained,
): (row: Float64Array) => Float64Array {
  const { at, call } = makeMachine(program, setting, ['predict']);
  const addresses = TASK_ADDRESSES[labelKind(setting.loss)];
  const [features, label, prediction] = [addresses.features, addresses.label, addresses.prediction].map(at) as [
    Elements,
    Elements,
    Elements,
  ];
  const carried = memory.map(({ values, ...address }) => ({ values, place: at(address) }));
  for (const { place, values } of carried) place.set(values);
  const written = new Set(program.predict.flatMap((each) => outputOf(each) ?? []).map(nameOf));
  const changed = carried.filter((_, k) => written.has(nameOf(memory[k]!)));
  return (row) => {
    for (const { place, values } of changed) place.set(values);
    features.set(row);
    label.fill(0);
    call('predict', step);
    return prediction;
  };
}
