// Everything that a report says about one run, part by part. What a run does not have yet, its page says plainly or leaves out. Must
// not know other runs, files or the clock.
import { TECHNIQUES, type Technique } from '../analysis/explain/explanation.js';
import { VERDICT_TEXTS } from '../analysis/explain/verdict.js';
import { describeSteps, type LineageStep } from '../analysis/lineage-steps.js';
import type { LineageEntry } from '../experiment/events.js';
import { renderJudgements } from '../pages/judgement-bar.js';
import { renderLineage } from '../pages/lineage-table.js';
import { html, type Markup } from '../pages/markup.js';
import { markProgram } from '../pages/program-markup.js';
import { drawProgress } from '../pages/progress-plot.js';
import { describeLineage, describeVerdict, REASONS, renderCommand, renderScores } from '../pages/run-page.js';
import { renderSettings } from '../pages/settings-table.js';
import { ProgramTextError } from '../program/lexer.js';
import { functionTitle, printInstruction } from '../program/print.js';
import { count, durationText, fitnessText } from '../util/number-text.js';
import { renderAblation } from './ablation-section.js';
import {
  algebraOf,
  type ExplainedProgram,
  explainText,
  flowOf,
  techniqueFinder,
  verdictOn,
} from './explained-program.js';
import { renderFlow } from './flow-figure.js';
import type { ReportedRun } from './reported-run.js';
import { drawFlags, findFlags, renderFlagList } from './technique-flags.js';

/** Where the page was made. */
export interface Environment {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
}

/** Where a run stands on its page. */
export interface RunPlace {
  /** Of all names in it, so that runs on one page do not share any. */
  readonly prefix: string;
  /** Of its headings. */
  readonly level: 2 | 3;
  /** Steps in the middle of its lineage that there is room for, and steps that there is time to explain. */
  readonly maxFolded: number;
  readonly maxExplained: number;
}

function renderSection({ prefix, level }: RunPlace, name: string, title: string, content: Markup | undefined) {
  if (content === undefined) return undefined;
  const id = prefix + name;
  const heading = level === 2 ? html`<h2 id="${id}">${title}</h2>` : html`<h3 id="${id}">${title}</h3>`;
  return html`<section aria-labelledby="${id}">${heading}\n${content}\n</section>\n`;
}

// --- What was found ----------------------------------------------------------------------------------------------------

const STATES = { running: 'still going', stopped: 'stopped before its end', finished: 'finished' } as const;

/** Whether it suffices, as the style sheet has it. */
export function kindOf({ status, data }: ReportedRun): 'good' | 'bad' | 'neutral' {
  const { success } = data.result;
  return status !== 'finished' || success === null ? 'neutral' : success ? 'good' : 'bad';
}

function describeSoFar({ data, selected, lines }: ReportedRun): string {
  const { program, selectFitness, searchFitness } = data.result;
  if (program === null) return 'It has found no program yet.';
  if (searchFitness === null) return 'There is a program, but no record of how it was found and what it reached.';
  const { select, search } = data.config.tasks;
  if (selected !== undefined) {
    return `The best program so far reached ${fitnessText(selectFitness)} on ${count(select.count, `${select.set} task`)}.`;
  }
  const last = lines.at(-1);
  const place = last === undefined ? '' : ` of experiment ${last.experiment}`;
  const why = data.config.select.at === 'end' ? 'No experiment has ended, so that nothing' : 'Nothing';
  return `${why} is selected yet: this is the best program so far${place}, with ${fitnessText(searchFitness)} on ${count(search.count, `${search.set} task`)}.`;
}

function describeEffort({ data, seconds }: ReportedRun): string {
  const { algorithms, experiments } = data.result;
  const time = seconds === null ? '' : ` and ${durationText(seconds)}`;
  return `${count(algorithms, 'algorithm')} in ${count(experiments, 'experiment')}${time}`;
}

