// The steps that led to a program, as a table: what each mutation changed and what it gained. Long lines are folded in the middle.
// Must not know the run around it.
import type { LineageEntry } from '../experiment/events.js';
import { count, fitnessText, gainText } from '../util/number-text.js';
import { html, type Markup } from './markup.js';
import { type ChangedLine, diffPrograms, type FunctionChange } from './program-diff.js';

/** Steps that stay unfolded: where it began, and what completed it. */
const FIRST_STEPS = 3;
const LAST_STEPS = 9;
/** Folding fewer than this would hide more than it saves. */
const LEAST_FOLDED = 4;
/** Steps in the middle that a page has at all, so that it stays small. */
export const MAX_FOLDED = 290;
/** Lines that a step shows of what it removed, and of what it added, in each function. */
const MAX_LINES = 6;

type RemarkOn = (step: LineageEntry) => Markup | undefined;

// --- What changed ------------------------------------------------------------------------------------------------------

function renderLine({ kind, text }: ChangedLine): Markup {
  return kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`;
}

function renderChange({ name, lines }: FunctionChange): Markup {
  const [removed, added] = (['removed', 'added'] as const).map((kind) =>
    lines.filter((line) => line.kind === kind).slice(0, MAX_LINES),
  ) as [ChangedLine[], ChangedLine[]];
  const left = lines.length - removed.length - added.length;
  const more = left === 0 ? undefined : html`<small class="more">and ${count(left, 'more line')}</small>`;
  return html`<div class="change"><small>${name}</small><div>${removed.map(renderLine)}</div><div>${added.map(renderLine)}</div>${more}</div>`;
}

function countLines(program: string): number {
  return program.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('def ')).length;
}

function renderChanges({ parent, program }: LineageEntry): Markup {
  if (parent !== null) return html`${diffPrograms(parent.program, program).map(renderChange)}`;
  const instructions = countLines(program);
  return html`<small>began ${instructions === 0 ? 'empty' : `with ${count(instructions, 'instruction')}`}</small>`;
}

// --- The table ---------------------------------------------------------------------------------------------------------

function renderFitness({ parent, fitness }: LineageEntry): Markup {
  if (parent === null) return html`<b>${fitnessText(fitness)}</b>`;
  const gain = fitness - parent.fitness;
  const shownGain = Number.isFinite(gain) ? html` <small>${gainText(gain)}</small>` : undefined;
  return html`${fitnessText(parent.fitness)} → <b>${fitnessText(fitness)}</b>${shownGain}`;
}

function renderStep(step: LineageEntry, remarkOn: RemarkOn): Markup {
  return html`<tr>
<td class="figure">${(step.id + 1).toLocaleString('en-US')}</td><td>${step.origin}</td>
<td>${renderFitness(step)}</td><td>${renderChanges(step)}${remarkOn(step)}</td>
</tr>\n`;
}

function renderTable(steps: readonly LineageEntry[], caption: string, remarkOn: RemarkOn): Markup {
  return html`<table class="lineage">
<caption class="unseen">${caption}</caption>
<colgroup><col><col><col><col></colgroup>
<thead><tr><th scope="col" class="figure">Algorithm</th><th scope="col">Mutation</th><th scope="col">Fitness</th><th scope="col">Changed lines</th></tr></thead>
<tbody>
${steps.map((step) => renderStep(step, remarkOn))}</tbody>
</table>`;
}

function renderFolded(steps: readonly LineageEntry[], most: number, remarkOn: RemarkOn): Markup {
  const shown = steps.slice(Math.max(0, steps.length - most));
  const left = steps.length - shown.length;
  const note =
    left === 0 ? undefined : html`<p>${count(left, 'earlier step')} not shown here; result.json has them all.</p>`;
  return html`<details class="fold"><summary>${count(steps.length, 'step')} in between</summary>
${note}${shown.length === 0 ? undefined : renderTable(shown, 'The steps in between', remarkOn)}
</details>`;
}

/** `remarkOn` says more about a step; a page with several lineages sets `maxFolded`. */
export function renderLineage(
  lineage: readonly LineageEntry[],
  remarkOn: RemarkOn = () => undefined,
  maxFolded = MAX_FOLDED,
): Markup {
  const folded = lineage.slice(FIRST_STEPS, -LAST_STEPS);
  if (folded.length < LEAST_FOLDED) return renderTable(lineage, 'The steps that led to the program', remarkOn);
  return html`${renderTable(lineage.slice(0, FIRST_STEPS), 'The first steps', remarkOn)}
${renderFolded(folded, maxFolded, remarkOn)}
${renderTable(lineage.slice(-LAST_STEPS), 'The last steps', remarkOn)}`;
}
