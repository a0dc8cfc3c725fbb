// The reference engine: one instruction, one task, one example at a time, with the rules of ops/semantics.ts. Slow
// and obvious: "the definition" that faster engines are tested against. Runs dead code too, so that tests can show that
// removing it changes nothing.
import { opById } from '../ops/ops.js';
import { applyOp, type Elements, instructionKey, type Parameters, type Precision, ROUND } from '../ops/semantics.js';
import type { Op, OperandType } from '../ops/types.js';
import { randomOrdinals } from '../program/liveness.js';
import {
  type ForFunctions,
  type FunctionName,
  forFunctions,
  type Instruction,
  type MemorySizes,
  memoryNeeded,
  type Program,
  TASK_ADDRESSES,
} from '../program/program.js';
import { deriveKey } from '../util/random.js';
import {
  checkTasks,
  type Engine,
  type Examples,
  labelKind,
  MAX_ERROR,
  type MemoryImage,
  type Outcome,
  type Task,
  wholeSteps,
} from './engine.js';
import { fitnessOf, normalize, trainingError, validationError } from './loss.js';

const NOTHING: Elements = new Float64Array(0);
const NO_KEY = deriveKey();

function newMemory(features: number, sizes: MemorySizes): MemoryImage {
  const arrays = (count: number, length: number) => Array.from({ length: count }, () => new Float64Array(length));
  return {
    features,
    scalars: new Float64Array(sizes.scalars),
    vectors: arrays(sizes.vectors, features),
    matrices: arrays(sizes.matrices, features * features),
  };
}

/** The elements of one operand, sharing the memory. */
function operand(memory: MemoryImage, type: OperandType | undefined, address: number): Elements {
  switch (type) {
    case undefined:
      return NOTHING;
    case 's':
      return memory.scalars.subarray(address, address + 1);
    case 'v':
      return memory.vectors[address]!;
    case 'm':
      return memory.matrices[address]!;
  }
}

/** An instruction with its operands found. */
export interface Bound {
  readonly op: Op;
  readonly a: Elements;
  readonly b: Elements;
  readonly out: Elements;
  readonly parameters: Parameters;
  readonly ordinal: number;
}

function bind(instruction: Instruction, memory: MemoryImage, ordinal: number, precision: Precision): Bound {
  const op = opById(instruction.op);
  const { features } = memory;
  const { index1, index2, const1, const2 } = instruction;
  return {
    op,
    a: operand(memory, op.inputs[0], instruction.in1),
    b: operand(memory, op.inputs[1], instruction.in2),
    out: operand(memory, op.output, instruction.out),
    parameters: { precision, features, index1, index2, const1, const2, key: NO_KEY },
    ordinal,
  };
}

/** One program on one task: memory, the three functions, and the loop around them. */
class Evaluation {
  private readonly task: Task;
  private readonly round: (x: number) => number;
  private readonly functions: ForFunctions<readonly Bound[]>;
  private readonly features: Elements;
  private readonly label: Elements;
  private readonly prediction: Elements;
  /** Setup is step 0; then every example counts, in training and validation. Keys the random ops. */
  private step = 0;
  private trainSteps = 0;
  private readonly trace: { trainErrors: number[]; validErrors: number[]; predictions: number[] } | undefined;

  constructor(program: Program, task: Task, trace: boolean, precision: Precision) {
    const labels = labelKind(task.loss);
    this.task = task;
    this.round = ROUND[precision];
    this.trace = trace ? { trainErrors: [], validErrors: [], predictions: [] } : undefined;
    const memory = newMemory(task.features, memoryNeeded(program, labels));
    const ordinals = randomOrdinals(program, labels);
    this.functions = forFunctions((name) =>
      program[name].map((i, k) => bind(i, memory, ordinals[name][k]!, precision)),
    );
    const { features, label, prediction } = TASK_ADDRESSES[labels];
    this.features = operand(memory, features.type, features.address);
    this.label = operand(memory, label.type, label.address);
    this.prediction = operand(memory, prediction.type, prediction.address);
  }

  run(epochs: number, maxTrainSteps: number): Outcome {
    const { loss, valid } = this.task;
    let least = Number.POSITIVE_INFINITY;
    this.call('setup');
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

  private call(name: FunctionName): void {
    for (const { op, a, b, out, parameters, ordinal } of this.functions[name]) {
      const keyed = op.random ? { ...parameters, key: instructionKey(this.task.seed, this.step, ordinal) } : parameters;
      applyOp(op, a, b, out, keyed);
    }
  }

  /** One pass over the training examples, or over as many as are allowed; false if an error stopped it. */
  private train(maxTrainSteps: number): boolean {
    const { round } = this;
    const { loss, train } = this.task;
    for (let k = 0; k < train.count && this.trainSteps < maxTrainSteps; k++) {
      this.trainSteps++;
      this.predict(train, k);
      normalize(loss, this.prediction);
      this.prediction.set(this.prediction.map(round));
      const label = round(train.labels[k]!);
      const error = round(trainingError(loss, label, this.prediction));
      if (!(error <= MAX_ERROR)) return false;
      this.trace?.trainErrors.push(error);
      this.setFeatures(train, k);
      this.setLabel(label);
      this.call('learn');
    }
    return true;
  }

  /** The sum of the squared errors of the validation examples; nothing if an error stopped it. */
  private validate(): number | undefined {
    const { round } = this;
    const { loss, valid } = this.task;
    let squaredErrors = 0;
    for (let k = 0; k < valid.count; k++) {
      this.predict(valid, k);
      const error = round(validationError(loss, round(valid.labels[k]!), this.prediction));
      if (!(error <= MAX_ERROR)) return undefined;
      squaredErrors += error * error;
      this.trace?.validErrors.push(error);
    }
    return squaredErrors;
  }

  private predict(examples: Examples, k: number): void {
    this.step++;
    this.setFeatures(examples, k);
    this.label.fill(0);
    this.call('predict');
    this.trace?.predictions.push(...this.prediction);
  }

  private setFeatures({ features }: Examples, k: number): void {
    const F = this.task.features;
    this.features.set(features.subarray(k * F, (k + 1) * F).map(this.round));
  }

  private setLabel(label: number): void {
    if (this.task.loss === 'multiclass') {
      this.label.fill(0);
      this.label[label] = 1;
    } else {
      this.label[0] = label;
    }
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
      const { op, a, b, out, parameters } = bind(instruction, memory, 0, precision);
      applyOp(op, a, b, out, parameters);
    },
  };
}

/** The reference engine in f64: slow and plain, it defines what the ops and the training loop mean. */
export const interpreter = interpreterOf('f64', 'interpreter');

/** The same in f32, for comparing the fast engine's f32 with. */
export const interpreterF32 = interpreterOf('f32', 'interpreter-f32');
