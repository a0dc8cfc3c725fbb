// What measures programs for an analysis: full or partial evaluations on the tasks of one set. Analyses say what they want to know
// and wait; where it is computed is a matter of who made the judge. Must not know threads, files or why a program is measured.
import { chooseEngine } from '../engine/choose-engine.js';
import type { Evaluator, Loss, Outcome, Task } from '../engine/engine.js';
import { splitTasks } from '../evaluate/split-tasks.js';
import type { Precision } from '../ops/semantics.js';
import type { Program } from '../program/program.js';
import type { OpenedTasks } from '../tasks/open-tasks.js';

/** One program on some tasks. */
export interface Trial {
  readonly program: Program;
  /** Numbers of tasks, each once. */
  readonly tasks: readonly number[];
  /** Training ends after so many examples of each task, if given. */
  readonly maxTrainSteps?: number;
}

/** What came of a trial on each of its tasks, in the same order. */
export type Verdict = readonly Pick<Outcome, 'fitness' | 'trainSteps'>[];

export function fitnessesOf(verdict: Verdict): number[] {
  return verdict.map(({ fitness }) => fitness);
}

/** Measures programs on a fixed set of tasks. `localJudge` makes one; dispose of it when it is no longer needed. */
export interface Judge {
  readonly loss: Loss;
  readonly features: number;
  /** Of tasks. */
  readonly count: number;
  /** Training steps of a full evaluation on one task. */
  readonly trainSteps: number;
  /** Answers in the order of the trials; `onJudged` is told of each as it comes, in any order. */
  judge(trials: readonly Trial[], onJudged?: (index: number, verdict: Verdict) => void): Promise<Verdict[]>;
  dispose(): void;
}

/** How programs are run. */
export interface JudgeOptions {
  readonly epochs: number;
  readonly precision: Precision;
}

/** Evaluators that stay ready, at most: each holds a copy of its tasks. */
const READY = 8;
const NUMBERS_READY = 2 ** 26;

/** Runs programs on parts of a set of tasks, in this thread. Keeps what was used last ready. */
export class PartRunner {
  private readonly options: JudgeOptions;
  private readonly ready = new Map<string, { evaluator: Evaluator; numbers: number }>();

  constructor(options: JudgeOptions) {
    this.options = options;
  }

  /** `name` stands for the tasks, which are only asked for if they are not ready. */
  run(name: string, tasks: () => readonly Task[], program: Program, maxTrainSteps?: number): Verdict {
    return this.evaluatorOf(name, tasks).evaluate(program, maxTrainSteps);
  }

  /** Of what is ready. */
  names(): string[] {
    return [...this.ready.keys()];
  }

  private evaluatorOf(name: string, makeTasks: () => readonly Task[]): Evaluator {
    const known = this.ready.get(name);
    if (known !== undefined) {
      this.ready.delete(name);
      this.ready.set(name, known);
      return known.evaluator;
    }
    const tasks = makeTasks();
    const numbers = tasks.reduce((sum, { features, train, valid }) => sum + features * (train.count + valid.count), 0);
    this.makeRoom(numbers);
    const { epochs, precision } = this.options;
    const evaluator = chooseEngine(precision, tasks[0]!.features).prepare(tasks, { epochs });
    this.ready.set(name, { evaluator, numbers });
    return evaluator;
  }

  /** Before the next is made, so that two large ones are never there at once. */
  private makeRoom(numbers: number): void {
    let total = numbers;
    for (const kept of this.ready.values()) total += kept.numbers;
    for (const [name, kept] of this.ready) {
      if (total <= NUMBERS_READY && this.ready.size < READY) return;
      kept.evaluator.dispose();
      this.ready.delete(name);
      total -= kept.numbers;
    }
  }

  dispose(): void {
    for (const { evaluator } of this.ready.values()) evaluator.dispose();
    this.ready.clear();
  }
}

/** Numbers in tasks that are kept rather than made again. */
const NUMBERS_KEPT = 2 ** 28;

/** Makes each task once, as long as not too many are kept. */
export function keepTasks(tasks: OpenedTasks): (index: number) => Promise<Task> {
  const most = Math.max(1, Math.floor(NUMBERS_KEPT / (tasks.features * (tasks.trainCount + tasks.validCount))));
  const made = new Map<number, Promise<Task>>();
  return (index) => {
    const known = made.get(index);
    if (known !== undefined) return known;
    const task = tasks.at(index);
    if (made.size >= most) made.delete(made.keys().next().value!);
    made.set(index, task);
    return task;
  };
}

/** A judge of this thread. */
export function localJudge(tasks: OpenedTasks, options: JudgeOptions): Judge {
  const runner = new PartRunner(options);
  const taskAt = keepTasks(tasks);
  return {
    loss: tasks.loss,
    features: tasks.features,
    count: tasks.count,
    trainSteps: options.epochs * tasks.trainCount,
    async judge(trials, onJudged) {
      const verdicts: Verdict[] = [];
      for (const [k, { program, tasks: places, maxTrainSteps }] of trials.entries()) {
        const verdict: Verdict[number][] = [];
        for (const part of splitTasks(tasks, places)) {
          const partTasks = await Promise.all(part.map(taskAt));
          verdict.push(...runner.run(part.join(), () => partTasks, program, maxTrainSteps));
        }
        verdicts.push(verdict);
        onJudged?.(k, verdict);
      }
      return verdicts;
    },
    dispose: () => runner.dispose(),
  };
}