/** What came of a run, in a sentence or two. */
function renderVerdict(run: ReportedRun): Markup {
  const { status, data } = run;
  const effort = describeEffort(run);
  const [found, how] =
    status === 'finished'
      ? [describeVerdict(data), `The search ended ${REASONS[data.result.reason]}, after ${effort}.`]
      : [`This run is ${STATES[status]}. ${describeSoFar(run)}`, `It is at ${effort}.`];
  return html`<p class="verdict ${kindOf(run)}">${found} <span class="effort">${how}</span></p>`;
}

function renderText(text: string): Markup {
  return html`<pre class="program" tabindex="0">${markProgram(text)}</pre>`;
}

/** A program with its comments; one that cannot be read, as it is. */
function renderProgram({ data }: ReportedRun): Markup {
  const { simplified, program } = data.result;
  if (simplified === null || program === null) return html`<p>There is no program.</p>`;
  const best = explainText(simplified, data.config);
  if ('problem' in best) {
    return html`${renderText(simplified)}<p class="note">It cannot be explained: this is no program. ${best.problem}</p>`;
  }
  const verdict = VERDICT_TEXTS[verdictOn(best)];
  const plain = verdict === undefined ? undefined : html`<p class="note">${verdict}</p>`;
  const raw = program === simplified ? undefined : explainText(program, data.config);
  const found =
    raw &&
    html`<details><summary>As it was found, with what has no effect</summary>
${renderText('problem' in raw ? program : raw.text)}
</details>`;
  return html`${renderText(best.text)}${plain}${found}`;
}

/** The program, if it can be read. */
function explainBest({ data }: ReportedRun): ExplainedProgram | undefined {
  const best = data.result.simplified === null ? undefined : explainText(data.result.simplified, data.config);
  return best === undefined || 'problem' in best ? undefined : best;
}

function renderTechnique({ program }: ExplainedProgram, { name, why, places }: Technique): Markup {
  const lines = places.map(
    (place) =>
      `${functionTitle(place.function).padEnd(8)} ${printInstruction(program[place.function][place.index]!).trim()}`,
  );
  return html`<li><details><summary><b>${TECHNIQUES[name]}</b></summary><pre class="program">${markProgram(lines.join('\n'))}</pre></details>${why}</li>\n`;
}

function renderTechniques(best: ExplainedProgram): Markup {
  const { techniques } = best.explanation;
  if (techniques.length === 0) return html`<p class="note">No known technique was recognised.</p>`;
  return html`<ul class="techniques">\n${techniques.map((technique) => renderTechnique(best, technique))}</ul>`;
}

function renderFlowParts(best: ExplainedProgram, { data }: ReportedRun, { prefix }: RunPlace): Markup | undefined {
  const graph = flowOf(best);
  if (graph.nodes.length < 2) return undefined;
  return html`${renderFlow(graph, `${prefix}flow-`)}
<details><summary>Its algebra, in LaTeX</summary><pre tabindex="0">${algebraOf(best, data.config).trimEnd()}</pre></details>`;
}

// --- How ---------------------------------------------------------------------------------------------------------------

/** Steps of a long lineage at even distances, with the last: explaining a program takes some hundredths of a second. */
function chooseSteps(lineage: readonly LineageEntry[], most: number): LineageEntry[] {
  const every = Math.ceil(lineage.length / most);
  return lineage.filter((_, k) => (lineage.length - 1 - k) % every === 0);
}

/** What the steps mean, each against the one before it. */
function stepsOf({ data }: ReportedRun, { maxExplained }: RunPlace): readonly LineageStep[] {
  const { config, result } = data;
  const chosen = chooseSteps(result.lineage, maxExplained);
  // Parents would be explained too, which nobody reads here but for the first.
  const entries = chosen.map((entry, k) => (k === 0 ? entry : { ...entry, parent: null }));
  try {
    return describeSteps(entries, techniqueFinder(config), config.space.memory);
  } catch (error) {
    // The table shows the texts as they are.
    if (error instanceof ProgramTextError) return [];
    throw error;
  }
}

