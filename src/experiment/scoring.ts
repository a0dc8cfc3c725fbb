// Evaluates one program in full on a set of tasks, a few tasks at a time, to select and for the final evaluation. Pure but for
// opening the tasks. Must not know why a program is scored.
import { chooseEngine } from '../engine/choose-engine.js';
import type { Engine, Evaluator } from '../engine/engine.js';
import { splitTasks } from '../evaluate/split-tasks.js';
import type { Precision } from '../ops/semantics.js';
import type { Program } from '../program/program.js';
import type { OpenedTasks, OpenTasks } from '../tasks/open-tasks.js';
import type { Config } from './config.js';

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

function fitnessesOf(evaluator: Evaluator, program: Program): number[] {
  return evaluator.evaluate(program).map(({ fitness }) => fitness);
}

export class Scoring {
  readonly count: number;
  private readonly tasks: OpenedTasks;
  private readonly epochs: number;
  private readonly engine: Engine;
  /** Of all tasks, if they are to stay ready. */
  private all: Evaluator | undefined;

  constructor(tasks: OpenedTasks, { epochs }: TaskConfig, precision: Precision) {
    this.count = tasks.count;
    this.tasks = tasks;
    this.epochs = epochs;
    this.engine = chooseEngine(precision, tasks.features);
  }

  /** Makes all tasks now, for programs that are scored at once. */
  async prepare(): Promise<void> {
    const tasks = await Promise.all(Array.from({ length: this.count }, (_, k) => this.tasks.at(k)));
    this.all = this.engine.prepare(tasks, { epochs: this.epochs });
  }

  /** The fitnesses on all tasks, which must be prepared. */
  scoreAtOnce(program: Program): number[] {
    return fitnessesOf(this.all!, program);
  }

  /** Goes on with some tasks more. */
  async scoreMore({ program, fitnesses }: Scores): Promise<Scores> {
    const left = Array.from({ length: this.count - fitnesses.length }, (_, k) => fitnesses.length + k);
    const [part = []] = splitTasks(this.tasks, left);
    const tasks = await Promise.all(part.map((index) => this.tasks.at(index)));
    const evaluator = this.engine.prepare(tasks, { epochs: this.epochs });
    try {
      return { program, fitnesses: [...fitnesses, ...fitnessesOf(evaluator, program)] };
    } finally {
      evaluator.dispose();
    }
  }

  dispose(): void {
    this.all?.dispose();
  }
}
