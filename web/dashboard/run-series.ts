// The lines of a run's chart: as the server sent them, with the points that came since. Must not know the page.
import type { ExperimentSeries, RunSeries, RunUpdate, SeriesPoint } from '../../src/server/api.js';
import type { FitnessLine, FitnessPoint } from '../shared/chart-data.js';

/** So many points of an experiment, and the server is asked to thin them out again. */
const TOO_MANY_POINTS = 6000;

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

/** The series with what an update brought. */
export function applyUpdate(series: RunSeries, { began, points }: Pick<RunUpdate, 'began' | 'points'>): RunSeries {
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
  return { ...series, experiments };
}

export function hasTooManyPoints({ experiments }: RunSeries): boolean {
  return experiments.some(({ algorithms }) => algorithms.length > TOO_MANY_POINTS);
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
