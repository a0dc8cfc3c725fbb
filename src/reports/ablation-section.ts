// What a program loses without each of its parts, on a page: a chart of the greatest losses and a table of all. Must not know how
// losses are found.
import { type Ablated, type Ablation, describeLoss } from '../analysis/ablate/ablate.js';
import { drawAblation } from '../analysis/ablate/draw-ablation.js';
import { differenceText } from '../analysis/ablate/paired.js';
import { html, type Markup, trustMarkup } from '../pages/markup.js';
import { count } from '../util/number-text.js';
import { mean, meanInterval } from '../util/stats.js';
import { withoutStyle } from './flow-figure.js';

/** What `report --ablate` measured; or why it could not. */
export type ReportedAblation =
  | {
      readonly ablation: Pick<Ablation, 'intact' | 'sections'>;
      readonly trials: number;
      /** The tasks in words. */
      readonly tasks: string;
    }
  | { readonly problem: string };

/** Bars of the chart. */
const MAX_BARS = 24;
const MAX_ROWS = 200;

function renderRow(section: Ablated): Markup {
  const { label, how, loss } = section;
  // As a change of fitness: less without what helps.
  const change = differenceText({ ...loss, mean: 0 - loss.mean }).replace(/^-/, '−');
  const way = how === 'removed' ? undefined : html` <small>${how}</small>`;
  return html`<tr><td>${label}${way}</td><td class="figure">${change}</td><td>${describeLoss(section)}</td></tr>\n`;
}

export function renderAblation(reported: ReportedAblation): Markup {
  if ('problem' in reported) return html`<p class="note">${reported.problem}</p>`;
  const { ablation, trials, tasks } = reported;
  const { fitnesses } = ablation.intact.best;
  const half = meanInterval(fitnesses);
  const intact = `${mean(fitnesses).toFixed(4)}${half === undefined ? '' : ` ± ${half.toFixed(4)}`}`;
  const { sections } = ablation;
  const bars = sections.slice(0, MAX_BARS).map(({ label, loss, isSignificant }) => ({
    label,
    loss: loss.mean,
    isSignificant,
    ...(loss.half !== undefined && { half: loss.half }),
  }));
  const shown = sections.slice(0, MAX_ROWS);
  const most = sections.length > bars.length ? `, the ${bars.length} greatest` : '';
  return html`<p class="note">The program reaches a mean fitness of ${intact} on ${tasks}. Each part was taken out, and the constants of what was left were tuned anew with ${count(trials, 'trial')}; of several ways to take a part out, the best counts.</p>
<figure class="losses" tabindex="0" aria-label="Loss of fitness without each part">${trustMarkup(withoutStyle(drawAblation(`Loss of fitness without each part${most}`, bars)))}
<figcaption><ul class="legend"><li><span class="key sure" aria-hidden="true"></span>beyond chance, after correction for many tests</li><li><span class="key unsure" aria-hidden="true"></span>may be chance</li><li>lines: 95 % intervals</li></ul></figcaption></figure>
<details><summary>${count(shown.length, 'part')} in numbers</summary>
<table class="losses"><thead><tr><th scope="col">Without</th><th scope="col" class="figure">Change of fitness</th><th scope="col">Verdict</th></tr></thead>
<tbody>
${shown.map(renderRow)}</tbody></table></details>`;
}
