// A figure on a page: its title, its drawing for wide screens and for phones, what marks mean, its caption. Must not know which
// findings it belongs to.
import { html, type Markup } from '../../pages/markup.js';
import type { BarFigure, Figure, PlotFigure } from '../findings.js';
import { drawBars } from './draw-bars.js';
import { drawPlot, shareOf } from './draw-plot.js';
import { LAYOUTS } from './figure-layout.js';
import { drawKey } from './figure-marks.js';
import { isWithin, spanAxis } from './figure-scale.js';

/** Points that cannot be seen, because they are no numbers or lie beyond the ends of an axis. */
function countHidden({ x, y, series }: PlotFigure): number {
  const points = series.flatMap((one) => one.points);
  const across = spanAxis(
    x,
    points.map((point) => point.x),
  );
  const upwards = spanAxis(
    y,
    points.map((point) => point.y),
  );
  return points.filter((point) => !isWithin(point.x, across) || !isWithin(point.y, upwards)).length;
}

function explainPlot(figure: PlotFigure): Markup[] {
  const { series } = figure;
  const names = series.map((one, k) => html`<li>${drawKey(one, k)}${one.name}</li>\n`);
  const hidden = countHidden(figure);
  const note = html`<li>not drawn: ${hidden === 1 ? '1 point' : `${hidden.toLocaleString('en-US')} points`} without a number or beyond an axis</li>\n`;
  const isThinned = series.some(({ shape, points }) => shape === 'points' && points.length > shareOf(figure));
  const thinned = html`<li>where points are many, only some are drawn</li>\n`;
  return [...(series.length > 1 ? names : []), ...(isThinned ? [thinned] : []), ...(hidden > 0 ? [note] : [])];
}

function explainBars({ bars }: BarFigure): Markup[] {
  const hasInterval = bars.some(({ low, high }) => Number.isFinite(low) || Number.isFinite(high));
  if (!bars.some(({ paper }) => Number.isFinite(paper))) return [];
  const error = hasInterval ? html`<path class="error" d="M9 7H24M9 4V10M24 4V10"/>` : undefined;
  return [
    html`<li><svg class="chart key line-1" viewBox="0 0 26 14" aria-hidden="true"><rect x="0" y="2" width="17" height="10" rx="1.5"/>${error}</svg>ours${hasInterval ? ', with its interval' : ''}</li>\n`,
    html`<li><svg class="chart key" viewBox="0 0 26 14" aria-hidden="true"><path class="paper-mark" d="M13 3L18 11H8Z"/></svg>the paper’s value</li>\n`,
  ];
}

export function drawFigure(figure: Figure): Markup {
  const drawings = LAYOUTS.map((layout) =>
    figure.kind === 'plot' ? drawPlot(figure, layout) : drawBars(figure, layout),
  );
  const keys = figure.kind === 'plot' ? explainPlot(figure) : explainBars(figure);
  const legend = keys.length === 0 ? undefined : html`<ul class="legend">\n${keys}</ul>\n`;
  const caption = figure.caption.trim() === '' ? undefined : html`<figcaption>${figure.caption}</figcaption>\n`;
  return html`<figure class="chart-figure">
<p class="chart-title">${figure.title}</p>
${drawings}${legend}${caption}</figure>`;
}
