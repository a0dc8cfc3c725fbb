// What a chart of fitness shows, and the columns that uPlot draws it from. Must not know uPlot or the page.

export interface FitnessPoint {
  /** Algorithms proposed so far. */
  readonly x: number;
  readonly best: number | null;
  readonly mean?: number | null;
  /** The fitness that the last hurdle asks for. */
  readonly hurdle?: number | null;
}

export interface FitnessLine {
  readonly id: string;
  readonly name: string;
  /** By `x`, ascending. */
  readonly points: readonly FitnessPoint[];
  /** In the background: its best alone, without a colour of its own. */
  readonly isFaint?: boolean;
}

export const KINDS = ['best', 'mean', 'hurdle'] as const;
export type Kind = (typeof KINDS)[number];

/** One drawn line. */
export interface Series {
  readonly line: number;
  readonly kind: Kind;
}

export interface ChartColumns {
  /** Ascending, each once. */
  readonly xs: readonly number[];
  readonly series: readonly Series[];
  /** One column for each of the series, as long as `xs`; null where it says nothing. */
  readonly columns: readonly (readonly (number | null)[])[];
}

/** A logarithmic axis has no zero. */
const LEAST_X = 1;

function hasValues(points: readonly FitnessPoint[], kind: Kind): boolean {
  return points.some((point) => Number.isFinite(point[kind] ?? Number.NaN));
}

/** `kinds` that a line has no value of are left out. */
export function chartColumns(lines: readonly FitnessLine[], kinds: readonly Kind[]): ChartColumns {
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => Math.max(LEAST_X, x))))].sort(
    (a, b) => a - b,
  );
  const rowOf = new Map(xs.map((x, row) => [x, row]));
  const series = lines.flatMap(({ points, isFaint }, line) =>
    kinds.filter((kind) => (kind === 'best' || !isFaint) && hasValues(points, kind)).map((kind) => ({ line, kind })),
  );
  const columns = series.map(({ line, kind }) => {
    const column = new Array<number | null>(xs.length).fill(null);
    for (const point of lines[line]!.points) {
      const value = point[kind] ?? null;
      if (value !== null && Number.isFinite(value)) column[rowOf.get(Math.max(LEAST_X, point.x))!] = value;
    }
    return column;
  });
  return { xs, series, columns };
}

/** What a column says at a row: its last value until there, for it stays until it changes. Nothing behind its end. */
export function valueAt(column: readonly (number | null)[], row: number): number | null {
  const isOver = column.findLastIndex((value) => value !== null) < row;
  if (isOver) return null;
  for (let k = row; k >= 0; k--) if (column[k] != null) return column[k]!;
  return null;
}

/** What came before is not drawn: a logarithmic axis would give it more room than it deserves. */
const MAX_DECADES = 4;

/** A digit and zeros behind it, not above: there the lines of the grid begin. */
function roundBegin(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return Math.floor(x / power) * power;
}

export function visibleFrom(least: number, most: number): [number, number] {
  const high = Math.max(2, most);
  const low = Math.max(LEAST_X, 10 ** Math.floor(Math.log10(high) - MAX_DECADES), roundBegin(Math.max(LEAST_X, least)));
  return low < high ? [low, high] : [high / 2, high];
}

/** Part of the height that stays free above and below, and half of what is shown where nothing ever changed. */
const PADDING = 0.06;
const FLAT_HALF = 0.05;
/** Less is no difference that labels could tell; of rounding errors no axis can be made. */
const LEAST_SPAN = 1e-6;

export function fitnessRange(least: number | null, most: number | null): [number, number] {
  if (least === null || most === null) return [0, 1];
  const room = most - least > LEAST_SPAN ? PADDING * (most - least) : FLAT_HALF;
  return [least - room, most + room];
}
