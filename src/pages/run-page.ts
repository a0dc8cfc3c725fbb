// report.html, which a finished run leaves in its directory: what was found, how, and how to find it again, on one page that needs
// nothing else. Pure: must not read files, nor the clock.
import type { Config } from '../experiment/config.js';
import type { EndReason, FinalEvent, LineageEntry, RunEvent, RunResult } from '../experiment/events.js';
import { count, durationText, fitnessText } from '../util/number-text.js';
import { renderJudgements } from './judgement-bar.js';
import { renderLineage } from './lineage-table.js';
import { html, type Markup, markupText } from './markup.js';
import { markProgram } from './program-markup.js';
import { findSelectedExperiment } from './progress-lines.js';
import { renderProgressPlot } from './progress-plot.js';
import { REPORT_STYLE } from './report-style.js';
import { renderSettings, reproducingCommand } from './settings-table.js';

export interface ReportData {
  /** What result.json holds: a RecordedResult, whose file must be able to import this one. */
  readonly result: RunResult & { readonly run: string; readonly seconds: number; readonly cpuSeconds: number };
  readonly config: Config;
  readonly events: readonly RunEvent[];
  /** Of the evozero that made the run. */
  readonly version: string;
}

// --- What was found ----------------------------------------------------------------------------------------------------

export const REASONS: Readonly<Record<EndReason, string>> = {
  fitness: 'because a program sufficed',
  experiments: 'with its last experiment',
  algorithms: 'at its limit of algorithms',
  steps: 'at its limit of training steps',
  'no-progress': 'when nothing better came any more',
  minutes: 'when its time was up',
  stopped: 'when it was stopped',
};

export function describeVerdict({ result, config }: Pick<ReportData, 'result' | 'config'>): string {
  const { success, simplified, selectFitness } = result;
  if (simplified === null) return 'No program was found.';
  const { set, count: tasks } = config.tasks.select;
  const reached = `reached ${fitnessText(selectFitness)} on ${count(tasks, `${set} task`)}`;
  if (success === null) return `The best program ${reached}; no fitness was asked for.`;
  const asked = `${config.stop.fitness} was asked for`;
  return success
    ? `The program ${reached}, which suffices: ${asked}.`
    : `The best program ${reached}, which does not suffice: ${asked}.`;
}

function renderHeader(data: ReportData): Markup {
  const { result, config } = data;
  const { preset, seed, success, reason, experiments, algorithms } = result;
  const kind = success === null ? 'neutral' : success ? 'good' : 'bad';
  const effort = `${count(algorithms, 'algorithm')} in ${count(experiments, 'experiment')} and ${durationText(result.seconds)}`;
  const about = config.about === undefined ? undefined : html`<p class="about">${config.about}</p>`;
  return html`<header>
<h1>${preset}, seed ${seed}</h1>
${about}
<p class="verdict ${kind}">${describeVerdict(data)} <span class="effort">The search ended ${REASONS[reason]}, after ${effort}.</span></p>
</header>`;
}

function renderProgram({ result }: ReportData): Markup | undefined {
  const { simplified, program } = result;
  if (simplified === null || program === null) return undefined;
  const raw =
    program === simplified
      ? undefined
      : html`<details><summary>As it was found, with what has no effect</summary>
<pre class="program" tabindex="0">${markProgram(program)}</pre>
</details>`;
  return html`<section aria-labelledby="program">
<h2 id="program">Program</h2>
<pre class="program" tabindex="0">${markProgram(simplified)}</pre>
${raw}
</section>`;
}

function describeWorst(final: FinalEvent | undefined): string | undefined {
  if (final === undefined || final.fitnesses.length < 2) return undefined;
  return `, the worst ${fitnessText(final.fitnesses.reduce((a, b) => Math.min(a, b)))}`;
}

