// Fitness over algorithms, on uPlot: one run with its mean, hurdle and callouts, or several runs. Hover, arrow keys, zoom by dragging;
// it follows its width, its data and the theme. Must not know where the points come from.
import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type ChartColumns, chartColumns, type FitnessLine, KINDS, type Kind, valueAt } from './chart-data.js';
import { chartOptions, colorName, isAlone, placeMarks } from './chart-options.js';
import { shortFitness, wholeNumber } from './format.js';
import { isDark } from './theme.js';

export interface Callout {
  readonly x: number;
  readonly fitness: number;
  /** A few words for the dot. */
  readonly title: string;
  /** What stands in the list below the chart. */
  readonly text: ComponentChildren;
  /** Less to be seen: what did not stay. */
  readonly isFaint?: boolean;
}

interface FitnessChartProps {
  /** Names the chart, for readers of the screen. */
  readonly label: string;
  readonly lines: readonly FitnessLine[];
  readonly callouts?: readonly Callout[];
  readonly kinds?: readonly Kind[];
  /** In pixels. */
  readonly height?: number;
  /** A place to mark with an upright line, such as the step that is played. */
  readonly cursorAt?: number | undefined;
}

const KEY_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

export function FitnessChart({
  label,
  lines,
  callouts = [],
  kinds = KINDS,
  height = 300,
  cursorAt,
}: FitnessChartProps) {
  const root = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const [row, setRow] = useState<number | null>(null);
  const data = useMemo(() => chartColumns(lines, kinds), [lines, kinds.join()]);
  const shape = JSON.stringify([data.series.map((one) => [one, colorName(one, lines)]), height]);
  const hintId = useId();

  // Made anew only if other lines are drawn: data have their own effect.
  useEffect(() => {
    const element = root.current!;
    const made = new uPlot(chartOptions(element, data, lines, height), [[], ...data.series.map(() => [])], element);
    made.hooks.draw = [() => placeMarks(made, layer.current!)];
    made.hooks.setCursor = [() => setRow(made.cursor.idx ?? null)];
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    const stop = effect(() => {
      isDark.value;
      // The style sheet follows in the same frame.
      requestAnimationFrame(() => made.redraw(false));
    });
    return () => {
      stop();
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
  }, [shape]);

  useEffect(() => {
    const made = chart.current!;
    const before = made.data[0];
    const { min, max } = made.scales.x!;
    // Who has looked closer at a part goes on looking at it.
    const isZoomed = before.length > 0 && max != null && max < before.at(-1)!;
    made.setData([data.xs, ...data.columns] as unknown as uPlot.AlignedData, !isZoomed);
    if (isZoomed) made.setScale('x', { min: min!, max });
  }, [data, shape]);

  useEffect(() => {
    if (data.xs.length > 0) placeMarks(chart.current!, layer.current!);
  }, [callouts, cursorAt, data, shape]);

  const move = (event: KeyboardEvent) => {
    const made = chart.current;
    const step = KEY_STEPS[event.key];
    if (made === undefined || step === undefined || data.xs.length === 0) return;
    event.preventDefault();
    const last = data.xs.length - 1;
    const next = Math.max(0, Math.min(last, (made.cursor.idx ?? last) + step));
    made.setCursor({ left: made.valToPos(data.xs[next]!, 'x'), top: 1 });
  };

  return (
    <div class="chart">
      <div
        class="plot"
        role="application"
        aria-roledescription="chart"
        aria-label={label}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through the points
        tabIndex={0}
        onKeyDown={move}
      >
        <div ref={root} />
        <div class="marks" ref={layer} aria-hidden="true">
          {cursorAt !== undefined && <i class="played" data-x={cursorAt} />}
          {callouts.map(({ x, fitness, title, isFaint }, k) => (
            <b key={`${x} ${title}`} class={isFaint ? 'faint' : ''} data-x={x} data-fitness={fitness} title={title}>
              {k + 1}
            </b>
          ))}
        </div>
      </div>
      <p class="unseen" id={hintId}>
        Arrow keys move through the points; the legend has their values. Drag to look closer, double-click to see all.
      </p>
      <Legend data={data} lines={lines} row={row} isOfKinds={kinds.length > 1 && isAlone(lines)} />
      {callouts.length > 0 && (
        <ol class="callouts">
          {callouts.map(({ x, title, text, isFaint }) => (
            <li key={`${x} ${title}`} class={isFaint ? 'faint' : ''}>
              {text}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const KIND_NAMES: Readonly<Record<Kind, string>> = { best: 'best', mean: 'mean of population', hurdle: 'hurdle' };

interface LegendProps {
  readonly data: ChartColumns;
  readonly lines: readonly FitnessLine[];
  /** What is pointed at; null for the end. */
  readonly row: number | null;
  /** One run is shown, and the lines are told apart by what they are of it. */
  readonly isOfKinds: boolean;
}

/** The lines with their values where somebody points, or at the end. */
function Legend({ data: { xs, series, columns }, lines, row, isOfKinds }: LegendProps) {
  const own = series.map((one, k) => ({ ...one, k })).filter(({ line }) => !lines[line]!.isFaint);
  // Lines in the background may go on behind it.
  const last = Math.max(-1, ...own.map(({ k }) => columns[k]!.findLastIndex((value) => value !== null)));
  const at = row !== null && row < xs.length ? row : null;
  const textAt = (k: number) => {
    const value = at === null ? columns[k]!.findLast((one) => one !== null) : valueAt(columns[k]!, at);
    return value == null ? '–' : shortFitness(value);
  };
  const faint = lines.filter(({ isFaint }) => isFaint);
  return (
    <ul class="legend">
      {last >= 0 && <li class="at">at {wholeNumber(xs[at ?? last]!)} algorithms</li>}
      {own.map(({ k, ...one }) => (
        <li key={`${lines[one.line]!.id} ${one.kind}`}>
          <span class={`key ${colorName(one, lines)}`} />
          {isOfKinds
            ? KIND_NAMES[one.kind]
            : `${lines[one.line]!.name}${one.kind === 'best' ? '' : `, ${KIND_NAMES[one.kind]}`}`}{' '}
          <b>{textAt(k)}</b>
        </li>
      ))}
      {faint.length > 0 && (
        <li>
          <span class="key other" />
          {faint.length === 1 ? faint[0]!.name : `${faint.length} others`}
        </li>
      )}
    </ul>
  );
}
