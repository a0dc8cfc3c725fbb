// The page of one run: what it is, its fitness over time, and everything else in tabs. Each tab has an address.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Lineage, RunDetail } from '../../src/server/api.js';
import { Card, Empty, Notice } from '../shared/controls.js';
import { type Callout, FitnessChart } from '../shared/fitness-chart.js';
import { shortFitness, wholeNumber } from '../shared/format.js';
import { contextOf } from '../shared/program-context.js';
import { goTo, route, routeTo } from '../shared/route.js';
import { type Tab, Tabs } from '../shared/tabs.js';
import { EvaluationTab } from './evaluation-tab.js';
import { IslandsTab } from './islands-tab.js';
import { LineageTab } from './lineage-tab.js';
import { type OpenRun, openRun } from './open-run.js';
import { ProgramTab } from './program-tab.js';
import { RunHeader } from './run-header.js';
import { linesOfRun } from './run-series.js';
import { SettingsTab } from './settings-tab.js';

const TAB_TITLES = {
  program: 'Program',
  lineage: 'Lineage',
  islands: 'Islands',
  evaluation: 'Evaluation',
  settings: 'Settings and files',
} as const;
type TabId = keyof typeof TAB_TITLES;

function isTab(name: string | undefined): name is TabId {
  return name !== undefined && Object.hasOwn(TAB_TITLES, name);
}

/** A search on one island has no tab for islands. */
function tabsFor({ islandCount }: RunDetail): Tab<TabId>[] {
  const ids = Object.keys(TAB_TITLES).filter(isTab);
  return ids.filter((id) => id !== 'islands' || islandCount > 1).map((id) => ({ id, title: TAB_TITLES[id] }));
}

function calloutsOf(lineage: Lineage | undefined): Callout[] {
  return (lineage?.flags ?? []).flatMap(({ place: x, fitness, techniques }) => {
    if (fitness === null) return [];
    const titles = techniques.map(({ title, isLost }) => (isLost ? `${title} (lost again)` : title));
    const place = `algorithm ${wholeNumber(x)}, fitness ${shortFitness(fitness)}`;
    return [
      {
        x,
        fitness,
        title: `${titles.join(', ')}: ${place}`,
        text: (
          <>
            <b>{titles.join(', ')}</b> <small>{place}</small>
          </>
        ),
        isFaint: techniques.every(({ isLost }) => isLost),
      },
    ];
  });
}

function ExperimentChoice(props: {
  readonly shown: number;
  readonly all: readonly number[];
  readonly onChange: (experiment: number) => void;
}) {
  if (props.all.length < 2) return null;
  return (
    <label class="soft">
      Experiment{' '}
      <select value={props.shown} onChange={(event) => props.onChange(Number(event.currentTarget.value))}>
        {props.all.map((experiment) => (
          <option key={experiment} value={experiment}>
            {experiment}
          </option>
        ))}
      </select>
    </label>
  );
}

/** `playedAt` is where the play-back of the lineage is. */
function FitnessCard({ run, playedAt }: { readonly run: OpenRun; readonly playedAt: number | undefined }) {
  const chosen = useSignal<number | undefined>(undefined);
  const series = run.series.value;
  const lineage = run.lineage.value;
  const drawn = series?.experiments.filter(({ algorithms }) => algorithms.length > 0) ?? [];
  const experiments = drawn.map(({ experiment }) => experiment);
  const latest = experiments.at(-1) ?? 1;
  const { summary, selectedExperiment } = run.detail.value!;
  // Who looks at a search that goes on wants to see it move.
  const usual = summary.status === 'running' ? latest : (lineage?.experiment ?? selectedExperiment ?? latest);
  const shown = chosen.value ?? usual;
  const lines = useMemo(() => (series === undefined ? [] : linesOfRun(series, shown)), [series, shown]);
  const isOfLineage = shown === lineage?.experiment;
  const callouts = useMemo(() => (isOfLineage ? calloutsOf(lineage) : []), [lineage, isOfLineage]);
  return (
    <Card
      title="Fitness over algorithms"
      actions={
        <ExperimentChoice
          shown={shown}
          all={experiments}
          onChange={(experiment) => {
            chosen.value = experiment;
          }}
        />
      }
    >
      {series === undefined ? (
        <Empty>Loading …</Empty>
      ) : lines.length === 0 ? (
        <Empty>There are no points yet.</Empty>
      ) : (
        <FitnessChart
          label={`Fitness of experiment ${shown} over algorithms`}
          lines={lines}
          callouts={callouts}
          cursorAt={isOfLineage ? playedAt : undefined}
        />
      )}
      {series !== undefined && series.readPart < 1 && <p class="soft">The log is still being read.</p>}
      {series !== undefined && series.leftOut > 0 && (
        <p class="soft">{wholeNumber(series.leftOut)} earlier experiments are not drawn.</p>
      )}
    </Card>
  );
}

function TabContent({
  tab,
  run,
  onPlay,
}: {
  readonly tab: TabId;
  readonly run: OpenRun;
  readonly onPlay: (at: number | undefined) => void;
}) {
  const detail = run.detail.value!;
  const { config } = detail;
  // Answers bring the configuration again and again, but it never changes.
  const context = useMemo(() => (config === null ? {} : contextOf(config)), [run, config === null]);
  if (tab === 'program') return <ProgramTab run={run} context={context} />;
  if (tab === 'lineage') return <LineageTab run={run} context={context} onPlay={onPlay} />;
  if (tab === 'islands') return <IslandsTab detail={detail} />;
  if (tab === 'evaluation') return <EvaluationTab detail={detail} />;
  return <SettingsTab detail={detail} />;
}

export function RunView({ id }: { readonly id: string }) {
  const run = useMemo(() => openRun(id), [id]);
  useEffect(() => run.close, [run]);
  const playedAt = useSignal<number | undefined>(undefined);
  const name = useComputed(() => run.detail.value?.summary.name);
  useEffect(() => {
    document.title = name.value === undefined ? 'evozero' : `${name.value} · evozero`;
    return () => {
      document.title = 'evozero';
    };
  }, [name.value]);
  const detail = run.detail.value;
  if (detail === undefined) {
    return run.problem.value === undefined ? (
      <Empty>Loading …</Empty>
    ) : (
      <div class="stack">
        <h1>This run cannot be shown</h1>
        <Notice tone="bad">{run.problem.value}</Notice>
        <p>
          <a href={routeTo([])}>All runs</a>
        </p>
      </div>
    );
  }
  if (detail.summary.status === 'corrupt') {
    return (
      <div class="stack">
        <RunHeader detail={detail} />
        <Notice tone="bad">This run cannot be read: {detail.summary.problem ?? 'its files are damaged'}.</Notice>
        <SettingsTab detail={detail} />
      </div>
    );
  }
  const tabs = tabsFor(detail);
  const asked = route.value.path[2];
  const tab = isTab(asked) && tabs.some((one) => one.id === asked) ? asked : 'program';
  return (
    <div class="stack">
      <RunHeader detail={detail} />
      <FitnessCard run={run} playedAt={tab === 'lineage' ? playedAt.value : undefined} />
      <Tabs
        label="About the run"
        tabs={tabs}
        selected={tab}
        onSelect={(next) => goTo(routeTo(['runs', id, next]), 'replace')}
      >
        <TabContent
          tab={tab}
          run={run}
          onPlay={(at) => {
            playedAt.value = at;
          }}
        />
      </Tabs>
    </div>
  );
}
