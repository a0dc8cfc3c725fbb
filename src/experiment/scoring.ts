// Evaluates one program in full on a set of tasks, a few tasks at a time, to select and for the final evaluation. Pure but for
// opening the tasks. Must not know why a program is scored.
import { type WasmEngine, wasmEngine } from '../engine/wasm/engine.js';
import type { WasmEvaluator } from '../engine/wasm/evaluator.js';
import type { Precision } from '../ops/semantics.js';
import type { Program } from '../program/program.js';
import type { OpenedTasks, OpenTasks } from '../tasks/open-tasks.js';
import type { Config } from './config.js';

/** Tasks that are evaluated together: as many as the engine runs at once. */
const AT_ONCE = 10;

export type TaskConfig = Config['tasks']['search'];

export function openTaskSet(openTasks: OpenTasks, tasks: TaskConfig, seed: number): Promise<OpenedTasks> {
  const { set, epochs: _, ...counts } = tasks;
  return openTasks({ ...counts, name: set, seed });
}

/** Where a scoring is: the fitnesses so far. */
export interface Scores {
  readonly program: Program;
  readonly fitnesses: readonly number[];
}

export class Scoring {
  readonly count: number;
  private readonly tasks: OpenedTasks;
  private readonly epochs: number;
  private readonly engine: WasmEngine;
  /** Of all tasks, if they are to stay ready. */
  private all: WasmEvaluator | undefined;

  constructor(tasks: OpenedTasks, { epochs }: TaskConfig, precision: Precision) {
    this.count = tasks.count;
    this.tasks = tasks;
    this.epochs = epochs;
    this.engine = wasmEngine(precision);
  }

  /** Makes all tasks now, for programs that are scored at once. */
  async prepare(): Promise<void> {
    const tasks = await Promise.all(Array.from({ length: this.count }, (_, k) => this.tasks.at(k)));
    this.all = this.engine.prepare(tasks, { epochs: this.epochs });
  }

  /** The fitnesses on all tasks, which must be prepared. */
  scoreAtOnce(program: Program): Float64Array {
    this.all!.run(program);
    return this.all!.readFitnesses();
  }

  /** Goes on with some tasks more. */
  async scoreMore({ program, fitnesses }: Scores): Promise<Scores> {
    const first = fitnesses.length;
    const count = Math.min(AT_ONCE, this.count - first);
    const tasks = await Promise.all(Array.from({ length: count }, (_, k) => this.tasks.at(first + k)));
    const evaluator = this.engine.prepare(tasks, { epochs: this.epochs });
    try {
      evaluator.run(program);
      return { program, fitnesses: [...fitnesses, ...evaluator.readFitnesses()] };
    } finally {
      evaluator.dispose();
    }
  }

  dispose(): void {
    this.all?.dispose();
  }
}
