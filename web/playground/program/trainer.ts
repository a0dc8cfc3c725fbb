// Trains a program on one task, instruction by instruction, so that somebody can look at its memory in between. The rules are those of
// ops/semantics.ts and of the reference interpreter, to the bit. Must not know how it is shown.
import { labelKind, MAX_ERROR, type MemoryImage, type Task } from '../../../src/engine/engine.js';
import { ReferenceMachine } from '../../../src/engine/reference-machine.js';
import { opById } from '../../../src/ops/ops.js';
import type { OperandType } from '../../../src/ops/types.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  type Instruction,
  memoryNeeded,
  type Program,
} from '../../../src/program/program.js';

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

export class Trainer {
  private readonly program: Program;
  private readonly task: Task;
  private readonly machine: ReferenceMachine;
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
    this.program = program;
    this.task = task;
    this.machine = new ReferenceMachine(program, task);
    this.enter('setup');
  }

  /** Goes on for so many instructions or whole examples, unless training stops. */
  advance(count: number, unit: StepUnit): void {
    const end = this.examples + count;
    for (let n = 0; !this.isStopped && (unit === 'instruction' ? n < count : this.examples < end); n++) this.step();
  }

  state(): TrainingState {
    const { machine, task } = this;
    const sizes = memoryNeeded(this.program, labelKind(task.loss));
    const copies = (type: OperandType, count: number) =>
      Array.from({ length: count }, (_, address) => machine.at({ type, address }).slice());
    return {
      memory: {
        features: task.features,
        scalars: Float64Array.from(copies('s', sizes.scalars), ([scalar]) => scalar!),
        vectors: copies('v', sizes.vectors),
        matrices: copies('m', sizes.matrices),
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

  private execute({ op, out }: Instruction): void {
    // Setup is step 0; then every example counts.
    this.machine.execute(this.at, this.index, this.at === 'setup' ? 0 : this.examples + 1);
    const { output } = opById(op);
    this.written = output === undefined ? null : `${output}${out}`;
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
    if (name === 'predict') this.machine.showFeatures(this.row);
    if (name === 'learn') this.machine.showLabel(this.row, this.wanted);
    // A program without any instruction has nowhere to stop.
    const isEmpty = FUNCTION_NAMES.every((each) => this.program[each].length === 0);
    if (this.program[name].length === 0 && !isEmpty) this.leave();
  }

  private get row(): Float64Array {
    const { features: F, train } = this.task;
    return train.features.subarray(this.place * F, (this.place + 1) * F);
  }

  private judge(): void {
    const { machine, wanted } = this;
    this.error = machine.judge(wanted);
    this.judged = wanted;
    this.predicted = machine.prediction[this.task.loss === 'multiclass' ? wanted : 0]!;
    this.isStopped = !(this.error <= MAX_ERROR);
    if (!this.isStopped) this.errors.push(this.error);
  }
}