/** The fitnesses of a program, with what they were measured on. */
export function renderScores({ result, config, events }: ReportData): Markup {
  const { tasks, evaluation } = config;
  const final = events.findLast((event) => event.type === 'final');
  const row = (
    name: string,
    fitness: number | null,
    { set, count: n }: { set: string; count: number },
    more?: string,
  ) =>
    html`<tr><th scope="row">${name}</th><td class="figure score">${fitnessText(fitness)}</td><td>${count(n, `${set} task`)}${more}</td></tr>\n`;
  return html`<table class="scores">
<thead class="unseen"><tr><th scope="col">Stage</th><th scope="col">Fitness</th><th scope="col">Tasks</th></tr></thead>
<tbody>
${row('Search', result.searchFitness, tasks.search)}${row('Select', result.selectFitness, tasks.select)}${row('Final', result.finalFitness, tasks.final, describeWorst(final))}</tbody>
</table>
<p class="note">The ${evaluation.fitness} over tasks; 1 is perfect. Nothing was chosen by the final tasks.</p>`;
}

// --- How ---------------------------------------------------------------------------------------------------------------

function renderProgress({ result, events }: ReportData): Markup | undefined {
  const plot = renderProgressPlot(events, result.lineage);
  return (
    plot &&
    html`<section aria-labelledby="progress"><h2 id="progress">Best fitness over algorithms</h2>${plot}</section>`
  );
}

export function describeLineage(lineage: readonly LineageEntry[], experiment: number | undefined): string {
  const place = experiment === undefined ? '' : ` in experiment ${experiment}`;
  if (lineage.length === 1) return `It is an initial program${place}.`;
  const steps = `${count(lineage.length, 'step')}${place}, each better than all before it in its line. Mutations between them that gained nothing are left out; changes are against the parent.`;
  const hasCutParent = lineage.some(({ parent, fitness }) => parent !== null && parent.fitness >= fitness);
  return hasCutParent ? `${steps} A parent that failed a hurdle has the fitness it had there.` : steps;
}

function renderLineageSection(data: ReportData): Markup | undefined {
  const { lineage } = data.result;
  if (lineage.length === 0) return undefined;
  return html`<section aria-labelledby="lineage"><h2 id="lineage">How it came about</h2><p class="note">${describeLineage(lineage, findSelectedExperiment(data.events))}</p>
${renderLineage(lineage)}</section>`;
}

/** The command that makes a run again, with what is to know about it. */
export function renderCommand({ result, config }: Pick<ReportData, 'result' | 'config'>): Markup {
  const command = reproducingCommand(config);
  const isFile = command.endsWith('config.json');
  const file = 'config.json is in the directory of the run.';
  const clock = 'The clock ended this search, so that another machine may get further or less far.';
  return html`<pre class="command" tabindex="0">${command}</pre>
${isFile ? html`<p class="note">${file}</p>` : undefined}${result.reason === 'minutes' ? html`<p class="note">${clock}</p>` : undefined}`;
}

function renderAgain(data: ReportData): Markup {
  const { result, version } = data;
  return html`<section aria-labelledby="again"><h2 id="again">Run it again</h2>
${renderCommand(data)}
</section>
<footer>
<p>${durationText(result.seconds)}, ${durationText(result.cpuSeconds)} of processor time, ${count(result.trainSteps, 'training step')}. evozero ${version}. <span class="path">${result.run}</span></p>
</footer>`;
}

/** Styles are the page's own; scripts and the network are forbidden, whatever a browser would make of the rest. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export interface PageParts {
  readonly title: string;
  readonly style: Markup;
  readonly body: Markup;
  /** A script of the page's own, and its hash as policies write it. */
  readonly script?: { readonly text: Markup; readonly hash: string };
}

/** A page that needs nothing else. */
export function renderPage({ title, style, body, script }: PageParts): string {
  const policy = script === undefined ? POLICY : `${POLICY}; script-src '${script.hash}'`;
  return markupText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
${script && html`<script>${script.text}</script>\n`}</body>
</html>
`);
}

/** The whole page. */
export function renderReport(data: ReportData): string {
  const { result, config } = data;
  const body = html`${renderHeader(data)}
<div class="columns">
${renderProgram(data)}
<div>
<section aria-labelledby="scores">
<h2 id="scores">Fitness</h2>
${renderScores(data)}
</section>
<section aria-labelledby="judged"><h2 id="judged">How programs were judged</h2>
${renderJudgements(result, config.evaluation)}
</section>
</div>
</div>
${renderProgress(data)}
${renderLineageSection(data)}
<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
${renderSettings(config)}
</section>
${renderAgain(data)}`;
  return renderPage({ title: `${result.preset}, seed ${result.seed} - evozero`, style: REPORT_STYLE, body });
}
