// Trains a program on examples and predicts with what it has learned, by the rules of ops/semantics.ts: the same numbers as every
// engine, but what was learned can be kept. Must not know tables or files.
import { type Examples, type Loss, labelKind, MAX_ERROR } from '../../engine/engine.js';
import { ReferenceMachine, type Setting } from '../../engine/reference-machine.js';
import { elements, opById } from '../../ops/ops.js';
import { type Address, type Instruction, type Program, TASK_ADDRESSES } from '../../program/program.js';

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

/** Trains on every example once, in their order. Nothing if an error above 100 or NaN ended it, as in every engine. */
export function trainProgram(program: Program, setting: Setting, examples: Examples): Trained | undefined {
  const { features: F, loss } = setting;
  const machine = new ReferenceMachine(program, setting);
  machine.call('setup', 0);
  for (let k = 0; k < examples.count; k++) {
    const row = examples.features.subarray(k * F, (k + 1) * F);
    const label = examples.labels[k]!;
    machine.showFeatures(row);
    machine.call('predict', k + 1);
    if (!(machine.judge(label) <= MAX_ERROR)) return undefined;
    machine.showLabel(row, label);
    machine.call('learn', k + 1);
  }
  const memory = readsBeforeWriting(program, loss).map((address) => ({
    ...address,
    values: machine.at(address).slice(),
  }));
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
  const machine = new ReferenceMachine(program, setting);
  const carried = memory.map(({ values, ...address }) => ({ values, place: machine.at(address) }));
  for (const { place, values } of carried) place.set(values);
  const written = new Set(program.predict.flatMap((each) => outputOf(each) ?? []).map(nameOf));
  const changed = carried.filter((_, k) => written.has(nameOf(memory[k]!)));
  return (row) => {
    for (const { place, values } of changed) place.set(values);
    machine.showFeatures(row);
    machine.call('predict', step);
    return machine.prediction;
  };
}
