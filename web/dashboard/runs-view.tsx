// The list of runs, and the fitness of some of them on one chart: those that are ticked, or the latest.
import { useEffect, useState } from 'preact/hooks';
import type { RunStatus, RunSummary } from '../../src/server/api.js';
import { lineColor } from '../shared/chart-options.js';
import { Card, Check, Choice, Empty, Figures, Notice } from '../shared/controls.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { agoText, count, durationText, shortFitness, shortNumber, timeText } from '../shared/format.js';
import { goTo, route, routeTo } from '../shared/route.js';
import { CompareChart, lineOrder } from './compare-chart.js';
import { followRuns, isListCut, runs, serverInfo } from './run-list.js';
import { StatusBadge } from './status-badge.js';

const FILTERS = ['all', 'running', 'finished', 'other'] as const;
type Filter = (typeof FILTERS)[number];

const FILTER_TITLES: Readonly<Record<Filter, string>> = {
  all: 'All',
  running: 'Running',
  finished: 'Finished',
  other: 'Other',
};

function passes(status: RunStatus, filter: Filter): boolean {
  if (filter === 'all') return true;
  return filter === 'other' ? status !== 'running' && status !== 'finished' : status === filter;
}

function chosenIds(): readonly string[] {
  return (route.value.query.compare ?? '').split(',').filter((id) => id !== '');
}

function choose(id: string, isChosen: boolean): void {
  const others = chosenIds().filter((other) => other !== id);
  goTo(routeTo([], { ...route.value.query, compare: [...others, ...(isChosen ? [id] : [])].join() }), 'replace');
}

/** Of those that have something to show. */
const LATEST = 6;

function latestRuns(all: readonly RunSummary[]): RunSummary[] {
  const readable = all.filter(({ status, bestFitness }) => status !== 'corrupt' && bestFitness !== null);
  return readable.toSorted((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0)).slice(0, LATEST);
}

interface Comparison {
  readonly isChosen: (id: string) => boolean;
  /** The colour of its line on the chart, if it is there. */
  readonly colorOf: (id: string) => string | undefined;
}

function NameCell({ run, comparison }: { readonly run: RunSummary; readonly comparison: Comparison }) {
  const color = comparison.colorOf(run.id);
  return (
    <div class="name-cell">
      <Check
        label={<span class="unseen">Compare {run.name}</span>}
        isChecked={comparison.isChosen(run.id)}
        onChange={(isChecked) => choose(run.id, isChecked)}
      />
      <a class="run-name" href={routeTo(['runs', run.id])}>
        {run.name}
      </a>
      {color !== undefined && <span class={`key ${color}`} />}
      {run.problem !== undefined && <small class="problem">{run.problem}</small>}
    </div>
  );
}

const optional = (value: number | null, text: (value: number) => string) => (value === null ? '–' : text(value));

function columnsFor(comparison: Comparison, now: number): Column<RunSummary>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      isHead: true,
      sortBy: ({ name }) => name,
      cell: (run) => <NameCell run={run} comparison={comparison} />,
    },
    { id: 'status', title: 'Status', sortBy: ({ status }) => status, cell: (run) => <StatusBadge run={run} /> },
    {
      id: 'best',
      title: 'Best fitness',
      isFigure: true,
      sortBy: (run) => run.bestFitness,
      cell: (run) => <b>{optional(run.bestFitness, shortFitness)}</b>,
    },
    {
      id: 'final',
      title: 'On unseen tasks',
      isFigure: true,
      sortBy: (run) => run.finalFitness,
      cell: (run) => optional(run.finalFitness, shortFitness),
    },
    { id: 'preset', title: 'Preset', sortBy: ({ preset }) => preset, cell: ({ preset }) => preset ?? '–' },
    { id: 'seed', title: 'Seed', isFigure: true, sortBy: ({ seed }) => seed, cell: ({ seed }) => seed ?? '–' },
    {
      id: 'algorithms',
      title: 'Algorithms',
      isFigure: true,
      sortBy: ({ algorithms }) => algorithms,
      cell: ({ algorithms }) => shortNumber(algorithms),
    },
    {
      id: 'rate',
      title: 'Per second',
      isFigure: true,
      sortBy: (run) => run.algorithmsPerSecond,
      cell: (run) => optional(run.algorithmsPerSecond, shortNumber),
    },
    {
      id: 'time',
      title: 'Time',
      isFigure: true,
      sortBy: ({ seconds }) => seconds,
      cell: ({ seconds }) => optional(seconds, durationText),
    },
    {
      id: 'changed',
      title: 'Changed',
      isFigure: true,
      sortBy: ({ changedAt }) => changedAt,
      cell: ({ changedAt }) =>
        changedAt === null ? '–' : <span title={timeText(changedAt)}>{agoText(changedAt, now)}</span>,
    },
  ];
}

