// What an island tells the one who collects the results, as text, and back. What comes may be anything: whatever is no report of this
// search is refused. Must not know how texts travel.
import * as z from 'zod';
import { noCounts } from '../evaluate/candidate-evaluator.js';
import { type LineageStep, ORIGINS, stepsTo } from '../evolve/lineage.js';
import type { Config } from '../experiment/config.js';
import { labelsOf } from '../experiment/config-checks.js';
import type { EndReason } from '../experiment/events.js';
import type { NewBest } from '../experiment/field.js';
import { groupConfigs } from '../experiment/groups.js';
import type { IslandReport } from '../experiment/island-host.js';
import { parseProgram } from '../program/parse.js';
import { printProgram } from '../program/print.js';
import type { Program } from '../program/program.js';
import { isOfSearch } from './migrant-bytes.js';

const amount = z.number().nonnegative();
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
  program: z.string(),
});

const counts = z.strictObject(
  Object.fromEntries(Object.keys(noCounts()).map((name) => [name, amount])) as {
    [name in keyof ReturnType<typeof noCounts>]: typeof amount;
  },
);

const MESSAGE = z.strictObject({
  experiment: z.int().positive(),
  island: z.int().nonnegative(),
  group: z.int().nonnegative(),
  algorithms: amount,
  best: fitness.nullable(),
  mean: fitness.nullable(),
  migration: z.strictObject({ migrations: amount, sent: amount, received: amount, judged: amount, refused: amount }),
  counts,
  rescued: amount,
  /** Null while there is none. */
  hurdles: z.array(fitness.nullable()).max(100),
  sinceBest: amount,
  bests: z.array(z.strictObject({ hash: z.string().max(64), steps: z.array(step).min(1) })),
  famous: z.array(z.strictObject({ hash: z.string().max(64), fitness, id: amount, program: z.string() })),
  ended: z.enum(END_REASONS).nullable(),
});

export type IslandMessage = z.infer<typeof MESSAGE>;

/** A report, and the experiment that it is of. */
export interface TimedReport {
  readonly experiment: number;
  readonly report: IslandReport;
}

// --- Writing -----------------------------------------------------------------------------------------------------------

export function printReport({ experiment, report }: TimedReport, config: Config): string {
  const labels = labelsOf(config.tasks.search.set);
  const text = (program: Program) => printProgram(program, labels);
  const { status, counts, rescued, hurdles, sinceBest, bests, famous, ended } = report;
  const message: IslandMessage = {
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
    bests: bests.map(({ hash, line }) => ({
      hash,
      steps: stepsTo(line).map(({ id, fitness, origin, parent, program }) => ({
        id,
        fitness,
        origin,
        parent: parent === undefined ? null : { ...parent, program: text(parent.program) },
        program: text(program),
      })),
    })),
    famous: famous.map(({ hash, fitness, id, program }) => ({ hash, fitness, id, program: text(program) })),
    ended: ended ?? null,
  };
  return JSON.stringify(message);
}

// --- Reading -----------------------------------------------------------------------------------------------------------

function readProgram(text: string, config: Config): Program {
  const program = parseProgram(text, config.space.memory);
  if (!isOfSearch(program, config)) throw new Error('not a program of this search');
  return program;
}

function readLine(steps: IslandMessage['bests'][number]['steps'], config: Config): LineageStep {
  let last: LineageStep | undefined;
  for (const { parent, program, ...rest } of steps) {
    last = {
      ...rest,
      program: readProgram(program, config),
      parent: parent === null ? undefined : { ...parent, program: readProgram(parent.program, config) },
      previous: last,
    };
  }
  return last!;
}

/** Nothing if the text is no report of an island of this search. */
export function readReport(text: string, islands: number, config: Config): TimedReport | undefined {
  try {
    const message = MESSAGE.parse(JSON.parse(text));
    const { experiment, island, group, bests, famous, hurdles, ended, counts, rescued, sinceBest, ...status } = message;
    if (island >= islands || group >= groupConfigs(config).length) return undefined;
    const report: IslandReport = {
      status: { island, group, ...status },
      counts,
      rescued,
      hurdles: Float64Array.from(hurdles, (hurdle) => hurdle ?? Number.NEGATIVE_INFINITY),
      sinceBest,
      bests: bests.map(({ hash, steps }): NewBest => ({ hash, line: readLine(steps, config), island, group })),
      famous: famous.map((entry) => ({ ...entry, experiment, program: readProgram(entry.program, config) })),
      ended: ended ?? undefined,
      upload: undefined,
    };
    return { experiment, report };
  } catch {
    return undefined;
  }
}
