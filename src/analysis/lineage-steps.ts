// The path from an initial program to the best, step by step: what each step gained, and which techniques came and went with it
// (paper, figure 6). Must not know files, nor how techniques are recognized.
import type { BestEvent, LineageEntry, RunEvent, SelectEvent } from '../experiment/events.js';
import { type Liveness, liveness } from '../program/liveness.js';
import { parseSource } from '../program/parse.js';
import { functionTitle, printInstruction } from '../program/print.js';
import { FUNCTION_NAMES, type LabelKind, type MemorySizes, type Program } from '../program/program.js';
import type { Explanation, Technique } from './explain/explanation.js';

export type Explain = (program: Program, labels: LabelKind) => Explanation;

/** A program of a lineage. */
export interface LineageProgram {
  readonly text: string;
  readonly instructions: number;
  /** Its instructions that can reach a prediction, as `Predict: s1 = dot(v0, v1)`. */
  readonly live: ReadonlySet<string>;
}

export interface LineageStep {
  /** From 1 on. */
  readonly number: number;
  /** Programs that the experiment had proposed before it. */
  readonly id: number;
  readonly origin: LineageEntry['origin'];
  readonly fitness: number;
  /** What was changed; null for an initial program. */
  readonly parent: { readonly id: number; readonly fitness: number; readonly program: LineageProgram } | null;
  /** The step before it, if it is known; mutations that gained nothing may lie between that and the parent. */
  readonly previous: LineageProgram | null;
  readonly program: LineageProgram;
  /** The fitness of the step before; where that is not known, of the parent. Null for an initial program. */
  readonly before: number | null;
  readonly gain: number | null;
  readonly appeared: readonly Technique[];
  readonly disappeared: readonly Technique[];
  /** It gained next to nothing, and no technique came or went. */
  readonly isSmall: boolean;
}

/** A step that gained less than this part of the whole way is small. */
const SMALL_PART = 1e-3;

// --- The steps of a run that goes on -----------------------------------------------------------------------------------

export interface RecordedLine {
  /** Empty if nothing was found so far. */
  readonly entries: readonly LineageEntry[];
  /** Not so if an ancestor was never the best of its experiment, so that events say nothing of it and of those before. */
  readonly isWhole: boolean;
}

/** The line of the program that is selected so far, or of the best of the last experiment. */
export function lineFromEvents(events: Iterable<RunEvent>): RecordedLine {
  const key = (experiment: number, id: number) => `${experiment} ${id}`;
  const bests = new Map<string, BestEvent>();
  let latest: BestEvent | undefined;
  let selection: SelectEvent | undefined;
  for (const event of events) {
    if (event.type === 'select' && event.isBest) selection = event;
    if (event.type !== 'best') continue;
    latest = event;
    bests.set(key(event.experiment, event.id), event);
  }
  const entries: LineageEntry[] = [];
  let step = (selection && bests.get(key(selection.experiment, selection.id))) ?? latest;
  let isWhole = true;
  while (step !== undefined) {
    const { id, fitness, origin, parent, program, ancestor, experiment } = step;
    entries.unshift({ id, fitness, origin, parent, program });
    step = ancestor === null ? undefined : bests.get(key(experiment, ancestor));
    isWhole = ancestor === null || step !== undefined;
  }
  return { entries, isWhole };
}

// --- What they mean ----------------------------------------------------------------------------------------------------

function liveLines(program: Program, live: Liveness): Set<string> {
  return new Set(
    FUNCTION_NAMES.flatMap((name) =>
      program[name].filter((_, k) => live[name][k]).map((one) => liveLine(functionTitle(name), printInstruction(one))),
    ),
  );
}

/** An instruction of a function as `live` has it. */
export function liveLine(title: string, instruction: string): string {
  return `${title}: ${instruction}`;
}

interface ReadProgram extends LineageProgram {
  readonly techniques: readonly Technique[];
}

function readProgram(text: string, explain: Explain, memory: MemorySizes | undefined): ReadProgram {
  const { program, labels } = parseSource(text, memory);
  const instructions = FUNCTION_NAMES.reduce((sum, name) => sum + program[name].length, 0);
  const live = liveLines(program, liveness(program, labels));
  return { text, instructions, live, techniques: explain(program, labels).techniques };
}

function without(techniques: readonly Technique[], known: readonly Technique[]): Technique[] {
  return techniques.filter(({ name }) => !known.some((other) => other.name === name));
}

/** The steps with what they changed. Throws ProgramTextError if an entry holds no program. */
export function describeSteps(
  entries: readonly LineageEntry[],
  explain: Explain,
  memory?: MemorySizes,
): readonly LineageStep[] {
  const way = (entries.at(-1)?.fitness ?? 0) - (entries[0]?.fitness ?? 0);
  let previous: ReadProgram | undefined;
  let fitnessBefore: number | undefined;
  return entries.map(({ id, origin, fitness, parent, program: text }, k) => {
    const program = readProgram(text, explain, memory);
    const origins = parent && readProgram(parent.program, explain, memory);
    // Where earlier steps are not known, the parent stands for them.
    const known = previous ?? origins;
    const appeared = without(program.techniques, known?.techniques ?? []);
    const disappeared = without(known?.techniques ?? [], program.techniques);
    const before = fitnessBefore ?? parent?.fitness ?? null;
    const gain = before === null ? null : fitness - before;
    const isInner = k > 0 && k < entries.length - 1;
    const isChange = appeared.length + disappeared.length > 0;
    const step: LineageStep = {
      number: k + 1,
      id,
      origin,
      fitness,
      parent: parent && { id: parent.id, fitness: parent.fitness, program: origins! },
      previous: previous ?? null,
      program,
      before,
      gain,
      appeared,
      disappeared,
      isSmall: isInner && !isChange && gain !== null && !(gain >= SMALL_PART * way),
    };
    previous = program;
    fitnessBefore = fitness;
    return step;
  });
}

/** The steps in order, with small ones that follow each other in one group. */
export function foldSmallSteps(steps: readonly LineageStep[]): readonly (readonly LineageStep[])[] {
  const groups: LineageStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.isSmall && last?.[0]?.isSmall) last.push(step);
    else groups.push([step]);
  }
  return groups;
}
