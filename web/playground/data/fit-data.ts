// A table in the making of its model, in the page: reads it, says what was found, searches, tunes, trains and scores as `evozero fit`
// does, and tells of every new best program. Answers requests that can be sent as messages. Must not know workers or pages.
import { type Fit, type FittedProgram, fitTable } from '../../../src/analysis/fit/fit.js';
import { differenceText, scoreText } from '../../../src/analysis/fit/score-text.js';
import { localJudge } from '../../../src/analysis/judge.js';
import { labelKind } from '../../../src/engine/engine.js';
import type { Origin } from '../../../src/evolve/lineage.js';
import type { Field } from '../../../src/experiment/field.js';
import { LocalField } from '../../../src/experiment/local-field.js';
import { printProgram } from '../../../src/program/print.js';
import type { LabelKind } from '../../../src/program/program.js';
import { DataError } from '../../../src/tasks/data-error.js';
import { columnPlaces, type Table } from '../../../src/tasks/tabular/table.js';
import { readTable, splitTable, type TableReport } from '../../../src/tasks/tabular/tabular.js';
import { LOSS_OF_KIND } from '../../../src/tasks/task-kind.js';
import { takeTurns } from '../connection/take-turns.js';
import { readCsv } from './read-csv.js';

const SHOWN_ROWS = 5;

export interface TableSummary {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** The first rows. */
  readonly sample: readonly (readonly string[])[];
}

export interface FitOptions {
  readonly target: string;
  readonly seconds: number;
  readonly seed: number;
  readonly fromScratch: boolean;
}

export type FitNews =
  | { readonly type: 'stage'; readonly stage: string }
  | { readonly type: 'search'; readonly algorithms: number; readonly best: number; readonly milliseconds: number }
  | {
      readonly type: 'best';
      readonly algorithms: number;
      readonly fitness: number;
      readonly origin: Origin;
      readonly text: string;
      readonly parent: string | null;
    };

export interface FitResult {
  readonly report: TableReport;
  readonly sameAs: string | null;
  readonly text: string;
  /** The evolved program first. */
  readonly scores: readonly { readonly name: string; readonly score: string; readonly comparison: string | null }[];
}

/** Milliseconds between two news, so that a page has time to draw them. */
const TELL_MS = 200;

/** Tells the latest of each kind now and then, and before a new stage. */
function tellSeldom(tell: (news: FitNews) => void): (news: FitNews) => void {
  const waiting = new Map<FitNews['type'], FitNews>();
  let toldAt = Number.NEGATIVE_INFINITY;
  return (news) => {
    waiting.set(news.type, news);
    const now = performance.now();
    if (news.type !== 'stage' && now - toldAt < TELL_MS) return;
    toldAt = now;
    for (const each of waiting.values()) tell(each);
    waiting.clear();
  };
}

let table: Table | undefined;
let isStopped = false;

function openedTable(): Table {
  if (table === undefined) throw new DataError('choose a file first');
  return table;
}

/** The same field, but messages come through before it goes on, and every new best program is told of. */
function watchField(field: Field, labels: LabelKind, tell: (news: FitNews) => void): Field {
  const advance: Field['advance'] = async (stretch, hall) => {
    await takeTurns();
    const findings = await field.advance(stretch, hall);
    for (const { line } of findings.bests) {
      tell({
        type: 'best',
        algorithms: field.algorithms,
        fitness: line.fitness,
        origin: line.origin,
        text: printProgram(line.program, labels),
        parent: line.parent === undefined ? null : printProgram(line.parent.program, labels),
      });
    }
    return findings;
  };
  return new Proxy(field, {
    get(target, name) {
      if (name === 'advance') return advance;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function describeScores(fit: Fit): FitResult['scores'] {
  const areClasses = fit.report.target.kind !== 'regression';
  const line = ({ name, score }: FittedProgram, comparison: string | null) => ({
    name,
    score: scoreText(score),
    comparison,
  });
  return [
    line(fit.evolved, null),
    ...fit.baselines.map((baseline) => line(baseline, differenceText(baseline.name, baseline.difference, areClasses))),
  ];
}

export const dataHandlers = {
  read({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }): TableSummary {
    table = undefined;
    const read = readCsv(name, bytes);
    const columns = [...columnPlaces(read).keys()];
    table = read;
    return { name: read.name, columns, rows: read.rows.length, sample: read.rows.slice(0, SHOWN_ROWS) };
  },

  /** What was found in the table for a target. */
  inspect({ target }: { readonly target: string }): TableReport {
    return splitTable(readTable(openedTable(), { target }), 0).report;
  },

  async fit({ target, seconds, seed, fromScratch }: FitOptions, tellAll: (news: FitNews) => void): Promise<FitResult> {
    const tell = tellSeldom(tellAll);
    const whole = openedTable();
    const labels = labelKind(LOSS_OF_KIND[readTable(whole, { target }).target.kind]);
    isStopped = false;
    const startedAt = performance.now();
    const fit = await fitTable(
      { table: whole, options: { target }, seed, islands: 1, maxAlgorithms: undefined, fromScratch },
      {
        makeField: (config, openTasks) => watchField(new LocalField(config, openTasks), labels, tell),
        makeJudge: (tasks) => localJudge(tasks, { epochs: 1, precision: 'f64' }),
        isOver: () => isStopped || performance.now() - startedAt > 1000 * seconds,
        onSearch: (algorithms, best) =>
          tell({ type: 'search', algorithms, best, milliseconds: performance.now() - startedAt }),
        onStage: (stage) => tell({ type: 'stage', stage }),
      },
    );
    return {
      report: fit.report,
      sameAs: fit.sameAs ?? null,
      text: printProgram(fit.evolved.program, fit.labels),
      scores: describeScores(fit),
    };
  },

  /** Ends the search; the best so far is tuned and scored. */
  stop(): void {
    isStopped = true;
  },
};
