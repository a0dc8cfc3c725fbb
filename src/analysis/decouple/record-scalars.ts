// What the scalars of a program are while it trains: the reference rules, one instruction at a time, with every scalar written down
// as it is written. Must not know what the values are for.
import { labelKind, MAX_ERROR, type Task } from '../../engine/engine.js';
import { normalize, trainingError } from '../../engine/loss.js';
import { elements, opById } from '../../ops/ops.js';
import { applyOp, type Elements, instructionKey } from '../../ops/semantics.js';
import type { OperandType } from '../../ops/types.js';
import { randomOrdinals } from '../../program/liveness.js';
import {
  type ForFunctions,
  type FunctionName,
  forFunctions,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import { addressOf } from '../explain/flow.js';

/** For each instruction what it wrote, one value per execution; nothing of those that write no scalar. */
export type ScalarRecord = ForFunctions<readonly (readonly number[])[]>;

const NOTHING: Elements = new Float64Array(0);

/** Trains on at most `maxSteps` examples; an error that would stop a program ends it early. */
export function recordScalars(program: Program, task: Task, maxSteps: number): ScalarRecord {
  const { loss, train, features: F, seed } = task;
  const labels = labelKind(loss);
  const ordinals = randomOrdinals(program, labels);
  const memory = new Map<string, Elements>();
  const operand = (type: OperandType | undefined, address: number): Elements => {
    if (type === undefined) return NOTHING;
    const name = addressOf(type, address);
    const known = memory.get(name) ?? new Float64Array(elements(type, F));
    memory.set(name, known);
    return known;
  };
  const record = forFunctions((name) => program[name].map((): number[] => []));
  let step = 0;
  const call = (name: FunctionName): void => {
    for (const [k, { op: id, in1, in2, out, index1, index2, const1, const2 }] of program[name].entries()) {
      const op = opById(id);
      const key = instructionKey(seed, step, ordinals[name][k]!);
      const target = operand(op.output, out);
      const parameters = { precision: 'f64', features: F, index1, index2, const1, const2, key } as const;
      applyOp(op, operand(op.inputs[0], in1), operand(op.inputs[1], in2), target, parameters);
      if (op.output === 's') record[name][k]!.push(target[0]!);
    }
  };
  const { features, label, prediction } = TASK_ADDRESSES[labels];
  const given = operand(features.type, features.address);
  const truth = operand(label.type, label.address);
  const predicted = operand(prediction.type, prediction.address);
  call('setup');
  for (let k = 0; k < Math.min(train.count, maxSteps); k++) {
    step++;
    const example = train.features.subarray(k * F, (k + 1) * F);
    given.set(example);
    truth.fill(0);
    call('predict');
    normalize(loss, predicted);
    const wanted = train.labels[k]!;
    if (!(trainingError(loss, wanted, predicted) <= MAX_ERROR)) break;
    given.set(example);
    truth.fill(0);
    if (loss === 'multiclass') truth[wanted] = 1;
    else truth[0] = wanted;
    call('learn');
  }
  return record;
}
