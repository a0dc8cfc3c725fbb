// Answers with the lines of charts, thinned out to as many points as a page can show. Must not know requests.
import type { ExperimentSeries, RunSeries } from './api.js';
import { printCursor } from './event-log.js';
import { finite } from './numbers.js';
import type { IndexedExperiment, RunIndex } from './run-index.js';
import { type Rows, type Scale, sortRows, thinRows } from './thin-rows.js';

export interface SeriesOptions {
  readonly points: number;
  readonly scale: Scale;
}

/** The rows in order, with a first line that never falls: a best stays the best until there is a better one. */
function riseToBest(rows: Rows): Rows {
  const { x, lines } = sortRows(rows);
  let reached = Number.NaN;
  const best = lines[0]!.map((value) => {
    if (Number.isNaN(value)) return value;
    reached = value > reached || Number.isNaN(reached) ? value : reached;
    return reached;
  });
  return { x, lines: [best, ...lines.slice(1)] };
}

function toSeries(experiment: number, { start, lines }: IndexedExperiment, options: SeriesOptions): ExperimentSeries {
  const rows = thinRows(riseToBest(lines.rows), options.points, options.scale, start);
  const [best, mean, hurdle] = rows.lines.map((line) => line.map(finite)) as [Line, Line, Line];
  return { experiment, start, algorithms: rows.x, best, mean, hurdle };
}

type Line = (number | null)[];

export function answerSeries(id: string, index: RunIndex, options: SeriesOptions): RunSeries {
  const { told } = index;
  const overall = thinRows(riseToBest(told.overall.rows), options.points, options.scale, 0);
  return {
    id,
    // Those without points too: the stream, which goes on from here, does not say again that they have begun.
    experiments: [...told.experiments].map(([number, experiment]) => toSeries(number, experiment, options)),
    leftOut: told.leftOut,
    overall: { algorithms: overall.x, best: overall.lines[0]! },
    cursor: printCursor(index.position),
    readPart: index.readPart,
  };
}
