// What tells the series of a figure apart, by colour and by shape, in the drawing and in its legend. Must not know where marks go.
import { html, type Markup } from '../../pages/markup.js';
import { coordinate, type Place } from '../../pages/progress-plot.js';
import type { FigureSeries } from '../findings.js';

const COLORS = 8;
const RADIUS = { normal: 4, small: 2.4 };

/** The style sheet has a colour for it. */
export function lineClass(k: number): string {
  return `line-${(k % COLORS) + 1}`;
}

type Corners = readonly (readonly [x: number, y: number])[];

/** Squares, diamonds and triangles that look as large as a circle of radius 1. */
const SHAPES: readonly Corners[] = [
  [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ],
  [
    [0, -1.2],
    [1.2, 0.9],
    [-1.2, 0.9],
  ],
];

export function drawMarker(k: number, { x, y }: Place, isSmall: boolean): Markup {
  const radius = isSmall ? RADIUS.small : RADIUS.normal;
  const shape = SHAPES[(k % (SHAPES.length + 1)) - 1];
  if (shape === undefined) {
    // No <circle>: the style sheet of reports decides how large these are.
    const arc = `a${radius} ${radius} 0 1 0`;
    return html`<path class="dot" d="M${coordinate(x - radius)} ${coordinate(y)}${arc} ${2 * radius} 0${arc} ${-2 * radius} 0Z"/>`;
  }
  const corners = shape.map(([dx, dy]) => `${coordinate(x + dx * radius)} ${coordinate(y + dy * radius)}`);
  return html`<path class="dot" d="M${corners.join('L')}Z"/>`;
}

/** The interval and the mark of a series, as the legend explains it. */
export function drawKey({ shape }: FigureSeries, k: number): Markup {
  const line = shape === 'points' ? undefined : html`<path class="line" d="M1 7H25"/>`;
  return html`<svg class="chart key ${lineClass(k)}" viewBox="0 0 26 14" aria-hidden="true">${line}${drawMarker(k, { x: 13, y: 7 }, line !== undefined)}</svg>`;
}
