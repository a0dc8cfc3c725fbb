// How fitness went in each experiment of a run, as its events tell: the best, the mean of the population and the last hurdle.
// Must not know how it is drawn.
import type { RunEvent } from '../experiment/events.js';

export interface Point {
  /** Programs that the experiment had proposed by then. */
  readonly algorithms: number;
  readonly fitness: number;
}

export interface ExperimentLines {
  readonly experiment: number;
  readonly best: readonly Point[];
  readonly mean: readonly Point[];
  /** The fitness to reach at the last hurdle; nothing where there was none. */
  readonly hurdle: readonly Point[];
  /** How many programs it proposed. */
  readonly end: number;
}

/** Files spell what is no finite number as a text. */
function isDrawable(fitness: number | null | undefined): fitness is number {
  return Number.isFinite(fitness);
}

/** Columns of each decade of algorithms: more than a plot can show. */
const COLUMNS = 2000;

function columnOf(algorithms: number): number {
  return Math.floor(COLUMNS * Math.log10(Math.max(1, algorithms)));
}

/** Adds a point that can be drawn, in place of the last if both would be drawn in one place: a million events stay few points. */
export function addPoint(points: Point[], algorithms: number, fitness: number | null | undefined): void {
  if (!isDrawable(fitness)) return;
  const last = points.at(-1);
  if (last !== undefined && columnOf(last.algorithms) === columnOf(algorithms)) points.pop();
  points.push({ algorithms, fitness });
}

interface GrowingLines {
  readonly start: number;
  readonly best: Point[];
  readonly mean: Point[];
  readonly hurdle: Point[];
  end: number;
}

function addEvent(lines: GrowingLines, event: RunEvent): void {
  if (event.type !== 'best' && event.type !== 'progress' && event.type !== 'experiment-end') return;
  const algorithms = event.algorithms - lines.start;
  lines.end = Math.max(lines.end, algorithms);
  // Of several groups of islands, each has a best: the best of all is drawn.
  const known = lines.best.at(-1)?.fitness ?? Number.NEGATIVE_INFINITY;
  const best = event.type === 'best' ? event.fitness : event.type === 'progress' ? event.best : undefined;
  addPoint(lines.best, algorithms, isDrawable(best) ? Math.max(known, best) : undefined);
  if (event.type !== 'progress') return;
  addPoint(lines.mean, algorithms, event.mean);
  addPoint(lines.hurdle, algorithms, event.hurdles.at(-1));
}

/** The experiments that found a program, in their order. Each begins with its event that says so. */
export function readLines(events: Iterable<RunEvent>): ExperimentLines[] {
  const byExperiment = new Map<number, GrowingLines>();
  for (const event of events) {
    let lines = byExperiment.get(event.experiment);
    if (lines === undefined) {
      const start = event.type === 'experiment' ? event.algorithms : 0;
      lines = { start, best: [], mean: [], hurdle: [], end: 1 };
      byExperiment.set(event.experiment, lines);
    }
    addEvent(lines, event);
  }
  const all = [...byExperiment].map(([experiment, { best, mean, hurdle, end }]) => ({
    experiment,
    best,
    mean,
    hurdle,
    end,
  }));
  return all.filter(({ best }) => best.length > 0);
}

/** The number of the experiment that found the selected program. */
export function findSelectedExperiment(events: readonly RunEvent[]): number | undefined {
  return events.findLast((event) => event.type === 'select' && event.isBest)?.experiment;
}
