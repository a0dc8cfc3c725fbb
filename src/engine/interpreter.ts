// The reference engine: one instruction, one task, one example at a time, with the rules of ops/semantics.ts. Slow
// and obvious: "the definition" that faster engines are tested against. Runs dead code too, so that tests can show that
// removing it changes nothing.
import { applyOp, type Elements, type Precision, ROUND } from '../ops/semantics.js';
import type { OperandType } from '../ops/types.js';
import type { Program } from '../program/program.js';
import {
  checkTasks,
  type Engine,
  type Examples,
  MAX_ERROR,
  type MemoryImage,
  type Outcome,
  type Task,
  wholeSteps,
} from './engine.js';
import { fitnessOf, validationError } from './loss.js';
import { bind, ReferenceMachine } from './reference-machine.js';

/** The elements of one operand, sharing the memory. */
function operand(memory: MemoryImage, type: OperandType, address: number): Elements {
  if (type === 's') return memory.scalars.subarray(address, address + 1);
  return (type === 'v' ? memory.vectors : memory.matrices)[address]!;
}

/** The training loop around one program on one task. */
class Evaluation {
  private readonly task: Task;
  private readonly round: (x: number) => number;
  private readonly machine: ReferenceMachine;
  /** Setup is step 0; then every example counts, in training and validation. Keys the random ops. */
  private step = 0;
  private trainSteps = 0;
  private readonly trace: { trainErrors: number[]; validErrors: number[]; predictions: number[] } | undefined;

  constructor(program: Program, task: Task, trace: boolean, precision: Precision) {
    this.task = task;
    this.round = ROUND[precision];
    this.trace = trace ? { trainErrors: [], validErrors: [], predictions: [] } : undefined;
    this.machine = new ReferenceMachine(program, task, precision);
  }

  run(epochs: number, maxTrainSteps: number): Outcome {
    const { loss, valid } = this.task;
    let least = Number.POSITIVE_INFINITY;
    this.machine.call('setup', this.step);
    for (let epoch = 0; epoch < epochs; epoch++) {
      const squaredErrors = this.train(maxTrainSteps) ? this.validate() : undefined;
      if (squaredErrors === undefined) break;
      least = Math.min(least, squaredErrors);
      if (this.trainSteps >= maxTrainSteps) break;
    }
    const { trainSteps, trace } = this;
    const fitness = least === Number.POSITIVE_INFINITY ? 0 : fitnessOf(loss, least, valid.count);
    return { fitness, trainSteps, ...(trace !== undefined && { trace }) };
  }

  /** One pass over the training examples, or over as many as are allowed; false if an error stopped it. */
  private train(maxTrainSteps: number): boolean {
    const { machine } = this;
    const { train } = this.task;
    for (let k = 0; k < train.count && this.trainSteps < maxTrainSteps; k++) {
      this.trainSteps++;
      this.predict(train, k);
      const label = train.labels[k]!;
      const error = machine.judge(label);
      if (!(error <= MAX_ERROR)) return false;
      this.trace?.trainErrors.push(error);
      machine.showLabel(this.row(train, k), label);
      machine.call('learn', this.step);
    }
    return true;
  }

  /** The sum of the squared errors of the validation examples; nothing if an error stopped it. */
  private validate(): number | undefined {
    const { machine, round } = this;
    const { loss, valid } = this.task;
    let squaredErrors = 0;
    for (let k = 0; k < valid.count; k++) {
      this.predict(valid, k);
      const error = round(validationError(loss, round(valid.labels[k]!), machine.prediction));
      if (!(error <= MAX_ERROR)) return undefined;
      squaredErrors += error * error;
      this.trace?.validErrors.push(error);
    }
    return squaredErrors;
  }

  private predict(examples: Examples, k: number): void {
    const { machine } = this;
    this.step++;
    machine.showFeatures(this.row(examples, k));
    machine.call('predict', this.step);
    this.trace?.predictions.push(...machine.prediction);
  }

  private row({ features }: Examples, k: number): Elements {
    const F = this.task.features;
    return features.subarray(k * F, (k + 1) * F);
  }
}

function interpreterOf(precision: Precision, name: string): Engine {
  return {
    name,

    prepare(tasks, { epochs = 1, trace = false } = {}) {
      checkTasks(tasks, precision, epochs);
      return {
        evaluate: (program, maxTrainSteps) =>
          tasks.map((task) => new Evaluation(program, task, trace, precision).run(epochs, wholeSteps(maxTrainSteps))),
        dispose() {},
      };
    },

    execute(instruction, memory) {
      const find = (type: OperandType, address: number) => operand(memory, type, address);
      const { op, a, b, out, parameters } = bind(instruction, memory.features, precision, find);
      applyOp(op, a, b, out, parameters);
    },
  };
}

/** The reference engine in f64: slow and plain, it defines what the ops and the training loop mean. */
export const interpreter = interpreterOf('f64', 'interpreter');

/** The same in f32, for comparing the fast engine's f32 with. */
export const interpreterF32 = interpreterOf('f32', 'interpreter-f32');
