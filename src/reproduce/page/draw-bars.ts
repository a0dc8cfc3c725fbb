// The drawing of bars: they lie, so that their names have room, with intervals, the paper's values as marks below them, and levels
// from top to bottom. Must not know which claims it is for.
import { html, type Markup } from '../../pages/markup.js';
import { coordinate, type Scale } from '../../pages/progress-plot.js';
import type { Bar, BarFigure, FigureLevel } from '../findings.js';
import {
  type Area,
  axisLines,
  drawColumns,
  drawNothing,
  drawSvg,
  drawText,
  type Layout,
  scaleAcross,
} from './figure-layout.js';
import { isDrawable, isWithin, makeScale, type Span, spanAxis } from './figure-scale.js';
import { writeNumbers } from './number-column.js';
import { LINE, textWidth, wrapText } from './place-labels.js';

const THICKNESS = 16;
/** Room below a bar for the mark of the paper's value. */
const MARK = 8;
const GAP = 12;
/** Part of the width that names may take beside their bars. */
const NAMES = 0.34;
const EDGE = 4;

/** A bar with its texts, and where it is. */
interface Row {
  readonly bar: Bar;
  readonly name: readonly string[];
  readonly value: string;
  readonly paper: string | undefined;
  readonly top: number;
  readonly height: number;
  /** The upper edge of the bar itself. */
  readonly barTop: number;
}

interface Columns {
  /** Where bars may be. */
  readonly left: number;
  readonly right: number;
  readonly names: number;
  /** On phones, names and values stand above their bars. */
  readonly isStacked: boolean;
}

// --- Texts -------------------------------------------------------------------------------------------------------------

interface BarText {
  readonly value: string;
  readonly paper: string | undefined;
}

/** Ours and the paper's with the same decimals. */
function writeValues(bars: readonly Bar[]): BarText[] {
  const all = bars.flatMap(({ value, paper }) => [value, Number.isFinite(paper) ? paper : undefined]);
  const texts = writeNumbers(all);
  return bars.map(({ paper }, k) => ({
    value: texts[2 * k]!,
    paper: Number.isFinite(paper) ? `paper ${texts[2 * k + 1]}` : undefined,
  }));
}

function describeBar({ name, low, high }: Bar, { value, paper }: BarText): string {
  const hasInterval = Number.isFinite(low) || Number.isFinite(high);
  const interval = hasInterval ? ` (${writeNumbers([low, high]).join(' to ')})` : '';
  return `${name}: ${value}${interval}${paper === undefined ? '' : `, ${paper}`}`;
}

// --- Where things are --------------------------------------------------------------------------------------------------

function columnsOf(bars: readonly Bar[], texts: readonly BarText[], { width, name }: Layout): Columns {
  const isStacked = name === 'narrow';
  if (isStacked) return { left: EDGE, right: width - EDGE, names: width, isStacked };
  const widest = (words: readonly string[]) => words.reduce((most, word) => Math.max(most, textWidth(word)), 0);
  const names = Math.min(NAMES * width, widest(bars.map((bar) => bar.name)));
  const values = widest(texts.flatMap(({ value, paper = '' }) => [value, paper]));
  return { left: names + 14, right: width - values - 14, names, isStacked };
}

function placeRows(bars: readonly Bar[], texts: readonly BarText[], columns: Columns, from: number): Row[] {
  let top = from;
  return bars.map((bar, k) => {
    const { value, paper } = texts[k]!;
    const beside = columns.isStacked ? textWidth(`${value}, ${paper ?? ''}`) + 10 : 0;
    const name = wrapText(bar.name, columns.names - beside, 2);
    const own = THICKNESS + (paper === undefined ? 0 : MARK);
    const words = LINE * (columns.isStacked ? name.length : Math.max(name.length, paper === undefined ? 1 : 2));
    const content = columns.isStacked ? words + own : Math.max(words, own);
    const barTop = columns.isStacked ? top + words + 1 : top + (content - own) / 2;
    const row = { bar, name, value, paper, top, height: content, barTop };
    top += content + GAP;
    return row;
  });
}

// --- Bars --------------------------------------------------------------------------------------------------------------

function drawTexts(row: Row, columns: Columns, width: number): Markup {
  const { bar, name, value, paper, top, height } = row;
  const title = html`<title>${describeBar(bar, row)}</title>`;
  const middle = (lines: number) => top + height / 2 - ((lines - 1) * LINE) / 2;
  if (columns.isStacked) {
    const more = paper === undefined ? undefined : html`<tspan class="paper-text">, ${paper}</tspan>`;
    const right = coordinate(width - EDGE);
    return html`<g>${title}${drawText('name clear', name, EDGE, top + LINE / 2)}<text class="end clear" x="${right}" y="${coordinate(top + LINE / 2)}"><tspan class="value">${value}</tspan>${more}</text></g>\n`;
  }
  const first = middle(paper === undefined ? 1 : 2);
  const other = paper === undefined ? undefined : drawText('end clear paper-text', [paper], width - EDGE, first + LINE);
  return html`<g>${title}${drawText('name end clear', name, columns.names + 4, middle(name.length))}${drawText('end clear value', [value], width - EDGE, first)}${other}</g>\n`;
}

function drawInterval({ low, high, value }: Bar, at: (value: number) => number, y: number): Markup | undefined {
  if (!Number.isFinite(low) && !Number.isFinite(high)) return undefined;
  const [from, to] = [low, high].map((end) => coordinate(at(Number.isFinite(end) ? end! : value)));
  const [upper, lower] = [coordinate(y - 3.5), coordinate(y + 3.5)];
  return html`<path class="error" d="M${from} ${coordinate(y)}H${to}M${from} ${upper}V${lower}M${to} ${upper}V${lower}"/>`;
}

