// What an island tells the one who collects the results, as text, and back. What comes may be anything: whatever is no report of this
// search is refused. Must not know how texts travel.
import * as z from 'zod';
import { type LineageStep, ORIGINS, stepsTo } from '../evolve/lineage.js';
import type { Config } from '../experiment/config.js';
import { labelsOf } from '../experiment/config-loss.js';
import type { EndReason } from '../experiment/events.js';
import type { NewBest } from '../experiment/field.js';
import { groupConfigs, groupOf, islandCount } from '../experiment/groups.js';
import type { IslandReport } from '../experiment/island-host.js';
import { parseProgram } from '../program/parse.js';
import { printProgram } from '../program/print.js';
import type { Program } from '../program/program.js';
import { identifySearch } from './identify-search.js';
import { isOfSearch } from './migrant-bytes.js';
import { amount, counts, migration } from './report-parts.js';

const fitness = z.number().min(0).max(1);
const END_REASONS = [
  'fitness',
  'experiments',
  'algorithms',
  'steps',
  'no-progress',
  'minutes',
  'stopped',
] as const satisfies readonly EndReason[];

const ancestor = z.strictObject({ id: amount, fitness, program: z.string() });
const step = z.strictObject({
  id: amount,
  fitness,
  origin: z.enum(ORIGINS),
  parent: ancestor.nullable(),
  /** The number of the step before, which is smaller than its own. */
  previous: z.int().nonnegative().nullable(),
  program: z.string(),
});
const hash = z.string().regex(/^[0-9a-f]{1,64}$/);

const MESSAGE = z.strictObject({
  /** Which search it is of. */
  search: z.string(),
  experiment: z.int().positive(),
  island: z.int().nonnegative(),
  group: z.int().nonnegative(),
  algorithms: amount,
  best: fitness.nullable(),
  mean: fitness.nullable(),
  migration,
  counts,
  rescued: amount,
  /** Null while there is none. */
  hurdles: z.array(fitness.nullable()).max(100),
  sinceBest: amount,
  /** Of the lines of all that is best: they have most of their steps in common. */
  steps: z.array(step),
  bests: z.array(z.strictObject({ hash, step: z.int().nonnegative() })),
  famous: z.array(z.strictObject({ hash, fitness, id: amount, program: z.string() })),
  ended: z.enum(END_REASONS).nullable(),
});

export type IslandMessage = z.infer<typeof MESSAGE>;

/** A report, and the experiment that it is of. */
export interface TimedReport {
  readonly experiment: number;
  readonly report: IslandReport;
}

// --- Writing -----------------------------------------------------------------------------------------------------------

function printMessage({ experiment, report }: TimedReport, config: Config): string {
  const labels = labelsOf(config.tasks.search.set);
  const text = (program: Program) => printProgram(program, labels);
  const { status, counts, rescued, hurdles, sinceBest, bests, famous, ended } = report;
  const steps = new Map<LineageStep, number>();
  for (const { line } of bests) for (const each of stepsTo(line)) if (!steps.has(each)) steps.set(each, steps.size);
  const message: IslandMessage = {
    search: identifySearch(config),
    experiment,
    island: status.island,
    group: status.group,
    algorithms: status.algorithms,
    best: status.best,
    mean: status.mean,
    migration: status.migration,
    counts,
    rescued,
    hurdles: Array.from(hurdles, (hurdle) => (Number.isFinite(hurdle) ? hurdle : null)),
    sinceBest,
    steps: [...steps.keys()].map(({ id, fitness, origin, parent, previous, program }) => ({
      id,
      fitness,
      origin,
      parent: parent === undefined ? null : { ...parent, program: text(parent.program) },
      previous: previous === undefined ? null : steps.get(previous)!,
      program: text(program),
    })),
    bests: bests.map(({ hash, line }) => ({ hash, step: steps.get(line)! })),
    famous: famous.map(({ hash, fitness, id, program }) => ({ hash, fitness, id, program: text(program) })),
    ended: ended ?? null,
  };
  return JSON.stringify(message);
}

/** Some of what a report found; the counts are the same. */
function takePart(report: IslandReport, from: number, to: number): IslandReport {
  const { bests, famous } = report;
  const [first, last] = [from, to].map((at) => Math.max(0, at - bests.length));
  return { ...report, bests: bests.slice(from, to), famous: famous.slice(first, last) };
}

/** A report as one text, or as several if that would be too long; a single program that is too long is left out. */
export function printReport({ experiment, report }: TimedReport, config: Config, maxBytes: number): string[] {
  const text = printMessage({ experiment, report }, config);
  const found = report.bests.length + report.famous.length;
  if (found === 0 || Buffer.byteLength(text) <= maxBytes) return [text];
  const print = (part: IslandReport) => printReport({ experiment, report: part }, config, maxBytes);
  if (found === 1) return print(takePart(report, 0, 0));
  const middle = Math.floor(found / 2);
  // The last one says that it has ended.
  const first = { ...takePart(report, 0, middle), ended: undefined };
  return [...print(first), ...print(takePart(report, middle, found))];
}

// --- Reading -----------------------------------------------------------------------------------------------------------

function readProgram(text: string, config: Config): Program {
  const program = parseProgram(text, config.space.memory);
  if (!isOfSearch(program, config)) throw new Error('not a program of this search');
  return program;
}

/** The steps of lines, each with those before it. */
function readSteps(steps: IslandMessage['steps'], config: Config): LineageStep[] {
  const read: LineageStep[] = [];
  for (const { parent, previous, program, ...rest } of steps) {
    if (previous !== null && previous >= read.length) throw new Error('a step before the one before it');
    read.push({
      ...rest,
      program: readProgram(program, config),
      parent: parent === null ? undefined : { ...parent, program: readProgram(parent.program, config) },
      previous: previous === null ? undefined : read[previous]!,
    });
  }
  return read;
}

/** Whether an island of this search can have said so. */
function isPlausible({ search, experiment, island, group, algorithms, bests, steps }: IslandMessage, config: Config) {
  return (
    search === identifySearch(config) &&
    experiment <= (config.stop.experiments ?? Infinity) &&
    island < islandCount(config) &&
    group === groupOf(island, groupConfigs(config).length) &&
    algorithms <= (config.experiment.algorithms ?? Infinity) &&
    bests.every(({ step }) => step < steps.length)
  );
}

/** Nothing if the text is no report of an island of this search. */
export function readReport(text: string, config: Config): TimedReport | undefined {
  try {
    const message = MESSAGE.parse(JSON.parse(text));
    if (!isPlausible(message, config)) return undefined;
    const { search: _, experiment, island, group, ...rest } = message;
    const { steps, bests, famous, hurdles, ended, counts, rescued, sinceBest, ...status } = rest;
    const lines = readSteps(steps, config);
    const report: IslandReport = {
      status: { island, group, ...status },
      counts,
      rescued,
      hurdles: Float64Array.from(hurdles, (hurdle) => hurdle ?? Number.NEGATIVE_INFINITY),
      sinceBest,
      bests: bests.map(({ hash, step }): NewBest => ({ hash, line: lines[step]!, island, group })),
      famous: famous.map((entry) => ({ ...entry, experiment, program: readProgram(entry.program, config) })),
      ended: ended ?? undefined,
      upload: undefined,
    };
    return { experiment, report };
  } catch {
    return undefined;
  }
}
