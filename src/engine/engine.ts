// What an engine is given and what it answers. An engine trains and validates programs on tasks (paper, figure "Algorithm
// evaluation on one task"); all engines answer alike, the one for whole images up to rounding. Must not know how tasks are made or how fitnesses are used.
import { type Precision, ROUND } from '../ops/semantics.js';
import type { Instruction, LabelKind, Program } from '../program/program.js';

/** Examples one after the other: `features` holds F numbers for each, `labels` one number for each. */
export interface Examples {
  readonly count: number;
  readonly features: Float64Array;
  readonly labels: Float64Array;
}

/**
 * How predictions are judged. 'rms': root mean square error of a number. 'accuracy': two classes, labels 0 and 1.
 * 'multiclass': labels are class numbers 0 to 9.
 */
export type Loss = 'rms' | 'accuracy' | 'multiclass';

/** What a program is trained and validated on. */
export interface Task {
  /** F, at least 2; at least 10 for 'multiclass'. */
  readonly features: number;
  readonly loss: Loss;
  readonly train: Examples;
  readonly valid: Examples;
  /** Keys the random ops of programs on this task: an integer from 0 to 2^53 - 1. */
  readonly seed: number;
}

/** How programs are trained and validated. */
export interface EvaluateOptions {
  /** Passes over the training examples, 1 if not given; validated after each, and the best counts. */
  readonly epochs?: number;
  /** Also record what happens at each example. */
  readonly trace?: boolean;
}

/** What happened at each example. */
export interface Trace {
  /** |label - prediction| of each training example; ends early where training stopped. */
  readonly trainErrors: readonly number[];
  /** The same in validation; 0 for right and 1 for wrong in classification. */
  readonly validErrors: readonly number[];
  /** What Predict left in the prediction's address, in training then validation, before any normalization. */
  readonly predictions: readonly number[];
}

/** What came of one program on one task. */
export interface Outcome {
  /** From 0, the worst and what a program that stops before its first validation is over gets, to 1. */
  readonly fitness: number;
  readonly trainSteps: number;
  readonly trace?: Trace;
}

/** Operands of one memory: scalars, vectors of F, matrices of F x F row after row. */
export interface MemoryImage {
  readonly features: number;
  readonly scalars: Float64Array;
  readonly vectors: readonly Float64Array[];
  readonly matrices: readonly Float64Array[];
}

/** Runs one program after the other on the same tasks. */
export interface Evaluator {
  /**
   * Trains and validates a program on each task, from a fresh memory. The program must be valid (`programProblem`).
   * Training ends after `maxTrainSteps` examples of each task, if given; what was learned until then is validated.
   */
  evaluate(program: Program, maxTrainSteps?: number): Outcome[];
  /** Gives back what `prepare` took. */
  dispose(): void;
}

/** Runs programs on tasks. All engines of a precision give the same results to the bit, but the large one, which agrees up to rounding. */
export interface Engine {
  readonly name: string;
  /** Checks the tasks, which share features and loss, and lays them out, once for many programs. Throws TaskError. */
  prepare(tasks: readonly Task[], options?: EvaluateOptions): Evaluator;
  /** Runs one instruction that draws no random numbers, changing the memory: for comparing engines op by op. */
  execute(instruction: Instruction, memory: MemoryImage): void;
}

export function labelKind(loss: Loss): LabelKind {
  return loss === 'multiclass' ? 'vector' : 'scalar';
}

/** Components that the softmax of multi-class tasks looks at. */
export const CLASSES = 10;

/** An error above this, or NaN, stops a program on a task (paper, "Terminating Degenerate Algorithms"). */
export const MAX_ERROR = 100;

/** Examples are counted in 32 bits. */
const MAX_STEPS = 2 ** 31 - 1;

/** A limit of training steps as a whole number; no limit if there is none. */
export function wholeSteps(maxTrainSteps = MAX_STEPS): number {
  if (Number.isNaN(maxTrainSteps)) throw new RangeError('maxTrainSteps is not a number');
  return Math.min(Math.max(0, Math.ceil(maxTrainSteps)), MAX_STEPS);
}

/** A task that no engine can run on. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
}

/** Whether a label means something under a loss. Of two classes, those above one half are the second. */
function isLabel(loss: Loss, label: number): boolean {
  if (loss !== 'multiclass') return Number.isFinite(label);
  return Number.isInteger(label) && label >= 0 && label < CLASSES;
}

function taskProblem(task: Task, precision: Precision): string | undefined {
  const { features: F, loss, train, valid } = task;
  if (!Number.isInteger(F) || F < 2) return `a task needs at least 2 features, not ${F}`;
  if (F > MAX_FEATURES) return `a task can have at most ${MAX_FEATURES} features, not ${F}`;
  if (loss === 'multiclass' && F < CLASSES) return `a multi-class task needs at least ${CLASSES} features, not ${F}`;
  for (const [name, examples] of Object.entries({ training: train, validation: valid })) {
    const { count, features, labels } = examples;
    if (!Number.isInteger(count) || count < 1) return `a task needs at least one ${name} example`;
    if (features.length !== count * F || labels.length !== count)
      return `the ${name} examples do not have ${count} rows`;
    if (!features.every(Number.isFinite)) return `the ${name} examples have features that are not finite`;
    const isHeld = (x: number) => Number.isFinite(ROUND[precision](x));
    if (precision !== 'f64' && !(features.every(isHeld) && labels.every(isHeld))) {
      return `the ${name} examples have numbers so large that ${precision} cannot hold them`;
    }
    const strange = labels.find((label) => !isLabel(loss, label));
    if (strange !== undefined) return `the ${name} examples have a label that ${loss} tasks cannot have: ${strange}`;
  }
  return undefined;
}

/** Distances within a matrix must fit in 32 bits. */
export const MAX_FEATURES = 8192;

/** Throws unless every engine of a precision can run on these tasks together, for so many epochs. */
export function checkTasks(tasks: readonly Task[], precision: Precision = 'f64', epochs = 1): void {
  if (!Number.isInteger(epochs) || epochs < 1) throw new TaskError(`there must be at least one epoch, not ${epochs}`);
  const [first] = tasks;
  if (first === undefined) throw new TaskError('there must be at least one task');
  for (const task of tasks) {
    const problem = taskProblem(task, precision);
    if (problem !== undefined) throw new TaskError(problem);
    if (epochs * (task.train.count + task.valid.count) > MAX_STEPS) {
      throw new TaskError(`${epochs} epochs of so many examples are more than ${MAX_STEPS} steps: use fewer`);
    }
    if (task.features !== first.features || task.loss !== first.loss) {
      throw new TaskError('tasks that are evaluated together must have the same number of features and the same loss');
    }
  }
}
