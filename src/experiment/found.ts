// What a search has found, as text: the program, without what has no effect, and the line that led to it. Must not know how searches
// work.
import { type LineageStep, stepsTo } from '../evolve/lineage.js';
import { simplify } from '../program/liveness.js';
import { printProgram } from '../program/print.js';
import type { LabelKind } from '../program/program.js';
import type { BestEvent, LineageEntry, RunResult } from './events.js';
import type { NewBest } from './field.js';

function printParent({ parent }: LineageStep, labels: LabelKind): LineageEntry['parent'] {
  if (parent === undefined) return null;
  const { id, fitness, program } = parent;
  return { id, fitness, program: printProgram(program, labels) };
}

/** What an event says of a program that is better than all before it. */
export function printBest(
  { line, hash }: NewBest,
  labels: LabelKind,
): Omit<BestEvent, 'type' | 'experiment' | 'algorithms' | 'island'> {
  const { id, fitness, origin, previous, program } = line;
  const text = printProgram(program, labels);
  return {
    id,
    fitness,
    origin,
    parent: printParent(line, labels),
    ancestor: previous?.id ?? null,
    hash,
    program: text,
  };
}

export function printFound(
  line: LineageStep | undefined,
  labels: LabelKind,
): Pick<RunResult, 'program' | 'simplified' | 'lineage'> {
  if (line === undefined) return { program: null, simplified: null, lineage: [] };
  return {
    program: printProgram(line.program, labels),
    simplified: printProgram(simplify(line.program, labels), labels),
    lineage: stepsTo(line).map((step) => ({
      id: step.id,
      fitness: step.fitness,
      origin: step.origin,
      parent: printParent(step, labels),
      program: printProgram(step.program, labels),
    })),
  };
}
