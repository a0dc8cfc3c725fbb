// The head of a run's page: its name, what it is doing, its scores and numbers, and what can be done with it.
import type { RunDetail } from '../../src/server/api.js';
import { Figures, Notice } from '../shared/controls.js';
import { durationText, shortFitness, shortNumber, timeText, wholeNumber } from '../shared/format.js';
import { routeTo } from '../shared/route.js';
import { RunControls } from './run-controls.js';
import { serverInfo } from './run-list.js';
import { StatusBadge } from './status-badge.js';

const REASONS: Readonly<Record<NonNullable<RunDetail['reason']>, string>> = {
  fitness: 'it reached the fitness that was asked for',
  experiments: 'all its experiments were done',
  algorithms: 'it had tried as many algorithms as it was allowed to',
  steps: 'it had trained as many steps as it was allowed to',
  'no-progress': 'it made no more progress',
  minutes: 'its time was over',
  stopped: 'it was stopped',
};

function aboutText({ summary, config, reason }: RunDetail): string {
  const { preset, seed, startedAt, status } = summary;
  return [
    preset === null ? undefined : `preset ${preset}`,
    seed === null ? undefined : `seed ${seed}`,
    startedAt === null ? undefined : `started ${timeText(startedAt)}`,
    reason === null || status === 'running' ? undefined : `ended because ${REASONS[reason]}`,
    config?.search.method === 'random' ? 'random search' : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function figuresOf({ summary, scores, experiment, config }: RunDetail) {
  const optional = (value: number | null, text: (value: number) => string) => (value === null ? '–' : text(value));
  const { algorithms, algorithmsPerSecond, seconds, bestFitness } = summary;
  const noteOf = (part: 'search' | 'select' | 'final') =>
    config === null ? {} : { note: `${wholeNumber(config.tasks[part].count)} × ${config.tasks[part].set}` };
  return [
    { label: 'Best in the search', value: optional(bestFitness ?? scores.search, shortFitness), ...noteOf('search') },
    { label: 'On tasks to select by', value: optional(scores.select, shortFitness), ...noteOf('select') },
    { label: 'On unseen tasks', value: optional(scores.final, shortFitness), ...noteOf('final') },
    { label: 'Algorithms', value: shortNumber(algorithms) },
    { label: 'Per second', value: optional(algorithmsPerSecond, shortNumber) },
    { label: 'Time', value: optional(seconds, durationText) },
    { label: 'Experiment', value: experiment },
  ];
}

export function RunHeader({ detail }: { readonly detail: RunDetail }) {
  const { summary, config } = detail;
  return (
    <header class="run-header">
      <div class="title-row">
        <div class="title">
          <a class="back" href={routeTo([])}>
            All runs
          </a>
          <h1>{summary.name}</h1>
          <StatusBadge run={summary} />
        </div>
        {serverInfo.value?.canControl && <RunControls run={summary} />}
      </div>
      <p class="soft">{aboutText(detail)}</p>
      {config?.about !== undefined && <p>{config.about}</p>}
      {summary.problem !== undefined && summary.status !== 'corrupt' && <Notice tone="bad">{summary.problem}</Notice>}
      {summary.status !== 'corrupt' && <Figures items={figuresOf(detail)} />}
    </header>
  );
}
