// The plot of a report: the best fitness over algorithms, with the steps that led to the selected program. SVG that the style
// sheet colours, and that stays small however long the run. Must not know files or configurations.
import type { LineageEntry, RunEvent } from '../experiment/events.js';
import { count, fitnessText } from '../util/number-text.js';
import { html, type Markup } from './markup.js';
import { type ExperimentLines, findSelectedExperiment, type Point, readLines } from './progress-lines.js';

export const WIDTH = 720;
export const HEIGHT = 280;
/** Wide enough for labels twice as large as the style sheet makes them on a wide screen. */
export const AREA = { left: 78, right: WIDTH - 16, top: 14, bottom: HEIGHT - 36 };

/** What came before is not drawn: a logarithmic axis would give it more room than it deserves. */
const MAX_DECADES = 4;
const MAX_OTHERS = 40;
const MAX_DOTS = 300;
const MANY_DOTS = 60;
/** Points of all other experiments together, about. */
const OTHERS_POINTS = 4000;
const Y_TICKS = 5;
/** Part of the height that stays free above and below. */
const PADDING = 0.06;
/** Half of what is shown where nothing ever changed. */
const FLAT_HALF = 0.05;

// --- Scales ------------------------------------------------------------------------------------------------------------

export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
}

const SI_UNITS = ['', 'k', 'M', 'G', 'T'];

/** `1`, `10k` */
function powerLabel(power: number): string {
  const unit = Math.min(SI_UNITS.length - 1, Math.floor(power / 3));
  return `${10 ** (power - 3 * unit)}${SI_UNITS[unit]}`;
}

export function algorithmsScale(most: number): Scale {
  const high = Math.log10(Math.max(2, most));
  const low = Math.max(0, Math.floor(high - MAX_DECADES));
  const at = (n: number) =>
    AREA.left + ((Math.log10(Math.max(10 ** low, n)) - low) / (high - low)) * (AREA.right - AREA.left);
  const powers = Array.from({ length: Math.floor(high) - low + 1 }, (_, k) => low + k);
  return { at, ticks: powers.map((power) => ({ value: 10 ** power, label: powerLabel(power) })) };
}

/** The step among 1, 2 and 5 times a power of ten that gives about so many ticks. */
function niceStep(span: number): number {
  const rough = span / Y_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
}

export function fitnessScale(values: readonly number[]): Scale {
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  const room = most > least ? PADDING * (most - least) : FLAT_HALF;
  const [low, high] = [least - room, most + room];
  const at = (fitness: number) => AREA.bottom - ((fitness - low) / (high - low)) * (AREA.bottom - AREA.top);
  const step = niceStep(high - low);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => (first + k) * step);
  // There is no fitness outside of 0 to 1, only room.
  const isFitness = (tick: number) => tick > -step / 2 && tick < 1 + step / 2;
  return { at, ticks: ticks.filter(isFitness).map((value) => ({ value, label: value.toFixed(decimals) })) };
}

// --- Lines -------------------------------------------------------------------------------------------------------------

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where points are drawn, only the last of those that share a column. */
export function placePoints(points: readonly Point[], x: Scale, y: Scale, column = 1): Place[] {
  const byColumn = new Map<number, Place>();
  for (const { algorithms, fitness } of points) {
    const place = { x: x.at(algorithms), y: y.at(fitness) };
    byColumn.set(Math.floor(place.x / column), place);
  }
  return [...byColumn.values()];
}