function drawPaperMark(x: number, top: number): Markup {
  const [left, right, bottom] = [x - 5, x + 5, top + 8].map(coordinate);
  return html`<path class="paper-mark" d="M${coordinate(x)} ${coordinate(top)}L${right} ${bottom}H${left}Z"/>`;
}

function drawRow(row: Row, span: Span, x: Scale, columns: Columns): Markup {
  const { bar, barTop } = row;
  const { left, right } = columns;
  // What the axis has no place for ends at its edge.
  const at = (value: number) => (isDrawable(value, span.isLog) ? Math.max(left, Math.min(right, x.at(value))) : left);
  const [base, end] = [at(0), at(bar.value)];
  const isThere = isDrawable(bar.value, span.isLog);
  const [from, size] = [coordinate(Math.min(base, end)), coordinate(Math.abs(end - base))];
  const [zero, ends] = [coordinate(base), [barTop - 3, barTop + THICKNESS + 3].map(coordinate)];
  const body = isThere
    ? html`<rect x="${from}" y="${coordinate(barTop)}" width="${size}" height="${THICKNESS}" rx="1.5"/>${drawInterval(bar, at, barTop + THICKNESS / 2)}`
    : undefined;
  const mark = isWithin(bar.paper, span) ? drawPaperMark(x.at(bar.paper), barTop + THICKNESS + 1) : undefined;
  return html`<g class="bar-row line-1"><title>${describeBar(bar, row)}</title>${body}<path class="base" d="M${zero} ${ends.join('V')}"/>${mark}</g>\n`;
}

// --- Levels ------------------------------------------------------------------------------------------------------------

interface Flag {
  readonly level: FigureLevel;
  readonly x: number;
  readonly text: string;
  readonly from: number;
  readonly row: number;
}

/** Names above the bars, each in the lowest row where it overlaps no other. */
function placeLevels(levels: readonly FigureLevel[], x: Scale, width: number): Flag[] {
  const ends: number[] = [];
  const sorted = [...levels].sort((a, b) => a.y - b.y);
  return sorted.map((level) => {
    const [text] = wrapText(level.name, width - 2 * EDGE, 1);
    const size = textWidth(text!);
    const at = x.at(level.y);
    const from = Math.max(EDGE, Math.min(width - EDGE - size, at - size / 2));
    const free = ends.findIndex((end) => end + 8 <= from);
    const row = free < 0 ? ends.length : free;
    ends[row] = from + size;
    return { level, x: at, text: text!, from, row };
  });
}

interface DrawnLevels {
  readonly lines: readonly Markup[];
  readonly names: readonly Markup[];
}

function drawLevels(flags: readonly Flag[], { top, bottom }: Area): DrawnLevels {
  const titleOf = ({ name, y }: FigureLevel) => html`<title>${`${name}: ${writeNumbers([y])[0]}`}</title>`;
  const heightOf = (row: number) => top - 4 - LINE * (row + 0.5);
  const lines = flags.map(({ level, x, row }) => {
    const from = coordinate(heightOf(row) + LINE / 2);
    return html`<g class="level">${titleOf(level)}<path d="M${coordinate(x)} ${from}V${coordinate(bottom)}"/></g>\n`;
  });
  const names = flags.map(
    ({ level, text, from, row }) =>
      html`<g>${titleOf(level)}${drawText('level-name', [text], from, heightOf(row))}</g>\n`,
  );
  return { lines, names };
}

// --- The figure --------------------------------------------------------------------------------------------------------

function describeBars({ y, bars, levels = [] }: BarFigure, texts: readonly BarText[]): string {
  const values = bars.map((bar, k) => `${describeBar(bar, texts[k]!)}.`);
  const others = levels.map((level) => `Level ${level.name}: ${writeNumbers([level.y])[0]}.`);
  return [`${axisLines(y, Number.MAX_VALUE).join(' ')}.`, ...values, ...others].join(' ');
}

export function drawBars(figure: BarFigure, layout: Layout): Markup {
  const { bars } = figure;
  const { width } = layout;
  const texts = writeValues(bars);
  const ends = bars.flatMap(({ value, low, high, paper }) => [value, low, high, paper]);
  // Bars begin at zero, or their lengths would say nothing, unless the axis begins elsewhere.
  const span = spanAxis(figure.y, [...ends, ...(figure.levels ?? []).map(({ y }) => y), 0]);
  const columns = columnsOf(bars, texts, layout);
  const { left, right } = columns;
  const x = scaleAcross((most) => makeScale(span, left, right, most), right - left);
  const levels = (figure.levels ?? []).filter(({ y }) => isWithin(y, span));
  const flags = placeLevels(levels, x, width);
  const top = 6 + LINE * flags.reduce((most, { row }) => Math.max(most, row + 1), 0);
  const rows = placeRows(bars, texts, columns, top + 8);
  const bottom = rows.reduce((_, row) => row.top + row.height, top + 20) + 8;
  const area = { left, right, top, bottom };
  const below = axisLines(figure.y, width - 20);
  const label = below.length === 0 ? undefined : drawText('axis middle', below, (left + right) / 2, bottom + 34);
  const drawn = drawLevels(flags, area);
  // Texts are over all lines.
  const content = html`${drawColumns(x, area)}${label}
${rows.map((row) => drawRow(row, span, x, columns))}${drawn.lines}${rows.map((row) => drawTexts(row, columns, width))}${drawn.names}${bars.length === 0 ? drawNothing(area) : undefined}`;
  const about = { title: figure.title, description: describeBars(figure, texts) };
  return drawSvg(layout, bottom + 28 + LINE * below.length, about, content);
}
