// Somebody's own table: drop it, choose what is to be predicted, and search for an algorithm that does. Text of the table is only ever
// put on the page as text.
import { useId, useState } from 'preact/hooks';
import type { TableReport } from '../../../src/tasks/tabular/tabular.js';
import { LOSS_OF_KIND } from '../../../src/tasks/task-kind.js';
import { Badge, Button, Card, Check, Choice, Figures, Notice } from '../../shared/controls.js';
import { FitnessChart } from '../../shared/fitness-chart.js';
import { count, durationText, shortFitness, wholeNumber } from '../../shared/format.js';
import { goTo, routeTo } from '../../shared/route.js';
import { ExplainedView } from '../parts/explained-view.js';
import { openProgram } from '../program/program-state.js';
import { ORIGIN_WORDS } from '../search/origin-words.js';
import * as state from './data-state.js';
import { EXAMPLE_TABLES } from './example-tables.js';
import type { FitResult, TableSummary } from './fit-data.js';

const KIND_WORDS = {
  regression: 'a number',
  binary: 'one of two classes',
  multiclass: 'one of several classes',
} as const;

const TIMES = [
  { value: '5', title: '5 s' },
  { value: '15', title: '15 s' },
  { value: '60', title: '1 min' },
  { value: '300', title: '5 min' },
] as const;

function DropZone() {
  const [isOver, setOver] = useState(false);
  const id = useId();
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file !== undefined) void state.openFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here, and chosen by the field within
    <div
      class={`drop ${isOver ? 'over' : ''}`}
      data-testid="drop"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <p>
        <b>Drop a CSV file here</b>, with names of columns in its first line, or{' '}
        <label for={id} class="file-link">
          choose one
        </label>
        <input
          id={id}
          class="unseen"
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </p>
      <p class="soft">It stays in this page: nothing is uploaded. Up to 20 MB.</p>
    </div>
  );
}

function Examples() {
  return (
    <Card title="Or try one of these">
      <ul class="examples">
        {EXAMPLE_TABLES.map((example) => (
          <li key={example.name}>
            <Button onClick={() => void state.openExample(example)}>{example.name}</Button>
            <span>{example.about}</span>
            <small>{example.by}</small>
          </li>
        ))}
      </ul>
      <p class="soft">
        From the UCI Machine Learning Repository, under{' '}
        <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>.
      </p>
    </Card>
  );
}