function renderProgress({ data, lines, selected }: ReportedRun, steps: readonly LineageStep[]): Markup | undefined {
  const flags = findFlags(steps).filter(({ fitness }) => Number.isFinite(fitness));
  const { lineage } = data.result;
  const plot = drawProgress({ lines, selected, lineage, drawOver: (at) => drawFlags(flags, at) });
  return plot && html`${plot}\n${renderFlagList(flags)}`;
}

function remarkOn({ appeared, disappeared }: LineageStep): Markup | undefined {
  if (appeared.length + disappeared.length === 0) return undefined;
  const words = [
    ...appeared.map(({ name }) => html`<li class="came">${TECHNIQUES[name]}</li>`),
    ...disappeared.map(({ name }) => html`<li class="went">no longer ${TECHNIQUES[name]}</li>`),
  ];
  return html`<ul class="remarks">${words}</ul>`;
}

function renderSteps(run: ReportedRun, steps: readonly LineageStep[], { maxFolded }: RunPlace): Markup | undefined {
  const { lineage } = run.data.result;
  if (lineage.length === 0) return undefined;
  const remarks = new Map(steps.map((step) => [step.id, remarkOn(step)]));
  const missing = run.isWhole ? undefined : ' The steps before the first are not recorded while a run goes on.';
  return html`<p class="note">${describeLineage(lineage, run.selected)}${missing}</p>
${renderLineage(lineage, ({ id }) => remarks.get(id), maxFolded)}`;
}

function renderJudged({ data, counts, status }: ReportedRun): Markup {
  if (counts === undefined) return html`<p class="note">The run has not said so yet.</p>`;
  const rescued = status === 'finished' ? data.result.rescued : null;
  return renderJudgements({ counts, rescued }, data.config.evaluation);
}

function renderEnvironment({ data, seconds, status }: ReportedRun, { version, node, platform }: Environment): Markup {
  const { result, config } = data;
  const cpu = status === 'finished' ? `, ${durationText(result.cpuSeconds)} of processor time` : '';
  const rows: readonly (readonly [string, string])[] = [
    ['Run', `${result.run}, ${STATES[status]}`],
    ['Made by', `evozero ${data.version}, in ${config.precision}`],
    ['Time', seconds === null ? 'not known yet' : `${durationText(seconds)}${cpu}`],
    ['Training steps', result.trainSteps.toLocaleString('en-US')],
    ['This page', `evozero ${version}, Node.js ${node}, ${platform}`],
  ];
  const body = rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`);
  return html`<table class="settings"><tbody>\n${body}</tbody></table>`;
}

/** All parts of a run but its name. */
export function renderRun(run: ReportedRun, place: RunPlace, environment: Environment): Markup {
  const { data, ablation } = run;
  const { about } = data.config;
  const best = explainBest(run);
  const steps = stepsOf(run, place);
  const section = (name: string, title: string, content: Markup | undefined) =>
    renderSection(place, name, title, content);
  return html`${about === undefined ? undefined : html`<p class="about">${about}</p>`}
${renderVerdict(run)}
<div class="columns">
${section('program', 'Program', renderProgram(run))}
<div>
${section('scores', 'Fitness', renderScores(data))}
${section('techniques', 'Techniques', best && renderTechniques(best))}
</div>
</div>
${section('progress', 'Best fitness over algorithms', renderProgress(run, steps))}
${section('flow', 'Flow of data', best && renderFlowParts(best, run, place))}
${section('ablation', 'What each part is worth', ablation && renderAblation(ablation))}
${section('lineage', 'How it came about', renderSteps(run, steps, place))}
${section('judged', 'How programs were judged', renderJudged(run))}
${section('settings', 'Settings', renderSettings(data.config))}
${section('again', 'Run it again', renderCommand(data))}
${section('environment', 'Environment', renderEnvironment(run, environment))}`;
}
