// Which addresses hold a value when a function of a program ends that is still read afterwards: these become fields of an
// exported class, all others local variables. Must not know languages.
import { opById } from '../../ops/ops.js';
import {
  type ForFunctions,
  forFunctions,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';

type Keys = ReadonlySet<string>;

export interface CarriedValues {
  /** What is read, in the function or later, before it is replaced. */
  readonly atStart: ForFunctions<Keys>;
  /** What is read after the function. The prediction is, after Predict. */
  readonly atEnd: ForFunctions<Keys>;
}

function union(...sets: readonly Keys[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function without(set: Keys, ...others: readonly Keys[]): Set<string> {
  return new Set([...set].filter((key) => !others.some((other) => other.has(key))));
}

/** What a function reads before it replaces it, and what it replaces. Setting one element keeps the others: it reads. */
function readAndReplaced(instructions: Program['setup']): { read: Keys; replaced: Keys } {
  const read = new Set<string>();
  const replaced = new Set<string>();
  for (const { op: id, in1, in2, out } of instructions) {
    const op = opById(id);
    const keys = op.inputs.map((type, k) => type + [in1, in2][k]!);
    if (op.output !== undefined && !op.overwrites) keys.push(op.output + out);
    for (const key of keys) if (!replaced.has(key)) read.add(key);
    if (op.overwrites) replaced.add(op.output! + out);
  }
  return { read, replaced };
}

/** Any run: Setup, then Predicts, each of which Learn may follow. Features and label are given anew to both. */
export function findCarriedValues(program: Program, labels: LabelKind): CarriedValues {
  const { features, label, prediction } = TASK_ADDRESSES[labels];
  const given = new Set([features.type + features.address, label.type + label.address]);
  const result = new Set([prediction.type + prediction.address]);
  const { setup, predict, learn } = forFunctions((name) => readAndReplaced(program[name]));
  let atPredict: Keys = new Set();
  let atLearn: Keys = new Set();
  for (;;) {
    const afterPredict = union(result, without(union(atPredict, atLearn), given));
    const beforePredict = union(predict.read, without(afterPredict, predict.replaced));
    const beforeLearn = union(learn.read, without(atPredict, given, learn.replaced));
    if (beforePredict.size === atPredict.size && beforeLearn.size === atLearn.size) {
      const next = without(beforePredict, given);
      return {
        atStart: { setup: setup.read, predict: beforePredict, learn: beforeLearn },
        atEnd: { setup: next, predict: afterPredict, learn: next },
      };
    }
    atPredict = beforePredict;
    atLearn = beforeLearn;
  }
}