/** The first rows, with what is to be predicted in front. */
function SampleTable({ table }: { readonly table: TableSummary }) {
  const target = table.columns.indexOf(state.target.value);
  const places = [...table.columns.keys()].sort((a, b) => Number(b === target) - Number(a === target));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="wide" tabIndex={0} aria-label="First rows">
      <table class="sample">
        <thead>
          <tr>
            {places.map((place) => (
              <th key={place} scope="col" class={place === target ? 'target' : ''}>
                {table.columns[place]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.sample.map((cells, k) => (
            <tr key={k}>
              {places.map((place) => (
                <td key={place} class={place === target ? 'target' : ''}>
                  {cells[place]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ReportText({ report }: { readonly report: TableReport }) {
  const used = report.columns.filter(({ kind }) => kind !== 'ignored');
  const ignored = report.columns.filter(({ kind }) => kind === 'ignored');
  return (
    <p class="soft">
      To predict: {KIND_WORDS[report.target.kind]} ({report.target.why}), from {count(used.length, 'column')} that
      become {count(report.features, 'feature')}. {count(report.rowsUsed, 'row')} can be used.
      {ignored.length > 0 && ` Ignored: ${ignored.map(({ name, why }) => `${name} (${why})`).join(', ')}.`}
    </p>
  );
}

function TableCard({ table }: { readonly table: TableSummary }) {
  const isBusy = state.stage.value !== undefined;
  return (
    <Card title={table.name} actions={<Button onClick={state.closeTable}>Another file</Button>}>
      <SampleTable table={table} />
      <p class="soft">The first of {count(table.rows, 'row')}.</p>
      <div class="row">
        <label class="field">
          <span>Predict</span>
          <select
            value={state.target.value}
            disabled={isBusy}
            onChange={({ currentTarget }) => void state.chooseTarget(currentTarget.value)}
          >
            {table.columns.map((column) => (
              <option key={column} value={column}>
                {column}
              </option>
            ))}
          </select>
        </label>
        <Choice
          label="Search for"
          options={TIMES}
          value={String(state.seconds.value) as (typeof TIMES)[number]['value']}
          onChange={(value) => {
            state.seconds.value = Number(value);
          }}
        />
        <Check
          label="from empty programs"
          isChecked={state.fromScratch.value}
          onChange={(isChecked) => {
            state.fromScratch.value = isChecked;
          }}
        />
        {isBusy ? (
          <Button onClick={state.stopFit}>Stop searching</Button>
        ) : (
          <Button kind="primary" isDisabled={state.report.value === undefined} onClick={() => void state.startFit()}>
            Search
          </Button>
        )}
      </div>
      {state.report.value !== undefined && <ReportText report={state.report.value} />}
    </Card>
  );
}

function ProgressCard() {
  const best = state.best.value;
  const stage = state.stage.value;
  const kind = state.report.value?.target.kind ?? 'regression';
  if (stage === undefined && best === undefined) return null;
  return (
    <div class="search-grid">
      <Card title="Search" actions={<Badge tone={stage === undefined ? 'neutral' : 'live'}>{stage ?? 'over'}</Badge>}>
        <Figures
          items={[
            { label: 'Algorithms tried', value: wholeNumber(state.algorithms.value) },
            {
              label: 'Best fitness',
              value: best === undefined ? '–' : shortFitness(best.fitness),
            },
            { label: 'Time', value: durationText(state.milliseconds.value / 1000) },
          ]}
        />
        {state.points.value.length > 0 && (
          <FitnessChart
            label="Best fitness over algorithms"
            lines={[{ id: 'fit', name: 'search', points: state.points.value }]}
            height={220}
          />
        )}
      </Card>
      {best !== undefined && state.result.value === undefined && (
        <Card title="Best program so far">
          <p class="made">
            <Badge tone="live">{ORIGIN_WORDS[best.origin].name}</Badge> {ORIGIN_WORDS[best.origin].what}.
          </p>
          <ExplainedView
            label="Text of the best program so far"
            text={best.text}
            context={{ loss: LOSS_OF_KIND[kind] }}
            parent={best.parent ?? undefined}
          />
        </Card>
      )}
      {state.result.value !== undefined && <ResultCard result={state.result.value} />}
    </div>
  );
}

function ResultCard({ result }: { readonly result: FitResult }) {
  const { report, scores, text, sameAs } = result;
  const open = () => {
    openProgram({ text, name: `evolved for ${report.target.name}` });
    goTo(routeTo(['program']));
  };
  return (
    <Card title="What was found" actions={<Button onClick={open}>Open as program</Button>}>
      <p>On {count(report.validRows, 'row')} that were kept out of everything. All constants were tuned alike.</p>
      <table data-testid="scores">
        <tbody>
          {scores.map(({ name, score, comparison }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {score}
                {comparison !== null && <p class="soft">{comparison}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sameAs !== undefined && sameAs !== null && <p>The search ended at the {sameAs}, but for its constants.</p>}
      <ExplainedView label="The evolved program" text={text} context={{ loss: LOSS_OF_KIND[report.target.kind] }} />
    </Card>
  );
}

export function DataPage() {
  const table = state.table.value;
  return (
    <div class="data-page">
      <header class="lead">
        <h1>Search on your own data</h1>
        <p>A table of yours, and the search for an algorithm that learns to predict one of its columns.</p>
      </header>
      {state.problem.value !== undefined && (
        <Notice tone="bad" isAlert>
          {state.problem.value}
        </Notice>
      )}
      {table === undefined && (
        <>
          <DropZone />
          <Examples />
        </>
      )}
      {table !== undefined && <TableCard table={table} />}
      <ProgressCard />
    </div>
  );
}
