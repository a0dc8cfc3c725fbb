// The lines of a run's chart: as the server sent them, with the points that came since. Must not know the page.
import {
  type ExperimentSeries,
  LIMITS,
  type RunSeries,
  type RunUpdate,
  type SeriesPoint,
} from '../../src/server/api.js';
import type { FitnessLine, FitnessPoint } from '../shared/chart-data.js';

/** So many points of an experiment, or of all, and the server is asked to thin them out again. */
const TOO_MANY_POINTS = 6000;
const TOO_MANY_IN_ALL = 40_000;

function placeOf({ start }: ExperimentSeries, { id, algorithms }: SeriesPoint): number {
  return id === null ? algorithms : Math.min(algorithms, start + id + 1);
}

function append(series: ExperimentSeries, points: readonly SeriesPoint[]): ExperimentSeries {
  if (points.length === 0) return series;
  return {
    ...series,
    algorithms: [...series.algorithms, ...points.map((point) => placeOf(series, point))],
    best: [...series.best, ...points.map(({ best }) => best)],
    mean: [...series.mean, ...points.map(({ mean }) => mean)],
    hurdle: [...series.hurdle, ...points.map(({ hurdle }) => hurdle)],
  };
}

/** Without the oldest, where there are too many to draw: as the server, whose answer to the next page has these. */
function dropOldest(series: RunSeries, selected: number | undefined): RunSeries {
  const surplus = series.experiments.length - LIMITS.experiments;
  if (surplus <= 0) return series;
  const oldest = new Set(series.experiments.filter(({ experiment }) => experiment !== selected).slice(0, surplus));
  const experiments = series.experiments.filter((one) => !oldest.has(one));
  return { ...series, experiments, leftOut: series.leftOut + oldest.size };
}

/** The series with what an update brought. The selected experiment stays, however old it is. */
export function applyUpdate(
  series: RunSeries,
  { began, points }: Pick<RunUpdate, 'began' | 'points'>,
  selected?: number,
): RunSeries {
  const isKnown = (experiment: number) => series.experiments.some((known) => known.experiment === experiment);
  const fresh = began
    .filter(({ experiment }) => !isKnown(experiment))
    .map((place): ExperimentSeries => ({ ...place, algorithms: [], best: [], mean: [], hurdle: [] }));
  const experiments = [...series.experiments, ...fresh].map((one) =>
    append(
      one,
      points.filter(({ experiment }) => experiment === one.experiment),
    ),
  );
  return dropOldest({ ...series, experiments }, selected);
}

export function countPoints({ experiments }: RunSeries): number {
  return experiments.reduce((sum, { algorithms }) => sum + algorithms.length, 0);
}

/** `before`: how many the server's last answer had, which it could not make fewer. */
export function hasTooManyPoints(series: RunSeries, before: number): boolean {
  const isLong = series.experiments.some(({ algorithms }) => algorithms.length > TOO_MANY_POINTS);
  return isLong || countPoints(series) > Math.max(TOO_MANY_IN_ALL, 2 * before);
}

/** How many points of each line to ask for, so that all of them together are not too many. */
export function pointsToAskFor(experiments: number): number {
  const each = Math.floor(TOO_MANY_IN_ALL / 2 / Math.max(1, experiments));
  return Math.max(LIMITS.leastPoints, Math.min(LIMITS.points, each));
}

function pointsOf({ start, algorithms, best, mean, hurdle }: ExperimentSeries): FitnessPoint[] {
  let reached: number | null = null;
  // Islands tell one after the other of what they found at the same time.
  const order = algorithms.map((_, k) => k).sort((a, b) => algorithms[a]! - algorithms[b]!);
  return order.map((k) => {
    const x = algorithms[k]!;
    const now = best[k] ?? null;
    if (now !== null) reached = reached === null ? now : Math.max(reached, now);
    return { x: x - start, best: now === null ? null : reached, mean: mean[k] ?? null, hurdle: hurdle[k] ?? null };
  });
}

/** The experiment in question first, then others without a colour of their own. */
export function linesOfRun({ experiments }: RunSeries, experiment: number): FitnessLine[] {
  const lineOf = (one: ExperimentSeries): FitnessLine => ({
    id: String(one.experiment),
    name: `experiment ${one.experiment}`,
    points: pointsOf(one),
    isFaint: one.experiment !== experiment,
  });
  const main = experiments.filter((one) => one.experiment === experiment);
  const others = experiments.filter((one) => one.experiment !== experiment);
  return [...main, ...others].map(lineOf).filter(({ points }) => points.length > 0);
}
