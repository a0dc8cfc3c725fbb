// What the scalars of a program are while it trains: the reference rules, one instruction at a time, with every scalar written down
// as it is written. Must not know what the values are for.
import { MAX_ERROR, type Task } from '../../engine/engine.js';
import { ReferenceMachine } from '../../engine/reference-machine.js';
import { opById } from '../../ops/ops.js';
import { type ForFunctions, type FunctionName, forFunctions, type Program } from '../../program/program.js';

/** For each instruction what it wrote, one value per execution; nothing of those that write no scalar. */
export type ScalarRecord = ForFunctions<readonly (readonly number[])[]>;

/** Trains on at most `maxSteps` examples; an error that would stop a program ends it early. */
export function recordScalars(program: Program, task: Task, maxSteps: number): ScalarRecord {
  const { train, features: F } = task;
  const machine = new ReferenceMachine(program, task);
  const record = forFunctions((name) => program[name].map((): number[] => []));
  const call = (name: FunctionName, step: number): void => {
    for (const [k, { op }] of program[name].entries()) {
      const written = machine.execute(name, k, step);
      if (opById(op).output === 's') record[name][k]!.push(written[0]!);
    }
  };
  call('setup', 0);
  for (let k = 0; k < Math.min(train.count, maxSteps); k++) {
    const row = train.features.subarray(k * F, (k + 1) * F);
    const label = train.labels[k]!;
    machine.showFeatures(row);
    call('predict', k + 1);
    if (!(machine.judge(label) <= MAX_ERROR)) break;
    machine.showLabel(row, label);
    call('learn', k + 1);
  }
  return record;
}
