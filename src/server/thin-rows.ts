// Thins out the points of a chart without losing what can be seen: of each stretch of the x axis, the first and last rows stay, and those
// where any line is lowest and highest. Must not know what the lines are.

/** Columns of the same length; NaN where a line has no point. The first is x. */
export interface Rows {
  readonly x: number[];
  readonly lines: readonly number[][];
}

export function emptyRows(lines: number): Rows {
  return { x: [], lines: Array.from({ length: lines }, () => []) };
}

export function addRow(rows: Rows, x: number, values: readonly number[]): void {
  rows.x.push(x);
  for (const [k, line] of rows.lines.entries()) line.push(values[k]!);
}

/** Rows from `start` to `end` that must stay, in order. */
function chooseRows({ lines }: Rows, start: number, end: number): number[] {
  if (end - start <= 2) return Array.from({ length: end - start }, (_, k) => start + k);
  const chosen = new Set([start, end - 1]);
  for (const line of lines) {
    let [lowest, highest, last] = [-1, -1, -1];
    for (let k = start; k < end; k++) {
      const value = line[k]!;
      if (Number.isNaN(value)) continue;
      if (lowest < 0 || value < line[lowest]!) lowest = k;
      if (highest < 0 || value > line[highest]!) highest = k;
      last = k;
    }
    for (const k of [lowest, highest, last]) if (k >= 0) chosen.add(k);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Keeps only what must stay of the rows from `start` on, in place. */
export function compactFrom(rows: Rows, start: number): void {
  const chosen = chooseRows(rows, start, rows.x.length);
  for (const column of [rows.x, ...rows.lines]) {
    for (const [k, from] of chosen.entries()) column[start + k] = column[from]!;
    column.length = start + chosen.length;
  }
}

export type Scale = 'log' | 'linear';

/** The stretch of an axis that a value lies in. */
function stretchOf(x: number, low: number, high: number, scale: Scale, stretches: number): number {
  const at = (value: number) => (scale === 'log' ? Math.log10(Math.max(1, value)) : value);
  const span = at(high) - at(low);
  return span > 0 ? Math.min(stretches - 1, Math.floor((stretches * (at(x) - at(low))) / span)) : 0;
}

function pick(rows: Rows, origin: number, scale: Scale, stretches: number): number[] {
  const { x } = rows;
  const [low, high] = [x[0]! - origin, x.at(-1)! - origin];
  const chosen: number[] = [];
  let start = 0;
  let current = 0;
  for (let k = 0; k <= x.length; k++) {
    const stretch = k === x.length ? -1 : stretchOf(x[k]! - origin, low, high, scale, stretches);
    if (k > 0 && stretch !== current) {
      chosen.push(...chooseRows(rows, start, k));
      start = k;
    }
    current = stretch;
  }
  return chosen;
}

/** At most `points` of rows that are in order; `origin` is where a logarithmic axis has its 0. */
export function thinRows(rows: Rows, points: number, scale: Scale, origin: number): Rows {
  if (rows.x.length <= points) return rows;
  let stretches = Math.max(1, Math.floor(points / 2));
  let chosen = pick(rows, origin, scale, stretches);
  while (chosen.length > points && stretches > 1) {
    stretches = Math.max(1, Math.floor(stretches * Math.min(0.9, points / chosen.length)));
    chosen = pick(rows, origin, scale, stretches);
  }
  return { x: chosen.map((k) => rows.x[k]!), lines: rows.lines.map((line) => chosen.map((k) => line[k]!)) };
}

/** The rows in the order of x. */
export function sortRows({ x, lines }: Rows): Rows {
  const order = x.map((_, k) => k).sort((a, b) => x[a]! - x[b]!);
  return { x: order.map((k) => x[k]!), lines: lines.map((line) => order.map((k) => line[k]!)) };
}

/** Stretches of each decade of x: finer than a screen is. */
const COLUMNS = 500;
/** Rows of one stretch that are remembered before they are thinned out. */
const MOST_OPEN = 32;

/** Rows of which there may be a million: they are thinned out as they come, in any order; few come late. */
export class GrowingRows {
  readonly rows: Rows;
  private readonly origin: number;
  private column = -1;
  private columnStart = 0;

  constructor(lines: number, origin: number) {
    this.rows = emptyRows(lines);
    this.origin = origin;
  }

  add(x: number, values: readonly number[]): void {
    const { rows } = this;
    const column = Math.floor(COLUMNS * Math.log10(Math.max(1, x - this.origin)));
    if (column !== this.column) {
      compactFrom(rows, this.columnStart);
      this.column = column;
      this.columnStart = rows.x.length;
    }
    addRow(rows, x, values);
    if (rows.x.length - this.columnStart > MOST_OPEN) compactFrom(rows, this.columnStart);
  }
}
