// Answers about the programs of a run: the best one, how it came about, and the hall of fame. Must not know how programs are explained,
// nor requests.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Papa from 'papaparse';
import { TECHNIQUES, type Technique } from '../analysis/explain/explanation.js';
import { type LineageStep as DescribedStep, describeSteps } from '../analysis/lineage-steps.js';
import type { LineageEntry } from '../experiment/events.js';
import { ProgramTextError } from '../program/lexer.js';
import { simplify } from '../program/liveness.js';
import { parseSource } from '../program/parse.js';
import { printProgram } from '../program/print.js';
import { countInstructions, forFunctions, type LabelKind, type MemorySizes, type Program } from '../program/program.js';
import { simplifyText } from '../program/simplify-text.js';
import { findFlags } from '../reports/technique-flags.js';
import { FILES } from '../runs/run-files.js';
import { noteTechniques, type Outcome } from './answer-about-program.js';
import {
  type BestProgram,
  type ExplainedText,
  type HallOfFame,
  LIMITS,
  type Lineage,
  type LineageStep,
} from './api.js';
import type { Explainer } from './explainer.js';
import { finite } from './numbers.js';
import { type Line, type RunSource, readBestText, readLine } from './run-source.js';
import { readPlainFile } from './safe-file.js';

/** Milliseconds that an answer waits for explanations. */
const PATIENCE = 1500;

// --- The best program --------------------------------------------------------------------------------------------------

/** What can be said at once. */
function describePlainly(text: string, memory: MemorySizes): Outcome<'explain'> {
  try {
    const { program, labels } = parseSource(text, memory);
    const describe = (shown: Program): ExplainedText => ({
      text: printProgram(shown, labels),
      instructions: countInstructions(shown),
      comments: forFunctions((name) => shown[name].map(() => '')),
      names: {},
      techniques: [],
    });
    const simplified = describe(simplify(program, labels));
    return { answer: { labels, raw: describe(program), simplified, remark: null, latex: '' } };
  } catch (error) {
    if (error instanceof ProgramTextError) return { problem: error.message };
    throw error;
  }
}

/** The answer, unless it takes longer than somebody waits. */
function orTooLate<T>(answer: Promise<T>): Promise<T | undefined> {
  return Promise.race([answer, sleep(PATIENCE, undefined, { ref: false })]);
}

export async function answerBest(source: RunSource, explainer: Explainer): Promise<BestProgram> {
  const line = readLine(source);
  const text = readBestText(source, line);
  if (text === null) return { program: null };
  const { config } = source;
  const explained = await orTooLate(explainer.ask('explain', { text, config }));
  const outcome = explained ?? describePlainly(text, config.space.memory);
  if ('problem' in outcome) return { program: null, problem: outcome.problem };
  const entry = line.entries.at(-1);
  const parent = entry?.parent && {
    id: entry.parent.id,
    fitness: finite(entry.parent.fitness),
    raw: entry.parent.program,
    simplified: simplifyText(entry.parent.program, config.space.memory),
  };
  const { fitness = null, origin = null } = entry ?? {};
  const isExplained = explained !== undefined;
  return { program: { ...outcome.answer, isExplained, fitness: finite(fitness), origin, parent: parent ?? null } };
}

// --- How it came about -------------------------------------------------------------------------------------------------

/** Asks for the techniques of one step after the other, so that other questions are answered in between. Gives how many it knows. */
async function learnTechniques(texts: readonly string[], { config }: RunSource, explainer: Explainer): Promise<number> {
  const until = performance.now() + PATIENCE;
  for (const [k, text] of texts.entries()) {
    if (explainer.recall('techniques', { text, config }) !== undefined) continue;
    if (performance.now() > until) return k;
    await explainer.ask('techniques', { text, config });
  }
  return texts.length;
}

type Explain = Parameters<typeof describeSteps>[1];

/** Techniques that are known; a program whose techniques are not known yet counts as having those of the one before it. */
function explainKnown(known: ReadonlyMap<string, readonly Technique[]>): Explain {
  let last: readonly Technique[] = [];
  return (program: Program, labels: LabelKind) => {
    last = known.get(printProgram(simplify(program, labels), labels)) ?? last;
    return { comments: { setup: [], predict: [], learn: [] }, names: new Map(), techniques: last };
  };
}

