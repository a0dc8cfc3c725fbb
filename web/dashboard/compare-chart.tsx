// The best fitness of several runs over their algorithms, on one chart. Asks again when the list says that one of them has changed.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LIMITS, ROUTES, type RunSummary, type SeriesAnswer } from '../../src/server/api.js';
import type { FitnessLine } from '../shared/chart-data.js';
import { Empty, Notice } from '../shared/controls.js';
import { FitnessChart } from '../shared/fitness-chart.js';
import { getJson } from './api-client.js';
import { throttle, untilAnswered } from './repeat.js';

/** The ids of the runs in the order of their lines, so that each keeps its colour while the list is sorted anew. */
export function lineOrder(runs: readonly RunSummary[]): string[] {
  return runs
    .slice(0, LIMITS.comparedRuns)
    .map(({ id }) => id)
    .toSorted();
}

const AGAIN_MS = 2000;
const POINTS = 300;
const BEST: readonly ['best'] = ['best'];

export function CompareChart({ runs }: { readonly runs: readonly RunSummary[] }) {
  const [answer, setAnswer] = useState<SeriesAnswer | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const shown = runs.slice(0, LIMITS.comparedRuns);
  const ids = lineOrder(runs);
  const key = ids.join();
  const refresh = useRef(() => {});

  useEffect(() => {
    const stop = new AbortController();
    const path = `${ROUTES.series}?runs=${key}&points=${POINTS}&scale=log`;
    const load = async () => {
      setAnswer(await getJson<SeriesAnswer>(path, stop.signal));
      setProblem(undefined);
    };
    const ask = () => void untilAnswered(load, stop.signal, ({ message }) => setProblem(message));
    refresh.current = throttle(ask, AGAIN_MS, stop.signal);
    refresh.current();
    return () => stop.abort();
  }, [key]);

  const progress = shown.map(({ algorithms, status }) => `${algorithms}${status}`).join();
  useEffect(() => refresh.current(), [progress]);

  const names = new Map(shown.map(({ id, name }) => [id, name]));
  const lines = useMemo(
    () =>
      ids.map((id): FitnessLine => {
        const overall = answer?.runs.find((run) => run.id === id)?.overall;
        const points = overall?.algorithms.map((x, k) => ({ x, best: overall.best[k] ?? null })) ?? [];
        return { id, name: names.get(id) ?? id, points };
      }),
    [answer, key],
  );
  if (problem !== undefined) return <Notice tone="bad">{problem}</Notice>;
  if (answer === undefined) return <Empty>Loading …</Empty>;
  return (
    <>
      {lines.every(({ points }) => points.length === 0) ? (
        <Empty>These runs have no points yet.</Empty>
      ) : (
        <FitnessChart label="Best fitness of several runs over algorithms" lines={lines} kinds={BEST} height={280} />
      )}
      {answer.problems.map(({ id, error }) => (
        <Notice key={id} tone="bad">
          {names.get(id) ?? id}: {error}
        </Notice>
      ))}
    </>
  );
}
