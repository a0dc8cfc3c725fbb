// How uPlot draws fitness: a logarithmic axis of algorithms, colours of the style sheet, and marks that lie above the drawing. Must
// not know Preact.
import uPlot from 'uplot';
import { type ChartColumns, type FitnessLine, fitnessRange, type Series, visibleFrom } from './chart-data.js';
import { shortNumber } from './format.js';
import { readColor } from './theme.js';

/** There are so many colours of lines in the style sheet. */
const LINE_COLORS = 8;

/** Whether one line has the chart for itself, but for those in the background. */
export function isAlone(lines: readonly FitnessLine[]): boolean {
  return lines.filter(({ isFaint }) => !isFaint).length === 1;
}

/** The custom property with the colour of a line, without its hyphens: a line alone has one for each kind; of several, each has its own. */
export function colorName({ line, kind }: Series, lines: readonly FitnessLine[]): string {
  if (lines[line]!.isFaint) return 'other';
  if (isAlone(lines)) return kind === 'best' ? 'accent' : kind;
  return lineColor(line);
}

/** The same of the line at a place among several. */
export function lineColor(line: number): string {
  return `line-${(line % LINE_COLORS) + 1}`;
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
const SLACK = 1e-9;

/** Powers of ten have a label; where few of them are in sight, twice and five times as much too. */
function algorithmLabels({ scales }: uPlot, splits: readonly (number | null)[]): string[] {
  const { min = 1, max = 1 } = scales.x ?? {};
  const digits = (max ?? 1) / (min ?? 1) < 300 ? ['1', '2', '5'] : ['1'];
  return splits.map((value) =>
    value !== null && digits.includes(value.toExponential(3).replace(/\.?0*e.*/, '')) ? shortNumber(value) : '',
  );
}

/** There is no fitness outside of 0 to 1, only room. */
function fitnessLabel(value: number): string {
  return value < -SLACK || value > 1 + SLACK ? '' : String(Number(value.toPrecision(6)));
}

export function chartOptions(
  root: HTMLElement,
  { series }: ChartColumns,
  lines: readonly FitnessLine[],
  height: number,
): uPlot.Options {
  const color = (name: string) => () => readColor(root, `--${name}`);
  const grid = { stroke: color('grid'), width: 1 };
  const axis: uPlot.Axis = { stroke: color('soft'), grid, ticks: { show: false }, font: FONT };
  return {
    width: root.clientWidth,
    height,
    legend: { show: false },
    padding: [12, 16, 0, 0],
    scales: {
      x: { time: false, distr: 3, range: (_, least, most) => visibleFrom(least, most) },
      y: { range: (_, least, most) => fitnessRange(least, most) },
    },
    axes: [
      {
        ...axis,
        size: 30,
        filter: (_, splits) => splits,
        values: algorithmLabels,
      },
      { ...axis, size: 54, values: (_, splits) => splits.map(fitnessLabel) },
    ],
    series: [
      {},
      ...series.map((one): uPlot.Series => {
        const isThin = one.kind !== 'best' || lines[one.line]!.isFaint === true;
        return {
          stroke: color(colorName(one, lines)),
          width: isThin ? 1.25 : 2,
          spanGaps: true,
          // A line of one point would not be seen.
          points: { show: ({ data }, k) => [...data[k]!].filter((value) => value != null).length === 1 },
          ...(one.kind === 'hurdle' ? { dash: [5, 4] } : {}),
          // The best stays what it is until there is a better one.
          ...(one.kind === 'mean' ? {} : { paths: uPlot.paths.stepped!({ align: 1 }) }),
        };
      }),
    ],
    cursor: { y: false, drag: { x: true, y: false }, points: { size: 7 } },
  };
}

/** Puts the layer above the area of the plot, and what has `data-x` in it where it belongs. */
export function placeMarks(chart: uPlot, layer: HTMLElement): void {
  const { style } = layer;
  style.left = `${chart.over.offsetLeft}px`;
  style.top = `${chart.over.offsetTop}px`;
  style.width = `${chart.over.clientWidth}px`;
  style.height = `${chart.over.clientHeight}px`;
  for (const mark of layer.querySelectorAll<HTMLElement>('[data-x]')) {
    const left = chart.valToPos(Math.max(1, Number(mark.dataset.x)), 'x');
    const top = mark.dataset.fitness === undefined ? 0 : chart.valToPos(Number(mark.dataset.fitness), 'y');
    const isInside =
      left >= -1 && left <= chart.over.clientWidth + 1 && top >= -1 && top <= chart.over.clientHeight + 1;
    mark.hidden = !isInside;
    mark.style.transform = `translate(${left}px, ${top}px)`;
  }
}