/** Times that are told as `5 min ago` are right to half a minute. */
const CLOCK_MS = 30_000;

function useClock(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function Overview({ all }: { readonly all: readonly RunSummary[] }) {
  const countOf = (status: RunStatus) => all.filter((run) => run.status === status).length;
  const rate = all.reduce((sum, run) => sum + (run.status === 'running' ? (run.algorithmsPerSecond ?? 0) : 0), 0);
  const total = all.reduce((sum, { algorithms }) => sum + algorithms, 0);
  const failed = countOf('failed') + countOf('corrupt');
  return (
    <Figures
      items={[
        { label: 'Runs', value: all.length },
        { label: 'Running', value: countOf('running') },
        { label: 'Finished', value: countOf('finished') },
        ...(failed === 0 ? [] : [{ label: 'Failed or damaged', value: failed }]),
        { label: 'Algorithms', value: shortNumber(total) },
        ...(rate === 0 ? [] : [{ label: 'Per second', value: shortNumber(rate) }]),
      ]}
    />
  );
}

function NoRuns() {
  return (
    <Empty>
      There are no runs in {serverInfo.value?.directory ?? 'this directory'} yet. <code>evozero run linear</code> makes
      one
      {serverInfo.value?.canControl ? (
        <>
          , or <a href={routeTo(['new'])}>start a search</a> here
        </>
      ) : null}
      .
    </Empty>
  );
}

export function RunsView() {
  useEffect(followRuns, []);
  const [filter, setFilter] = useState<Filter>('all');
  const now = useClock();
  const all = runs.value;
  if (all === undefined) return <Empty>Looking for runs …</Empty>;
  const chosen = chosenIds();
  const isChosen = chosen.length > 0;
  const compared = isChosen ? all.filter(({ id }) => chosen.includes(id)) : latestRuns(all);
  const order = lineOrder(compared);
  const comparison = {
    isChosen: (id: string) => chosen.includes(id),
    colorOf: (id: string) => (order.includes(id) ? lineColor(order.indexOf(id)) : undefined),
  };
  return (
    <div class="stack">
      <h1 class="unseen">Runs</h1>
      <Overview all={all} />
      {isListCut.value && <Notice tone="warn">There are more runs than are listed here.</Notice>}
      {compared.length > 0 && (
        <Card
          title={isChosen ? 'Compared runs' : `The latest ${count(compared.length, 'run')}`}
          actions={
            isChosen ? (
              <a href={routeTo([], { ...route.value.query, compare: '' })}>Show the latest instead</a>
            ) : (
              <span class="soft">Tick runs below to compare them</span>
            )
          }
        >
          <CompareChart runs={compared} />
        </Card>
      )}
      <Card title="Runs" place="runs">
        <DataTable
          caption="Runs"
          columns={columnsFor(comparison, now)}
          rows={all.filter(({ status }) => passes(status, filter))}
          keyOf={({ id }) => id}
          sorting={{ column: 'changed', direction: 'descending' }}
          textOf={({ name, preset, status, seed }) => `${name} ${preset} ${status} ${seed}`}
          tools={
            <Choice
              label="Status"
              isLabelHidden
              options={FILTERS.map((value) => ({ value, title: FILTER_TITLES[value] }))}
              value={filter}
              onChange={setFilter}
            />
          }
          empty={all.length === 0 ? <NoRuns /> : 'No run is of this kind.'}
        />
      </Card>
    </div>
  );
}