function toStep(step: DescribedStep, place: number, memory: MemorySizes): LineageStep {
  const { number, id, origin, fitness, gain, parent, program, appeared, disappeared, isSmall } = step;
  return {
    number,
    id,
    place,
    origin,
    fitness: finite(fitness),
    gain: finite(gain),
    parent: parent && { id: parent.id, fitness: finite(parent.fitness), program: parent.program.text },
    program: program.text,
    simplified: simplifyText(program.text, memory),
    instructions: program.instructions,
    appeared: noteTechniques(appeared),
    disappeared: disappeared.map(({ name }) => name),
    isSmall,
  };
}

/** Where the chart has the programs of an experiment. One that was never the best has no point of its own. */
function placesIn({ index: { told } }: RunSource, experiment: number | null): (id: number) => number {
  const bests = told.bests.get(experiment ?? 0) ?? [];
  const places = new Map(bests.map(({ id, place }) => [id, place]));
  const start = told.experiments.get(experiment ?? 0)?.start ?? 0;
  return (id) => places.get(id) ?? Math.min(id + 1, told.algorithms - start);
}

/** The parent of the first step stands for those before it, so that it is explained too. */
function textsToExplain(entries: readonly LineageEntry[], memory: MemorySizes): string[] {
  const first = entries[0]?.parent?.program;
  const texts = entries.map(({ program }) => simplifyText(program, memory));
  return first === undefined ? texts : [simplifyText(first, memory), ...texts];
}

async function describeLine(source: RunSource, { entries }: Line, explainer: Explainer) {
  const { config } = source;
  const texts = textsToExplain(entries, config.space.memory);
  const count = await learnTechniques(texts, source, explainer);
  const known = new Map<string, readonly Technique[]>();
  for (const text of texts.slice(0, count)) {
    const outcome = explainer.recall('techniques', { text, config });
    if (outcome !== undefined && 'answer' in outcome) known.set(text, outcome.answer);
  }
  const steps = describeSteps(entries, explainKnown(known), config.space.memory);
  return { steps, explained: Math.max(0, count - (texts.length - entries.length)) };
}

export async function answerLineage(
  source: RunSource,
  explainer: Explainer,
  from: number,
  count: number,
): Promise<Lineage> {
  const line = readLine(source);
  const { experiment, isWhole } = line;
  const total = line.entries.length;
  try {
    const { steps, explained } = await describeLine(source, line, explainer);
    const { memory } = source.config.space;
    const placeOf = placesIn(source, experiment);
    const shown = steps
      .slice(from, from + Math.min(count, LIMITS.lineageSteps))
      .map((step) => toStep(step, placeOf(step.id), memory));
    const flags = findFlags(steps).map(({ id, fitness, techniques, lost }) => ({
      step: steps.findIndex((step) => step.id === id) + 1,
      place: placeOf(id),
      fitness: finite(fitness),
      techniques: techniques.map(({ name }) => ({ name, title: TECHNIQUES[name], isLost: lost.has(name) })),
    }));
    return { experiment, total, from, steps: shown, isWhole, explained, flags };
  } catch (error) {
    if (!(error instanceof ProgramTextError)) throw error;
    const problem = `A step is no program: ${error.message}`;
    return { experiment, total: 0, from: 0, steps: [], isWhole: false, explained: 0, flags: [], problem };
  }
}

// --- The hall of fame --------------------------------------------------------------------------------------------------

const MAX_HALL_BYTES = 16 << 20;
const MAX_ENTRIES = 200;

export function answerHall(directory: string): HallOfFame {
  const text = readPlainFile(join(directory, FILES.hallOfFame), MAX_HALL_BYTES)?.toString('utf8') ?? '';
  const { data } = Papa.parse<Partial<Record<string, string>>>(text, { header: true, skipEmptyLines: true });
  return {
    entries: data.slice(0, MAX_ENTRIES).map((row, k) => ({
      rank: finite(Number(row.rank)) ?? k + 1,
      fitness: finite(Number(row.fitness)),
      experiment: finite(Number(row.experiment)) ?? 0,
      id: finite(Number(row.id)) ?? 0,
      hash: row.hash ?? '',
      instructions: finite(Number(row.instructions)) ?? 0,
      program: row.program ?? '',
    })),
  };
}
