// Where a program comes from: the steps of its line, back to an initial program, at which it became better than all its
// ancestors. The many steps between, which changed nothing or lost something again, are left out. Must not know populations.
import { type PackedPrograms, packPrograms, unpackPrograms } from '../program/packed-programs.js';
import type { Program } from '../program/program.js';
import { MUTATION_NAMES } from './mutations.js';

/** What made a program: a mutation, how the first ones were made, or that it came to an island with other tasks. */
export const ORIGINS = ['initial', 'copy', ...MUTATION_NAMES, 'migration'] as const;
export type Origin = (typeof ORIGINS)[number];

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
    const fresh: LineageStep[] = [];
    for (let step: LineageStep | undefined = line; step !== undefined && !numbers.has(step); step = step.previous) {
      fresh.push(step);
    }
    for (const step of fresh.reverse()) numbers.set(step, numbers.size);
  }
  const steps = [...numbers.keys()];
  const flat = steps.flatMap(({ id, fitness, origin, parent, previous }) => {
    const before = previous === undefined ? NONE : numbers.get(previous)!;
    return [id, fitness, ORIGINS.indexOf(origin), before, parent?.id ?? NONE, parent?.fitness ?? NONE];
  });
  const programs = steps.flatMap(({ program, parent }) => [program, parent?.program ?? EMPTY]);
  return {
    saved: { numbers: Float64Array.from(flat), programs: packPrograms(programs) },
    lineOf: Int32Array.from(lines, (line) => numbers.get(line)!),
  };
}

/** The steps that were saved, by their numbers. */
export function restoreLines({ numbers, programs }: SavedLines): LineageStep[] {
  const unpacked = unpackPrograms(programs);
  const steps: LineageStep[] = [];
  for (let k = 0; NUMBERS * k < numbers.length; k++) {
    const [id, fitness, origin, before, parentId, parentFitness] = numbers.subarray(NUMBERS * k, NUMBERS * (k + 1));
    const parent = { id: parentId!, fitness: parentFitness!, program: unpacked[2 * k + 1]! };
    steps.push({
      id: id!,
      fitness: fitness!,
      origin: ORIGINS[origin!]!,
      program: unpacked[2 * k]!,
      parent: parentId === NONE ? undefined : parent,
      previous: before === NONE ? undefined : steps[before!]!,
    });
  }
  return steps;
}
