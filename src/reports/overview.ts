// What a report about several runs begins with: the progress of all in one plot, and a table of what came of each. Must not know
// what else is said about a run.
import { html, type Markup } from '../pages/markup.js';
import {
  AREA,
  algorithmsScale,
  coordinate,
  fitnessScale,
  HEIGHT,
  placePoints,
  renderAxes,
  stepPath,
  WIDTH,
} from '../pages/progress-plot.js';
import { count, durationText, fitnessText } from '../util/number-text.js';
import type { ReportedRun } from './reported-run.js';
import { kindOf } from './run-sections.js';

/** Runs that have a colour of their own; of more, those that suffice have one and the others another. */
const MANY = 8;
/** Points of all lines together, about. */
const ALL_POINTS = 20_000;

/** The class of a run's line. */
function lineClass(run: ReportedRun, k: number, runs: number): string {
  return runs <= MANY ? `line-${k + 1}` : `line-${kindOf(run)}`;
}

// --- The plot ----------------------------------------------------------------------------------------------------------

function renderLegend(runs: readonly ReportedRun[], shown: readonly number[]): Markup {
  const names: readonly (readonly [string, string])[] =
    runs.length <= MANY
      ? shown.map((k) => [lineClass(runs[k]!, k, runs.length), runs[k]!.name])
      : [
          ['line-good', 'runs that suffice'],
          ['line-bad', 'runs that do not'],
          ['line-neutral', 'others'],
        ];
  const keys = names.map(([kind, text]) => html`<li><span class="key ${kind}" aria-hidden="true"></span>${text}</li>`);
  return html`<ul class="legend">${keys}<li>across: algorithms of the run, logarithmic</li></ul>`;
}

/** The best fitness so far of every run, on its search tasks; nothing if none has found a program. */
export function renderAllProgress(runs: readonly ReportedRun[]): Markup | undefined {
  const shown = [...runs.keys()].filter((k) => runs[k]!.progress.length > 0);
  if (shown.length === 0) return undefined;
  const endOf = ({ data, progress }: ReportedRun) => Math.max(data.result.algorithms, progress.at(-1)!.algorithms);
  const x = algorithmsScale(shown.reduce((most, k) => Math.max(most, endOf(runs[k]!)), 1));
  const left = x.ticks[0]!.value;
  // What the left edge hides must not stretch the plot.
  const visible = shown.flatMap((k) => {
    const { progress } = runs[k]!;
    const first = progress.findIndex(({ algorithms }) => algorithms >= left);
    return first < 0 ? progress.slice(-1) : progress.slice(Math.max(0, first - 1));
  });
  const y = fitnessScale(visible.map(({ fitness }) => fitness));
  const column = Math.max(1, ((AREA.right - AREA.left) * shown.length) / ALL_POINTS);
  const paths = shown.map((k) => {
    const run = runs[k]!;
    const places = placePoints(run.progress, x, y, column);
    const end = x.at(endOf(run));
    const title = `${run.name}: best fitness ${fitnessText(run.progress.at(-1)!.fitness)}`;
    const last = places.at(-1)!;
    return html`<g class="${lineClass(run, k, runs.length)}"><path d="${stepPath(places, end)}"><title>${title}</title></path><circle cx="${coordinate(end)}" cy="${coordinate(last.y)}"><title>${title}</title></circle></g>\n`;
  });
  const label = `Best fitness so far over algorithms, of ${count(shown.length, 'run')}; the table below has the numbers.`;
  return html`<figure>
<svg class="plot all" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${renderAxes(x, y)}
${paths}</svg>
<figcaption>${renderLegend(runs, shown)}</figcaption>
</figure>`;
}

// --- The table ---------------------------------------------------------------------------------------------------------

const COLUMNS = ['Run', 'Preset', 'Seed', 'Outcome', 'Select', 'Final', 'Algorithms', 'Time'] as const;
const FIGURES: readonly string[] = ['Seed', 'Select', 'Final', 'Algorithms', 'Time'];

function outcomeOf({ status, data }: ReportedRun): string {
  const { success, program } = data.result;
  if (status !== 'finished') return status;
  if (program === null) return 'no program';
  return success === null ? 'finished' : success ? 'success' : 'not sufficient';
}

/** Of fitnesses, which the parts of the runs tell in full. */
const DIGITS = 6;

/** What it shows, and what it is sorted by. */
function renderFigure(text: string, value: number | null): Markup {
  return html`<td class="figure" data-key="${value ?? ''}">${text}</td>`;
}

/** `anchor` is that of the run on the page, if it has a part of its own. */
function renderRow(run: ReportedRun, anchor: string | undefined): Markup {
  const { data, name, seconds } = run;
  const { preset, seed, selectFitness, finalFitness, algorithms } = data.result;
  const fitness = (value: number | null) => renderFigure(value === null ? '–' : value.toFixed(DIGITS), value);
  const link = anchor === undefined ? html`${name}` : html`<a href="#${anchor}">${name}</a>`;
  return html`<tr><th scope="row">${link}</th><td>${preset}</td>${renderFigure(String(seed), seed)}<td class="outcome ${kindOf(run)}">${outcomeOf(run)}</td>
${fitness(selectFitness)}${fitness(finalFitness)}${renderFigure(algorithms.toLocaleString('en-US'), algorithms)}${renderFigure(seconds === null ? '–' : durationText(seconds), seconds)}</tr>\n`;
}

export function renderRunTable(runs: readonly ReportedRun[], anchorOf: (index: number) => string | undefined): Markup {
  const heads = COLUMNS.map((name) =>
    FIGURES.includes(name) ? html`<th scope="col" class="figure">${name}</th>` : html`<th scope="col">${name}</th>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="Table of runs"><table class="runs">
<caption class="unseen">What came of each run</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${runs.map((run, k) => renderRow(run, anchorOf(k)))}</tbody>
</table></div>`;
}

/** `3 of 5 runs found a program that suffices.` */
export function describeOutcomes(runs: readonly ReportedRun[]): string {
  const finished = runs.filter(({ status }) => status === 'finished');
  const judged = finished.filter(({ data }) => data.result.success !== null);
  const good = judged.filter(({ data }) => data.result.success === true).length;
  const unfinished = runs.length - finished.length;
  // Others are not finished, or were not asked for any fitness.
  const judgeable = judged.length === runs.length ? '' : ' that can be judged';
  const sentences = [
    ...(judged.length === 0
      ? []
      : [`${good} of ${count(judged.length, 'run')}${judgeable} found a program that suffices.`]),
    ...(unfinished === 0 ? [] : [`${count(unfinished, 'run')} not finished.`]),
  ];
  return sentences.join(' ') || `${count(finished.length, 'run')} finished.`;
}