export function coordinate(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** The best stays what it is until there is a better one. */
export function stepPath(places: readonly Place[], end: number): string {
  const [first, ...others] = places;
  const steps = others.map(({ x, y }) => `H${coordinate(x)}V${coordinate(y)}`);
  return `M${coordinate(first!.x)} ${coordinate(first!.y)}${steps.join('')}H${coordinate(end)}`;
}

function linePath(places: readonly Place[]): string {
  return places.map(({ x, y }, k) => `${k === 0 ? 'M' : 'L'}${coordinate(x)} ${coordinate(y)}`).join('');
}

function renderBest(lines: ExperimentLines, isSelected: boolean, x: Scale, y: Scale, column: number): Markup {
  const { experiment, best, end } = lines;
  const path = stepPath(placePoints(best, x, y, column), x.at(end));
  const title = `experiment ${experiment}: best fitness ${fitnessText(best.at(-1)!.fitness)}`;
  return html`<path class="${isSelected ? 'best' : 'other'}" d="${path}"><title>${title}</title></path>\n`;
}

function renderLine(kind: 'mean' | 'hurdle', points: readonly Point[], x: Scale, y: Scale): Markup | undefined {
  // One point alone would be a line without length.
  return points.length < 2 ? undefined : html`<path class="${kind}" d="${linePath(placePoints(points, x, y))}"/>\n`;
}

/**
 * How many programs there were when one was found. Its number says so, unless islands are not equally fast: numbers of those that are
 * ahead are larger than that, and numbers of the others too small, for a program that the best line does not know yet.
 */
function foundAt({ best, end }: ExperimentLines, { algorithms, fitness }: Point): number {
  const reached = best.findIndex((point) => point.fitness >= fitness);
  // What the line begins with may be older than it.
  const known = reached > 0 ? best[reached]!.algorithms : 0;
  return Math.max(known, Math.min(algorithms, end));
}

function renderDots(lineage: readonly LineageEntry[], at: (point: Point) => Place): Markup[] {
  const every = Math.ceil(lineage.length / MAX_DOTS);
  return lineage
    .filter((_, k) => (lineage.length - 1 - k) % every === 0)
    .map(({ id, fitness, origin }) => {
      const title = `algorithm ${(id + 1).toLocaleString('en-US')}: ${origin}, fitness ${fitnessText(fitness)}`;
      const { x, y } = at({ algorithms: id + 1, fitness });
      const [cx, cy] = [coordinate(x), coordinate(y)];
      return html`<circle cx="${cx}" cy="${cy}"><title>${title}</title></circle>\n`;
    });
}

export function renderAxes(x: Scale, y: Scale): Markup {
  const { left, right, top, bottom } = AREA;
  const columns = x.ticks.map(({ value, label }) => {
    const at = coordinate(x.at(value));
    return html`<path class="grid" d="M${at} ${top}V${bottom}"/><text class="below" x="${at}" y="${bottom + 10}">${label}</text>\n`;
  });
  const rows = y.ticks.map(({ value, label }) => {
    const at = coordinate(y.at(value));
    return html`<path class="grid" d="M${left} ${at}H${right}"/><text class="beside" x="${left - 8}" y="${at}">${label}</text>\n`;
  });
  return html`${columns}${rows}`;
}

// --- The plot ----------------------------------------------------------------------------------------------------------

function describePlot(selected: ExperimentLines, experiments: number): string {
  const [first, last] = [selected.best[0]!, selected.best.at(-1)!];
  const others = experiments === 1 ? '' : `, the selected one of ${experiments}`;
  return `Best fitness over algorithms. In experiment ${selected.experiment}${others}, it rose from ${fitnessText(
    first.fitness,
  )} to ${fitnessText(last.fitness)} within ${count(selected.end, 'algorithm')}.`;
}

/** What is not drawn is not explained. */
function renderLegend(selected: ExperimentLines, others: number, drawn: number, hasDots: boolean): Markup {
  const items: readonly (readonly [string, string, boolean])[] = [
    ['best', `best of experiment ${selected.experiment}`, true],
    ['dots', 'a step that led to the program', hasDots],
    ['mean', 'mean of its population', selected.mean.length > 1],
    ['hurdle', 'its last hurdle', selected.hurdle.length > 1],
    ['other', others > drawn ? `the best ${drawn} of ${others} other experiments` : 'other experiments', drawn > 0],
  ];
  const shown = items.filter(([, , isShown]) => isShown);
  const keys = shown.map(([kind, text]) => html`<li><span class="key ${kind}" aria-hidden="true"></span>${text}</li>`);
  return html`<ul class="legend">${keys}<li>across: algorithms of the experiment, logarithmic</li></ul>`;
}

/** More on a plot: the room that it needs above, and what is drawn there and on the lines. */
export interface Overlay {
  readonly room: number;
  readonly markup: Markup;
}

export interface ProgressData {
  readonly lines: readonly ExperimentLines[];
  /** The number of the experiment that found the selected program. */
  readonly selected: number | undefined;
  /** Of the selected program. */
  readonly lineage: readonly LineageEntry[];
  readonly drawOver?: (at: (point: Point) => Place) => Overlay;
}

/** A figure; or nothing, if no experiment found a program. `lineage` is that of the selected program. */
export function renderProgressPlot(events: readonly RunEvent[], lineage: readonly LineageEntry[]): Markup | undefined {
  return drawProgress({ lines: readLines(events), selected: findSelectedExperiment(events), lineage });
}

/** The same of what was read before. */
export function drawProgress({ lines: all, selected: number, lineage, drawOver }: ProgressData): Markup | undefined {
  const selected = all.find(({ experiment }) => experiment === number) ?? all.at(-1);
  if (selected === undefined) return undefined;
  const finalBest = ({ best }: ExperimentLines) => best.at(-1)!.fitness;
  const unselected = all.filter((lines) => lines !== selected).sort((a, b) => finalBest(b) - finalBest(a));
  const others = unselected.slice(0, MAX_OTHERS);
  const drawn = [selected, ...others];
  const x = algorithmsScale(drawn.reduce((most, { end }) => Math.max(most, end), 1));
  const left = x.ticks[0]!.value;
  const steps = lineage.filter(
    ({ id, fitness }) => Number.isFinite(fitness) && foundAt(selected, { algorithms: id + 1, fitness }) >= left,
  );
  // What the left edge hides must not stretch the plot.
  const visible = (points: readonly Point[]) => {
    const hidden = points.filter(({ algorithms }) => algorithms < left).slice(0, -1).length;
    return points.slice(hidden);
  };
  const values = [
    ...drawn.flatMap(({ best }) => visible(best)),
    ...[selected.mean, selected.hurdle].flatMap(visible),
    ...steps,
  ].map(({ fitness }) => fitness);
  const y = fitnessScale(values);
  const column = Math.max(1, (WIDTH * others.length) / OTHERS_POINTS);
  // What stands at the left edge may come from before it, and from below.
  const at = (point: Point): Place => ({
    x: x.at(foundAt(selected, point)),
    y: Math.min(AREA.bottom, y.at(point.fitness)),
  });
  const over = drawOver?.(at);
  const room = over?.room ?? 0;
  return html`<figure>
<svg class="${steps.length > MANY_DOTS ? 'plot dense' : 'plot'}" viewBox="0 ${-room} ${WIDTH} ${HEIGHT + room}" role="img" aria-label="${describePlot(selected, all.length)}">
${renderAxes(x, y)}
${others.map((lines) => renderBest(lines, false, x, y, column))}${renderLine('mean', selected.mean, x, y)}${renderLine('hurdle', selected.hurdle, x, y)}${renderBest(selected, true, x, y, 1)}${renderDots(steps, at)}${over?.markup}</svg>
<figcaption>${renderLegend(selected, unselected.length, others.length, steps.length > 0)}</figcaption>
</figure>`;
}
