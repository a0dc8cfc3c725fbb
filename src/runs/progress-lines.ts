// How fitness went in each experiment of a run, as its events tell: the best, the mean of the population and the last hurdle.
// Must not know how it is drawn.
import type { ProgressEvent, RunEvent } from '../experiment/events.js';

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

function readExperiment(experiment: number, events: readonly RunEvent[]): ExperimentLines {
  const start = events.find(({ type }) => type === 'experiment')?.algorithms ?? 0;
  const best: Point[] = [];
  const mean: Point[] = [];
  const hurdle: Point[] = [];
  let end = 1;
  const add = (points: Point[], algorithms: number, fitness: number | null | undefined) => {
    if (isDrawable(fitness)) points.push({ algorithms, fitness });
  };
  const addProgress = (event: ProgressEvent, algorithms: number) => {
    add(best, algorithms, event.best);
    add(mean, algorithms, event.mean);
    add(hurdle, algorithms, event.hurdles.at(-1));
  };
  for (const event of events) {
    if (event.type !== 'best' && event.type !== 'progress' && event.type !== 'experiment-end') continue;
    const algorithms = event.algorithms - start;
    end = Math.max(end, algorithms);
    if (event.type === 'best') add(best, algorithms, event.fitness);
    if (event.type === 'progress') addProgress(event, algorithms);
  }
  return { experiment, best, mean, hurdle, end };
}

/** The experiments that found a program, in their order. */
export function readLines(events: readonly RunEvent[]): ExperimentLines[] {
  const byExperiment = new Map<number, RunEvent[]>();
  for (const event of events) {
    const same = byExperiment.get(event.experiment);
    if (same === undefined) byExperiment.set(event.experiment, [event]);
    else same.push(event);
  }
  const lines = [...byExperiment].map(([experiment, some]) => readExperiment(experiment, some));
  return lines.filter(({ best }) => best.length > 0);
}

/** The number of the experiment that found the selected program. */
export function findSelectedExperiment(events: readonly RunEvent[]): number | undefined {
  return events.findLast((event) => event.type === 'select' && event.isBest)?.experiment;
}
