// What the drawings of figures share: their two widths, axes, texts of several lines, names of levels. Must not know kinds of figures.
import { html, type Markup } from '../../pages/markup.js';
import { coordinate, type Scale } from '../../pages/progress-plot.js';
import type { Axis } from '../findings.js';
import { LINE, textWidth, wrapText } from './place-labels.js';

/** Each figure is drawn for wide screens and for phones, with letters of one size; the style sheet shows one of them. */
export const LAYOUTS = [
  { name: 'broad', width: 720, height: 330 },
  { name: 'narrow', width: 360, height: 310 },
] as const;

export type Layout = (typeof LAYOUTS)[number];

/** The edges of what lies between the axes. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** What a drawing says to those who do not see it. */
export interface Described {
  readonly title: string;
  readonly description: string;
}

export function drawSvg({ name, width }: Layout, height: number, about: Described, content: Markup): Markup {
  return html`<svg class="plot chart ${name}" viewBox="0 0 ${width} ${coordinate(height)}" role="img"><title>${about.title}</title><desc>${about.description}</desc>
${content}</svg>\n`;
}

/** The lines below each other; `y` is the middle of the first one. */
export function drawText(kind: string, lines: readonly string[], x: number, y: number): Markup {
  const [at, first] = [coordinate(x), coordinate(y)];
  if (lines.length === 1) return html`<text class="${kind}" x="${at}" y="${first}">${lines[0]}</text>\n`;
  const spans = lines.map((line, k) => html`<tspan x="${at}" y="${coordinate(y + k * LINE)}">${line}</tspan>`);
  return html`<text class="${kind}">${spans}</text>\n`;
}

export function axisLines({ label, log = false }: Axis, width: number): string[] {
  const isSaid = !log || /\blog/i.test(label);
  const text = isSaid ? label : `${label}, logarithmic`;
  return text.trim() === '' ? [] : wrapText(text, width, 2);
}

/** As many ticks as have room for their labels below each other's ends. */
export function scaleAcross(make: (most: number) => Scale, width: number): Scale {
  for (let most = 8; ; most--) {
    const scale = make(most);
    const widths = scale.ticks.map(({ label }) => textWidth(label) + 14);
    if (most === 1 || widths.reduce((a, b) => a + b, 0) <= width) return scale;
  }
}

/** Where there is nothing to see. */
export function drawNothing({ left, right, top, bottom }: Area): Markup {
  return drawText('middle', ['nothing to draw'], (left + right) / 2, (top + bottom) / 2);
}

export function drawColumns(x: Scale, { top, bottom }: Area): Markup[] {
  return x.ticks.map(({ value, label }) => {
    const at = coordinate(x.at(value));
    return html`<path class="grid" d="M${at} ${coordinate(top)}V${coordinate(bottom)}"/>${drawText('middle', [label], x.at(value), bottom + 14)}`;
  });
}

export function drawRows(y: Scale, { left, right }: Area): Markup[] {
  return y.ticks.map(({ value, label }) => {
    const at = coordinate(y.at(value));
    return html`<path class="grid" d="M${coordinate(left)} ${at}H${coordinate(right)}"/>${drawText('end', [label], left - 8, y.at(value))}`;
  });
}
