// The search as it goes on: what is asked for, how it runs, and what it has found. Must not know how searches work.
import { TECHNIQUES } from '../../../src/analysis/explain/explanation.js';
import type { BestEvent, RunResult } from '../../../src/experiment/events.js';
import { simplifyText } from '../../../src/program/simplify-text.js';
import { Badge, Button, Card, Figures, Notice } from '../../shared/controls.js';
import { type Callout, FitnessChart } from '../../shared/fitness-chart.js';
import { count, durationText, percentText, shortFitness, shortNumber, wholeNumber } from '../../shared/format.js';
import { contextOf } from '../../shared/program-context.js';
import { goTo, routeTo } from '../../shared/route.js';
import { ExplainedView } from '../parts/explained-view.js';
import { JudgementBar } from '../parts/judgement-bar.js';
import { openProgram } from '../program/program-state.js';
import { ORIGIN_WORDS } from './origin-words.js';
import { SearchControls } from './search-controls.js';
import * as state from './search-state.js';
import { SettingsCard } from './settings-card.js';

function openInEditor(text: string, name: string): void {
  openProgram({ text, name });
  goTo(routeTo(['program']));
}

function Numbers() {
  const status = state.status.value;
  const best = state.best.value;
  const { counts } = status ?? {};
  const algorithms = counts?.algorithms ?? 0;
  const known = (counts?.canonicalHits ?? 0) + (counts?.fingerprintHits ?? 0);
  const hurdle = status?.hurdles.at(-1);
  return (
    <Figures
      items={[
        { label: 'Algorithms tried', value: wholeNumber(algorithms) },
        { label: 'per second', value: state.rate.value === 0 ? '–' : shortNumber(state.rate.value) },
        { label: 'Known already', value: algorithms === 0 ? '–' : percentText(known / algorithms) },
        {
          label: 'Best fitness',
          value: best === undefined ? '–' : shortFitness(best.fitness),
        },
        ...(hurdle == null ? [] : [{ label: 'Hurdle', value: hurdle.toFixed(3) }]),
        { label: 'Experiment', value: status === undefined || status.experiment === 0 ? '–' : status.experiment },
        { label: 'Time', value: durationText((status?.milliseconds ?? 0) / 1000) },
      ]}
    />
  );
}

function calloutsOf(): Callout[] {
  return state.appearances.value.map(({ technique, algorithms, fitness }) => ({
    x: algorithms,
    fitness,
    title: TECHNIQUES[technique],
    text: (
      <>
        <b>{TECHNIQUES[technique]}</b> <small>at {shortNumber(algorithms)}</small>
      </>
    ),
  }));
}

function ChartCard() {
  const points = state.points.value;
  return (
    <Card title="Fitness" place="chart-card">
      <Numbers />
      {points.length === 0 ? (
        <div class="chart-empty">
          <p>
            A fitness of 1 is a perfect prediction. At the beginning there are random programs that know nothing of
            learning.
          </p>
        </div>
      ) : (
        <FitnessChart
          label="Best and mean fitness over algorithms"
          lines={[{ id: 'search', name: 'search', points }]}
          callouts={calloutsOf()}
          height={250}
        />
      )}
      {state.status.value !== undefined && <JudgementBar counts={state.status.value.counts} />}
    </Card>
  );
}

function Made({ best }: { readonly best: BestEvent }) {
  const { origin, parent, fitness, algorithms } = best;
  return (
    <p class="made" data-testid="made">
      <Badge tone="live">{ORIGIN_WORDS[origin].name}</Badge> {ORIGIN_WORDS[origin].what}
      {parent !== null && (
        <>
          : fitness {shortFitness(parent.fitness)} → <b>{shortFitness(fitness)}</b>
        </>
      )}
      , after {count(algorithms, 'algorithm')}.
    </p>
  );
}

function BestCard() {
  const best = state.best.value;
  const config = state.searched.value;
  if (best === undefined || config === undefined) {
    return (
      <Card title="Best program" place="best-card">
        <p class="soft">
          The best program stands here as it changes: three functions out of a few basic operations. Nobody tells them
          what learning is; only the fitness of what they predict counts.
        </p>
      </Card>
    );
  }
  const context = contextOf(config);
  return (
    <Card
      title="Best program"
      place="best-card"
      actions={
        <Button onClick={() => openInEditor(simplifyText(best.program, context.memory), `best of ${config.name}`)}>
          Open as program
        </Button>
      }
    >
      <Made best={best} />
      <ExplainedView
        label="Text of the best program"
        text={best.program}
        context={context}
        parent={best.parent?.program ?? undefined}
      />
    </Card>
  );
}

function outcomeOf({ success, reason }: RunResult): string {
  if (success) return 'Discovered';
  if (success === false) return 'Not discovered this time';
  return reason === 'stopped' ? 'Stopped' : 'Done';
}

function ResultNotice({ result }: { readonly result: RunResult }) {
  const { success, algorithms, experiments, selectFitness, finalFitness } = result;
  const milliseconds = state.status.value?.milliseconds ?? 0;
  return (
    <div class={`outcome ${success ? 'good' : ''}`} role="status" data-testid="outcome">
      <h2>{outcomeOf(result)}</h2>
      <p>
        {count(algorithms, 'algorithm')} in {count(experiments, 'experiment')}, {durationText(milliseconds / 1000)}.
        {selectFitness !== null && (
          <>
            {' '}
            Fitness <b>{shortFitness(selectFitness)}</b> on tasks kept for selection
          </>
        )}
        {finalFitness !== null && (
          <>
            {' and '}
            <b>{shortFitness(finalFitness)}</b> on tasks that nothing was chosen by
          </>
        )}
        .
      </p>
      {result.simplified !== null && (
        <div class="row">
          <Button
            kind="primary"
            onClick={() => openInEditor(result.simplified!, `${result.preset}, seed ${result.seed}`)}
          >
            Try the program
          </Button>
        </div>
      )}
    </div>
  );
}

export function SearchPage() {
  const { failure, result } = state;
  return (
    <div class="search-page">
      <header class="lead">
        <h1>Watch an algorithm being invented</h1>
        <p>
          Random programs compete; the better ones are copied with small random changes. In your own browser, with
          nothing sent anywhere. <a href={routeTo(['tour'])}>The tour</a> shows how, one idea at a time.
        </p>
      </header>
      <SettingsCard />
      <SearchControls />
      {failure.value !== undefined && (
        <Notice tone="bad" isAlert>
          {failure.value}
        </Notice>
      )}
      {result.value !== undefined && <ResultNotice result={result.value} />}
      <div class="search-grid">
        <ChartCard />
        <BestCard />
      </div>
    </div>
  );
}
