// Where a program comes from: the steps of its line, back to an initial program, at which it became better than all its
// ancestors. The many steps between, which changed nothing or lost something again, are left out. Must not know populations.
import { type PackedPrograms, packPrograms, programStarts, unpackProgram } from '../program/flat/packed-programs.js';
import type { Program } from '../program/program.js';
import { CONNECTED_NAMES } from './connected-mutations.js';
import { MUTATION_NAMES } from './mutations.js';

/** What made a program: a mutation, how the first ones were made, or that it came to an island with other tasks. */
export const ORIGINS = ['initial', 'copy', ...MUTATION_NAMES, 'migration', ...CONNECTED_NAMES] as const;
/** What made a program: `initial`, `copy`, `migration`, or the name of a mutation. */
export type Origin = (typeof ORIGINS)[number];

/** A program with the line that led to it: the steps that were better than all before them in the line. */
export interface LineageStep {
  readonly id: number;
  readonly program: Program;
  readonly fitness: number;
  readonly origin: Origin;
  /** The program that was changed, if it was not an initial one. */
  readonly parent: Ancestor | undefined;
  /** The step before. */
  readonly previous: LineageStep | undefined;
}

export interface Ancestor {
  readonly id: number;
  readonly program: Program;
  readonly fitness: number;
}

/** From the beginning to this step. */
export function stepsTo(last: LineageStep): LineageStep[] {
  const steps: LineageStep[] = [];
  for (let step: LineageStep | undefined = last; step !== undefined; step = step.previous) steps.push(step);
  return steps.reverse();
}

/** Steps in flat arrays: each after those before it in its line. */
export interface SavedLines {
  /** For each: id, fitness, origin, the number of the step before or -1, and id and fitness of the parent or -1. */
  readonly numbers: Float64Array;
  /** For each: its program and its parent's. */
  readonly programs: PackedPrograms;
}

const NUMBERS = 6;
const NONE = -1;
const EMPTY: Program = { setup: [], predict: [], learn: [] };

/** Saves lines, and gives the number of each line's last step. */
export function saveLines(lines: readonly LineageStep[]): { saved: SavedLines; lineOf: Int32Array } {
  const numbers = new Map<LineageStep, number>();
  for (const line of lines) {
    if (numbers.has(line)) continue;
    const fresh: LineageStep[] = [];
    for (let step: LineageStep | undefined = line; step !== undefined && !numbers.has(step); step = step.previous) {
      fresh.push(step);
    }
    for (const step of fresh.reverse()) numbers.set(step, numbers.size);
  }
  const steps = [...numbers.keys()];
  const flat = new Float64Array(NUMBERS * steps.length);
  for (const [k, { id, fitness, origin, parent, previous }] of steps.entries()) {
    const at = NUMBERS * k;
    flat[at] = id;
    flat[at + 1] = fitness;
    flat[at + 2] = ORIGINS.indexOf(origin);
    flat[at + 3] = previous === undefined ? NONE : numbers.get(previous)!;
    flat[at + 4] = parent?.id ?? NONE;
    flat[at + 5] = parent?.fitness ?? NONE;
  }
  const programs = steps.flatMap(({ program, parent }) => [program, parent?.program ?? EMPTY]);
  return {
    saved: { numbers: flat, programs: packPrograms(programs) },
    lineOf: Int32Array.from(lines, (line) => numbers.get(line)!),
  };
}

/** Steps that are in use, so that the same one from elsewhere is not kept a second time. */
export class KnownSteps {
  private readonly byId = new Map<number, LineageStep[]>();
  size = 0;

  find(id: number, fitness: number, previous: LineageStep | undefined): LineageStep | undefined {
    return this.byId.get(id)?.find((step) => step.fitness === fitness && step.previous === previous);
  }

  add(step: LineageStep): void {
    const same = this.byId.get(step.id);
    if (same === undefined) this.byId.set(step.id, [step]);
    else same.push(step);
    this.size++;
  }

  clear(): void {
    this.byId.clear();
    this.size = 0;
  }
}

/** The steps that were saved, by their numbers. */
export function restoreLines({ numbers, programs }: SavedLines, known?: KnownSteps): LineageStep[] {
  const starts = programStarts(programs);
  const steps: LineageStep[] = [];
  for (let k = 0; NUMBERS * k < numbers.length; k++) {
    const at = NUMBERS * k;
    const id = numbers[at]!;
    const fitness = numbers[at + 1]!;
    const before = numbers[at + 3]!;
    const previous = before === NONE ? undefined : steps[before]!;
    const same = known?.find(id, fitness, previous);
    if (same !== undefined) {
      steps.push(same);
      continue;
    }
    const parentId = numbers[at + 4]!;
    const program = (number: number) => unpackProgram(programs, number, starts[number]!);
    const step: LineageStep = {
      id,
      fitness,
      origin: ORIGINS[numbers[at + 2]!]!,
      program: program(2 * k),
      parent: parentId === NONE ? undefined : { id: parentId, fitness: numbers[at + 5]!, program: program(2 * k + 1) },
      previous,
    };
    known?.add(step);
    steps.push(step);
  }
  return steps;
}
