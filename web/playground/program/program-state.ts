// The program that somebody edits, with what was measured of it, and what can be undone. The measuring is done by lab-worker.ts. Must
// not know how it is shown.
import { batch, computed, effect, signal } from '@preact/signals';
import { labelKind } from '../../../src/engine/engine.js';
import type { MutationName } from '../../../src/evolve/mutations.js';
import { lossOfTaskSet } from '../../../src/experiment/config-loss.js';
import { ProgramTextError } from '../../../src/program/lexer.js';
import { type ProgramSource, parseSource } from '../../../src/program/parse.js';
import type { LabelKind } from '../../../src/program/program.js';
import { builtinText } from './builtin-text.js';
import type { Measured, Mutation } from './lab.js';
import { lab } from './lab-client.js';
import { findChoice, TASK_CHOICES, type TaskChoice } from './task-choices.js';

interface Edited {
  readonly text: string;
  readonly name: string;
}

const FIRST = 'paper/linear';

export const edited = signal<Edited>({ text: builtinText(FIRST), name: FIRST });
export const tasks = signal(TASK_CHOICES[0]!.name);
export const measured = signal<Measured | undefined>(undefined);
/** Why it could not be measured, if its text is right. */
export const measureProblem = signal<string | undefined>(undefined);
export const isMeasuring = signal(false);
export const mutation = signal<(Mutation & { readonly parent: string }) | undefined>(undefined);
/** Why there is no mutation. */
export const mutationProblem = signal<string | undefined>(undefined);
const past = signal<readonly Edited[]>([]);
export const canUndo = computed(() => past.value.length > 0);

export type Source = ProgramSource | { readonly line: number; readonly column: number; readonly problem: string };

export const source = computed((): Source => {
  try {
    return parseSource(edited.value.text);
  } catch (error) {
    if (!(error instanceof ProgramTextError)) throw error;
    const { line, column, message } = error;
    return { line, column, problem: message };
  }
});

// --- Editing -----------------------------------------------------------------------------------------------------------

const MOST_PAST = 200;
/** Letters that are typed without a pause are undone together. */
const TYPING_MS = 800;
let typedAt = Number.NEGATIVE_INFINITY;

function forgetMutation(): void {
  mutation.value = undefined;
  mutationProblem.value = undefined;
}

function remember(): void {
  past.value = [...past.value, edited.value].slice(-MOST_PAST);
}

export function typeProgram(text: string): void {
  const now = performance.now();
  if (now - typedAt > TYPING_MS) remember();
  typedAt = now;
  batch(() => {
    edited.value = { ...edited.value, text };
    forgetMutation();
  });
}

export function renameProgram(name: string): void {
  edited.value = { ...edited.value, name };
}

export function openProgram(program: Edited & { readonly tasks?: string }): void {
  batch(() => {
    remember();
    edited.value = { text: program.text, name: program.name };
    forgetMutation();
    const wanted = program.tasks ?? tasks.value;
    tasks.value = fittingTasks(findChoice(wanted)).name;
  });
  typedAt = Number.NEGATIVE_INFINITY;
}

export function openBuiltin(name: string): void {
  openProgram({ text: builtinText(name), name });
}

/** Which labels a program must take. */
function labelsOf({ request }: TaskChoice): LabelKind {
  return labelKind(lossOfTaskSet(request.name));
}

/** The tasks that are wanted; if their labels are not those of the program, the first with such labels. */
function fittingTasks(wanted: TaskChoice): TaskChoice {
  if ('problem' in source.value) return wanted;
  const { labels } = source.value;
  return [wanted, ...TASK_CHOICES].find((choice) => labelsOf(choice) === labels)!;
}

export function undo(): void {
  const last = past.value.at(-1);
  if (last === undefined) return;
  batch(() => {
    past.value = past.value.slice(0, -1);
    edited.value = last;
    forgetMutation();
  });
  typedAt = Number.NEGATIVE_INFINITY;
}

// --- Measuring ---------------------------------------------------------------------------------------------------------

const DEBOUNCE_MS = 180;
let timer: ReturnType<typeof setTimeout> | undefined;
let latest = 0;

async function measureNow(text: string, choice: string): Promise<void> {
  const number = ++latest;
  isMeasuring.value = true;
  const outcome = await lab()
    .call('measure', { text, tasks: choice })
    .then(
      (found) => ({ found, problem: undefined }),
      (error: Error) => ({ found: undefined, problem: error.message }),
    );
  // Something else may have been asked for meanwhile.
  if (number !== latest) return;
  batch(() => {
    isMeasuring.value = false;
    measured.value = outcome.found;
    measureProblem.value = outcome.problem;
  });
}

/** Measures the program whenever it or its tasks change, for as long as the view is there. */
export function keepMeasuring(): () => void {
  return effect(() => {
    const { text } = edited.value;
    const choice = tasks.value;
    clearTimeout(timer);
    if ('problem' in source.value) return;
    timer = setTimeout(() => void measureNow(text, choice), DEBOUNCE_MS);
  });
}

// --- Mutating ----------------------------------------------------------------------------------------------------------

/** Draws the mutations: the next is another one. */
let mutationSeed = 1;

export async function mutate(kind: MutationName | undefined): Promise<void> {
  const before = edited.value;
  const { text } = before;
  const made = await lab()
    .call('mutate', { text, tasks: tasks.value, kind, seed: mutationSeed++ })
    .catch((error: Error) => error);
  if (edited.value !== before) return;
  batch(() => {
    mutationProblem.value = made instanceof Error ? made.message : undefined;
    if (made instanceof Error) return;
    if (made.isChanged) {
      remember();
      edited.value = { ...before, text: made.text };
    }
    mutation.value = { ...made, parent: text };
  });
  typedAt = Number.NEGATIVE_INFINITY;
}
