// One run as the page knows it: details, lines, program and lineage, asked for once and then kept up to date by the run's stream. When
// the server comes back, the stream goes on where it was. Must not know how anything is shown.
import { type ReadonlySignal, signal } from '@preact/signals';
import {
  type BestProgram,
  LIMITS,
  type Lineage,
  ROUTES,
  type RunDetail,
  type RunMessage,
  type RunSeries,
  type SeriesAnswer,
} from '../../src/server/api.js';
import { getJson } from './api-client.js';
import { openStream } from './connection.js';
import { throttle, untilAnswered } from './repeat.js';
import { loadServerInfo } from './run-list.js';
import { applyUpdate, countPoints, hasTooManyPoints, pointsToAskFor } from './run-series.js';

export interface OpenRun {
  readonly id: string;
  /** Undefined until the first answer. */
  readonly detail: ReadonlySignal<RunDetail | undefined>;
  readonly series: ReadonlySignal<RunSeries | undefined>;
  readonly program: ReadonlySignal<BestProgram | undefined>;
  /** Flags of all steps, and the first steps. */
  readonly lineage: ReadonlySignal<Lineage | undefined>;
  /** Why the run cannot be shown. */
  readonly problem: ReadonlySignal<string | undefined>;
  readonly close: () => void;
}

/** Programs change many times a second at first; nobody reads that fast. */
const PROGRAMS_EVERY_MS = 1500;
const DETAIL_EVERY_MS = 3000;
const SERIES_EVERY_MS = 1000;

export function openRun(id: string): OpenRun {
  const stop = new AbortController();
  const detail = signal<RunDetail | undefined>(undefined);
  const series = signal<RunSeries | undefined>(undefined);
  const program = signal<BestProgram | undefined>(undefined);
  const lineage = signal<Lineage | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  let closeStream = () => {};
  let loadedPoints = 0;

  const fail = ({ message }: Error) => {
    problem.value = message;
  };
  /** What is refused now may be there soon: a run that has just been started, or one that somebody mends. */
  const load = <T>(path: string, take: (answer: T) => void, again: () => void) =>
    untilAnswered(
      async () => take(await getJson<T>(path, stop.signal)),
      stop.signal,
      (error) => {
        fail(error);
        again();
      },
    );

  const loadDetail = () =>
    load<RunDetail>(
      ROUTES.run(id),
      (answer) => {
        detail.value = answer;
      },
      () => refreshDetail(),
    );
  const loadPrograms = async () => {
    await load<BestProgram>(
      ROUTES.program(id),
      (answer) => {
        program.value = answer;
      },
      () => refreshPrograms(),
    );
    await load<Lineage>(
      `${ROUTES.lineage(id)}?from=0&count=${LIMITS.lineageSteps}`,
      (answer) => {
        lineage.value = answer;
      },
      () => refreshPrograms(),
    );
    // Explaining takes long, and the server does not let a page wait for it.
    const isExplained = program.value?.program?.isExplained ?? true;
    if (!isExplained || (lineage.value !== undefined && lineage.value.explained < lineage.value.total))
      refreshPrograms();
  };
  const refreshDetail = throttle(() => void loadDetail(), DETAIL_EVERY_MS, stop.signal);
  const refreshPrograms = throttle(() => void loadPrograms(), PROGRAMS_EVERY_MS, stop.signal);
  const refreshSeries = throttle(() => void loadSeries(), SERIES_EVERY_MS, stop.signal);

  const listen = (cursor: string) => {
    closeStream();
    if (stop.signal.aborted) return;
    closeStream = openStream({
      path: ROUTES.stream(id),
      types: ['update', 'reset', 'summary'],
      cursor,
      onMessage: (message) => take(message as RunMessage),
      onReopen: () => {
        loadServerInfo(stop.signal);
        refreshDetail();
        refreshPrograms();
      },
    });
  };
  /** The points, and then what comes after them. */
  const loadSeries = () =>
    load<SeriesAnswer>(
      `${ROUTES.series}?runs=${id}&scale=log&points=${pointsToAskFor(series.value?.experiments.length ?? 0)}`,
      ({ runs, problems }) => {
        const [run] = runs;
        if (run === undefined) throw new Error(problems[0]?.error ?? 'There is no such run.');
        series.value = run;
        loadedPoints = countPoints(run);
        // Of a log that is still being read, the stream would bring the rest, but slower than another answer does.
        if (run.readPart < 1) refreshSeries();
        else listen(run.cursor);
        // It could not be read before.
        if (detail.value?.summary.status === 'corrupt') refreshDetail();
      },
      () => refreshSeries(),
    );

  const take = (message: RunMessage) => {
    if (message.type === 'reset') {
      refreshDetail();
      refreshPrograms();
      void loadSeries();
    } else if (message.type === 'summary') {
      const hasEnded = detail.value?.summary.status !== message.summary.status;
      if (detail.value !== undefined) detail.value = { ...detail.value, summary: message.summary };
      if (hasEnded) refreshDetail();
    } else {
      const selected = detail.value?.selectedExperiment ?? undefined;
      if (series.value !== undefined) series.value = applyUpdate(series.value, message, selected);
      const { counts, hurdles, islands, bests, hasNews } = message;
      if (detail.value !== undefined) {
        const told = new Set(islands.map(({ island }) => island));
        const others = detail.value.islands.filter(({ island }) => !told.has(island));
        detail.value = {
          ...detail.value,
          counts: counts ?? detail.value.counts,
          hurdles: hurdles ?? detail.value.hurdles,
          islands: [...others, ...islands].sort((a, b) => a.island - b.island),
          experiment: message.began.at(-1)?.experiment ?? detail.value.experiment,
        };
      }
      if (bests.length > 0 || hasNews) refreshPrograms();
      if (hasNews) refreshDetail();
      if (series.value !== undefined && hasTooManyPoints(series.value, loadedPoints)) void loadSeries();
    }
  };

  void loadDetail();
  void loadSeries();
  void loadPrograms();
  return {
    id,
    detail,
    series,
    program,
    lineage,
    problem,
    close: () => {
      stop.abort();
      closeStream();
    },
  };
}
