// What the page asks about single programs: how good they are, what a mutation makes of them, and how they learn. Answers
// requests that can be sent as messages. Must not know workers or pages.
import { fitnessesOf, type Judge, localJudge } from '../../../src/analysis/judge.js';
import { type Loss, labelKind } from '../../../src/engine/engine.js';
import { type Summary, summarize } from '../../../src/evaluate/summary.js';
import type { MutationName } from '../../../src/evolve/mutations.js';
import { parseSource } from '../../../src/program/parse.js';
import { printProgram } from '../../../src/program/print.js';
import type { LabelKind, Program } from '../../../src/program/program.js';
import { DataError } from '../../../src/tasks/data-error.js';
import { type OpenedTasks, openBuiltinTasks } from '../../../src/tasks/open-tasks.js';
import { mutateProgram } from './mutate-program.js';
import { findChoice } from './task-choices.js';
import { type StepUnit, Trainer, type TrainingState } from './trainer.js';

interface OpenChoice {
  readonly tasks: OpenedTasks;
  readonly judge: Judge;
}

const opened = new Map<string, Promise<OpenChoice>>();

/** Opens tasks by the name of a choice, once. */
export function openChoice(name: string): Promise<OpenChoice> {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const { request, epochs } = findChoice(name);
  const opening = openBuiltinTasks(request).then((tasks) => ({
    tasks,
    judge: localJudge(tasks, { epochs, precision: 'f64' }),
  }));
  opened.set(name, opening);
  return opening;
}

const LABEL_WORDS: Readonly<Record<LabelKind, string>> = {
  scalar: 'one number, def Learn(v0, s0):',
  vector: 'a vector with one component for each class, def Learn(v0, v1):',
};

/** Throws DataError if a program's labels are not those of the tasks. */
export function checkLabels(labels: LabelKind, loss: Loss, name: string): void {
  const wanted = labelKind(loss);
  if (labels !== wanted) throw new DataError(`the label of "${name}" is ${LABEL_WORDS[wanted]}`);
}

export interface Measured extends Summary {
  readonly loss: Loss;
}

async function measure(program: Program, labels: LabelKind, choice: string): Promise<Measured> {
  const { judge } = await openChoice(choice);
  checkLabels(labels, judge.loss, choice);
  const [verdict] = await judge.judge([{ program, tasks: Array.from({ length: judge.count }, (_, k) => k) }]);
  return { ...summarize(fitnessesOf(verdict!)), loss: judge.loss };
}

/** A program and the tasks it is tried on. */
export interface OnTasks {
  readonly text: string;
  /** The name of a choice. */
  readonly tasks: string;
}

export interface Mutation {
  readonly mutation: MutationName;
  readonly isChanged: boolean;
  readonly text: string;
  readonly before: number;
  readonly after: number;
}

let trainer: Trainer | undefined;

export const labHandlers = {
  measure({ text, tasks }: OnTasks): Promise<Measured> {
    const { program, labels } = parseSource(text);
    return measure(program, labels, tasks);
  },

  async mutate({
    text,
    tasks,
    kind,
    seed,
  }: OnTasks & { readonly kind: MutationName | undefined; readonly seed: number }): Promise<Mutation> {
    const { program, labels } = parseSource(text);
    const { features } = (await openChoice(tasks)).tasks;
    const mutated = mutateProgram(program, labels, { features, seed, ...(kind !== undefined && { kind }) });
    return {
      mutation: mutated.mutation,
      isChanged: mutated.isChanged,
      text: printProgram(mutated.program, labels),
      before: (await measure(program, labels, tasks)).mean,
      after: (await measure(mutated.program, labels, tasks)).mean,
    };
  },

  /** Begins to train a program on one of the tasks. */
  async beginTraining({ text, tasks: name }: OnTasks): Promise<TrainingState> {
    const { program, labels } = parseSource(text);
    const { tasks } = await openChoice(name);
    checkLabels(labels, tasks.loss, name);
    trainer = new Trainer(program, await tasks.at(0));
    return trainer.state();
  },

  train({ count, unit }: { readonly count: number; readonly unit: StepUnit }): TrainingState {
    trainer!.advance(count, unit);
    return trainer!.state();
  },
};
