// A program's text with what can be said about it without running it: comments by line, techniques, and the graph of its data. Texts
// that are no program keep their words. Must not know pages.
import { type Graph, graphOf } from '../../src/analysis/diagram/graph.js';
import { explain } from '../../src/analysis/explain/explain.js';
import type { Explanation } from '../../src/analysis/explain/explanation.js';
import { type Loss, labelKind } from '../../src/engine/engine.js';
import { ProgramTextError } from '../../src/program/lexer.js';
import { type ProgramSource, parseSource } from '../../src/program/parse.js';
import { printProgram } from '../../src/program/print.js';
import {
  type ForFunctions,
  FUNCTION_NAMES,
  type FunctionName,
  type LabelKind,
  type MemorySizes,
  type Program,
} from '../../src/program/program.js';

export interface ExplainedProgram extends ProgramSource {
  /** As the printer writes it. */
  readonly text: string;
  readonly explanation: Explanation;
  /** By line of `text`; empty for lines that are no instruction. */
  readonly comments: readonly string[];
}

export interface UnreadableProgram {
  readonly problem: string;
}

/** Where the texts come from: sizes of memory, and how predictions are judged. */
export interface ProgramContext {
  readonly memory?: MemorySizes | undefined;
  readonly loss?: Loss | undefined;
}

interface Place {
  readonly function: FunctionName;
  readonly index: number;
}

/**
 * The lines of a printed program: the place of each instruction, nothing for heads and the lines between functions. Of a program, or of
 * anything else with one item for each instruction.
 */
export function placesByLine(items: ForFunctions<readonly unknown[]>): (Place | undefined)[] {
  return FUNCTION_NAMES.flatMap((name, f) => [
    ...(f === 0 ? [] : [undefined]),
    undefined,
    ...items[name].map((_, index) => ({ function: name, index })),
  ]);
}

/** The comment of each line; empty for lines that are no instruction. */
export function commentsByLine(comments: Explanation['comments']): string[] {
  return placesByLine(comments).map((place) => (place ? comments[place.function][place.index]! : ''));
}

/** The lines, from 0 on, of what is at some places. */
export function linesOfPlaces(items: ForFunctions<readonly unknown[]>, places: readonly Place[]): Set<number> {
  const isThere = (line: Place | undefined) =>
    places.some((place) => place.function === line?.function && place.index === line.index);
  return new Set(placesByLine(items).flatMap((place, line) => (isThere(place) ? [line] : [])));
}

function explainSource({ program, labels }: ProgramSource, loss: Loss | undefined): ExplainedProgram {
  const fitting = loss !== undefined && labelKind(loss) === labels ? loss : undefined;
  const explanation = explain(program, labels, fitting);
  const comments = commentsByLine(explanation.comments);
  return { program, labels, text: printProgram(program, labels), explanation, comments };
}

/** Explaining takes some hundredths of a second, and pages ask for the same few programs again and again. */
const MOST_KNOWN = 400;
const known = new Map<string, ExplainedProgram | UnreadableProgram>();

function remember<T extends ExplainedProgram | UnreadableProgram>(key: string, value: T): T {
  if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value!);
  known.set(key, value);
  return value;
}

/** Instructions; of many more, explaining takes so long that the page would stand still. */
const MOST_EXPLAINED = 200;

/** The program with all that is known about it; or why nothing is. */
export function explainText(text: string, context: ProgramContext = {}): ExplainedProgram | UnreadableProgram {
  const key = JSON.stringify([text, context.memory, context.loss]);
  const before = known.get(key);
  if (before !== undefined) return before;
  try {
    const source = parseSource(text, context.memory);
    const length = FUNCTION_NAMES.reduce((sum, name) => sum + source.program[name].length, 0);
    if (length > MOST_EXPLAINED) {
      return remember(key, { problem: `${length} instructions: only up to ${MOST_EXPLAINED} are explained` });
    }
    return remember(key, explainSource(source, context.loss));
  } catch (error) {
    if (error instanceof ProgramTextError) return remember(key, { problem: error.message });
    throw error;
  }
}

export function flowOf({
  program,
  labels,
  explanation,
}: {
  program: Program;
  labels: LabelKind;
  explanation: Explanation;
}): Graph {
  return graphOf(program, labels, explanation);
}
