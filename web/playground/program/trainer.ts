// Trains a program on one task, instruction by instruction, so that somebody can look at its memory in between. The rules are those of
// ops/semantics.ts and of the reference interpreter, to the bit. Must not know how it is shown.
import { labelKind, MAX_ERROR, type MemoryImage, type Task } from '../../../src/engine/engine.js';
import { normalize, trainingError } from '../../../src/engine/loss.js';
import { opById } from '../../../src/ops/ops.js';
import { applyOp, type Elements, instructionKey } from '../../../src/ops/semantics.js';
import type { OperandType } from '../../../src/ops/types.js';
import { randomOrdinals } from '../../../src/program/liveness.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  type Instruction,
  memoryNeeded,
  type Program,
  TASK_ADDRESSES,
} from '../../../src/program/program.js';
import { deriveKey } from '../../../src/util/random.js';

export type StepUnit = 'instruction' | 'example';

export interface TrainingState {
  readonly memory: MemoryImage;
  /** The instruction that comes next; nothing if training has stopped. */
  readonly next: { readonly function: FunctionName; readonly index: number } | null;
  /** The address that was written last, such as `v1`. */
  readonly written: string | null;
  /** Training examples that Learn is done with. */
  readonly examples: number;
  /** Of the example that was predicted last. */
  readonly label: number | null;
  /** As Learn sees it; of many classes, the probability of the right one. */
  readonly prediction: number | null;
  readonly error: number | null;
  /** Of all examples so far. */
  readonly errors: readonly number[];
  /** An error was NaN or above 100, which ends a program. */
  readonly isStopped: boolean;
}

const NOTHING: Elements = new Float64Array(0);
const NO_KEY = deriveKey();

function emptyMemory(program: Program, task: Task): MemoryImage {
  const { features: F } = task;
  const sizes = memoryNeeded(program, labelKind(task.loss));
  const arrays = (count: number, length: number) => Array.from({ length: count }, () => new Float64Array(length));
  return {
    features: F,
    scalars: new Float64Array(sizes.scalars),
    vectors: arrays(sizes.vectors, F),
    matrices: arrays(sizes.matrices, F * F),
  };
}

function operand(memory: MemoryImage, type: OperandType | undefined, address: number): Elements {
  if (type === undefined) return NOTHING;
  if (type === 's') return memory.scalars.subarray(address, address + 1);
  return (type === 'v' ? memory.vectors : memory.matrices)[address]!;
}

export class Trainer {
  private readonly program: Program;
  private readonly task: Task;
  private readonly memory: MemoryImage;
  private readonly ordinals: ReturnType<typeof randomOrdinals>;
  private readonly features: Elements;
  private readonly label: Elements;
  private readonly prediction: Elements;
  private at: FunctionName = 'setup';
  private index = 0;
  private examples = 0;
  private written: string | null = null;
  private judged: number | null = null;
  private predicted: number | null = null;
  private error: number | null = null;
  private readonly errors: number[] = [];
  private isStopped = false;

  constructor(program: Program, task: Task) {
    const labels = labelKind(task.loss);
    this.program = program;
    this.task = task;
    this.memory = emptyMemory(program, task);
    this.ordinals = randomOrdinals(program, labels);
    const { features, label, prediction } = TASK_ADDRESSES[labels];
    this.features = operand(this.memory, features.type, features.address);
    this.label = operand(this.memory, label.type, label.address);
    this.prediction = operand(this.memory, prediction.type, prediction.address);
    this.enter('setup');
  }

  /** Goes on for so many instructions or whole examples, unless training stops. */
  advance(count: number, unit: StepUnit): void {
    const end = this.examples + count;
    for (let n = 0; !this.isStopped && (unit === 'instruction' ? n < count : this.examples < end); n++) this.step();
  }

  state(): TrainingState {
    const { scalars, vectors, matrices, features } = this.memory;
    return {
      memory: {
        features,
        scalars: scalars.slice(),
        vectors: vectors.map((vector) => vector.slice()),
        matrices: matrices.map((matrix) => matrix.slice()),
      },
      next: this.isStopped ? null : { function: this.at, index: this.index },
      written: this.written,
      examples: this.examples,
      label: this.judged,
      prediction: this.predicted,
      error: this.error,
      errors: [...this.errors],
      isStopped: this.isStopped,
    };
  }

  /** The number of the example: they come again and again, as in epochs. */
  private get place(): number {
    return this.examples % this.task.train.count;
  }

  private get wanted(): number {
    return this.task.train.labels[this.place]!;
  }

  private step(): void {
    const body = this.program[this.at];
    if (this.index < body.length) this.execute(body[this.index]!);
    this.index++;
    if (this.index >= body.length) this.leave();
  }

  private execute(instruction: Instruction): void {
    const op = opById(instruction.op);
    const { in1, in2, out, index1, index2, const1, const2 } = instruction;
    const { memory, task } = this;
    // Setup is step 0; then every example counts.
    const step = this.at === 'setup' ? 0 : this.examples + 1;
    const ordinal = this.ordinals[this.at][this.index]!;
    const key = op.random ? instructionKey(task.seed, step, ordinal) : NO_KEY;
    applyOp(
      op,
      operand(memory, op.inputs[0], in1),
      operand(memory, op.inputs[1], in2),
      operand(memory, op.output, out),
      { precision: 'f64', features: task.features, index1, index2, const1, const2, key },
    );
    this.written = op.output === undefined ? null : `${op.output}${out}`;
  }

  /** What happens between two functions. */
  private leave(): void {
    const { at } = this;
    if (at === 'predict') this.judge();
    if (this.isStopped) return;
    if (at === 'learn') this.examples++;
    this.enter(at === 'predict' ? 'learn' : 'predict');
  }

  private enter(name: FunctionName): void {
    this.at = name;
    this.index = 0;
    if (name !== 'setup') this.showExample();
    if (name === 'predict') this.label.fill(0);
    if (name === 'learn') this.showLabel();
    // A program without any instruction has nowhere to stop.
    const isEmpty = FUNCTION_NAMES.every((each) => this.program[each].length === 0);
    if (this.program[name].length === 0 && !isEmpty) this.leave();
  }

  private showExample(): void {
    const { features: F, train } = this.task;
    this.features.set(train.features.subarray(this.place * F, (this.place + 1) * F));
  }

  private showLabel(): void {
    this.label.fill(0);
    if (this.task.loss === 'multiclass') this.label[this.wanted] = 1;
    else this.label[0] = this.wanted;
  }

  private judge(): void {
    const { loss } = this.task;
    normalize(loss, this.prediction);
    this.judged = this.wanted;
    this.error = trainingError(loss, this.wanted, this.prediction);
    this.predicted = this.prediction[loss === 'multiclass' ? this.wanted : 0]!;
    this.isStopped = !(this.error <= MAX_ERROR);
    if (!this.isStopped) this.errors.push(this.error);
  }
}
