// The page of `evozero report`: one run in full, or an overview of several with each folded away below it. One text that needs
// nothing else. Pure: must not read files, nor the clock.
import { MAX_FOLDED } from '../pages/lineage-table.js';
import { html, type Markup, trustMarkup } from '../pages/markup.js';
import { REPORT_STYLE } from '../pages/report-style.js';
import { renderPage } from '../pages/run-page.js';
import { count } from '../util/number-text.js';
import { describeOutcomes, renderAllProgress, renderRunTable } from './overview.js';
import { PAGE_STYLE } from './page-style.js';
import type { ReportedRun } from './reported-run.js';
import { type Environment, kindOf, renderRun } from './run-sections.js';
import { SORT_SCRIPT, SORT_SCRIPT_HASH } from './sort-script.js';

/** Runs that have a part of their own, so that the page stays small; the table has all. */
const MAX_PARTS = 40;
/** Steps of all lineages together that are explained. */
const MAX_EXPLAINED = 300;

const STYLE = html`${REPORT_STYLE}${PAGE_STYLE}`;

function renderOne(run: ReportedRun, environment: Environment): string {
  const { preset, seed } = run.data.result;
  const body = html`<header><h1>${preset}, seed ${seed}</h1>
<p class="note path">${run.name}</p></header>
${renderRun(run, { prefix: '', level: 2, maxFolded: MAX_FOLDED, maxExplained: MAX_EXPLAINED }, environment)}`;
  return renderPage({ title: `${preset}, seed ${seed} - evozero`, style: STYLE, body });
}

function anchorOf(index: number): string | undefined {
  return index < MAX_PARTS ? `run-${index + 1}` : undefined;
}

function renderPart(run: ReportedRun, index: number, parts: number, environment: Environment): Markup {
  const { preset, seed } = run.data.result;
  const anchor = anchorOf(index)!;
  const share = (all: number) => Math.ceil(all / parts);
  const rooms = { maxFolded: share(MAX_FOLDED), maxExplained: share(MAX_EXPLAINED) };
  const place = { prefix: `${anchor}-`, level: 3, ...rooms } as const;
  // The name that links lead to is inside: browsers then open what it is in.
  return html`<details class="run ${kindOf(run)}"><summary><h2>${run.name}</h2> <span>${preset}, seed ${seed}</span></summary>
<div id="${anchor}">
${renderRun(run, place, environment)}
</div></details>\n`;
}

function renderSeveral(runs: readonly ReportedRun[], environment: Environment): string {
  const shown = runs.slice(0, MAX_PARTS);
  const left = runs.length - shown.length;
  const progress = renderAllProgress(runs);
  const body = html`<header><h1>${count(runs.length, 'run')}</h1>
<p class="verdict neutral">${describeOutcomes(runs)}</p></header>
${progress && html`<section aria-labelledby="progress"><h2 id="progress">Best search fitness over algorithms</h2>${progress}</section>`}
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
${renderRunTable(runs, anchorOf)}</section>
<section aria-labelledby="each"><h2 id="each">Each run</h2>
${shown.map((run, k) => renderPart(run, k, shown.length, environment))}${left === 0 ? undefined : html`<p class="note">${count(left, 'more run')} in the table alone: a page about fewer runs says more about each.</p>`}</section>`;
  const script = { text: trustMarkup(SORT_SCRIPT), hash: SORT_SCRIPT_HASH };
  return renderPage({ title: `${count(runs.length, 'run')} - evozero`, style: STYLE, body, script });
}

/** The whole page; there is at least one run. */
export function renderReportPage(runs: readonly ReportedRun[], environment: Environment): string {
  return runs.length === 1 ? renderOne(runs[0]!, environment) : renderSeveral(runs, environment);
}
