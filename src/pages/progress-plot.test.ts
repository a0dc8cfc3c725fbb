import { expect, test } from 'vitest';
import { noCounts } from '../evaluate/candidate-evaluator.js';
import type { LineageEntry, ProgressEvent, RunEvent } from '../experiment/events.js';
import { html, markupText } from './markup.js';
import { readLines } from './progress-lines.js';
import { AREA, drawProgress, renderProgressPlot } from './progress-plot.js';

function bestEvent(experiment: number, start: number, id: number, fitness: number): RunEvent {
  const place = { experiment, algorithms: start + id + 1 };
  return { type: 'best', ...place, id, fitness, origin: 'insert', parent: null, ancestor: null, hash: '', program: '' };
}

function progressEvent(algorithms: number, values: Pick<ProgressEvent, 'best' | 'mean' | 'hurdles'>): RunEvent {
  return { type: 'progress', experiment: 1, algorithms, ...values, ...noCounts() };
}

function selectEvent(experiment: number, algorithms: number, isBest: boolean): RunEvent {
  return { type: 'select', experiment, algorithms, id: 0, searchFitness: 0, selectFitness: 0, isBest };
}

function step(id: number, fitness: number): LineageEntry {
  return { id, fitness, origin: 'trade', parent: null, program: '' };
}

function plot(events: readonly RunEvent[], lineage: readonly LineageEntry[] = []): string {
  return markupText(renderProgressPlot(events, lineage)!);
}

function pathsOf(svg: string, kind: string): string[] {
  return [...svg.matchAll(new RegExp(`<path class="${kind}" d="([^"]*)"`, 'g'))].map(([, path]) => path!);
}

const TWO: readonly RunEvent[] = [
  { type: 'experiment', experiment: 1, algorithms: 0 },
  bestEvent(1, 0, 0, 0.2),
  bestEvent(1, 0, 9, 0.6),
  { type: 'experiment-end', experiment: 1, algorithms: 100, reason: 'algorithms', best: 0.6 },
  selectEvent(1, 100, true),
  { type: 'experiment', experiment: 2, algorithms: 100 },
  bestEvent(2, 100, 9, 0.4),
  { type: 'experiment-end', experiment: 2, algorithms: 200, reason: 'algorithms', best: 0.4 },
  selectEvent(2, 200, false),
];

test('there is none where nothing was found', () => {
  expect(renderProgressPlot([{ type: 'experiment', experiment: 1, algorithms: 0 }], [])).toBeUndefined();
});

test('one line for each experiment, that of the selected program apart, each from its own beginning', () => {
  const svg = plot(TWO);
  const [best, ...noOther] = pathsOf(svg, 'best');
  const [other, ...none] = pathsOf(svg, 'other');
  expect([noOther, none]).toEqual([[], []]);
  // From 1 at the left edge over 10 in the middle to 100 at the right edge; the higher, the smaller y.
  const [, x0, y0, x1, y1, end] = /^M(\S+) (\S+)H(\S+)V(\S+)H(\S+)$/.exec(best!)!.map(Number);
  const [, otherX, otherY, otherEnd] = /^M(\S+) (\S+)H(\S+)$/.exec(other!)!.map(Number);
  expect(x1! - x0!).toBeCloseTo(end! - x1!);
  expect([otherX, otherEnd]).toEqual([x1, end]);
  expect(otherY).toBeCloseTo((y0! + y1!) / 2);
  expect(y1).toBeLessThan(y0!);
  expect(svg).toContain(
    'aria-label="Best fitness over algorithms. In experiment 1, the selected one of 2, it rose from',
  );
});

test('ticks are powers of ten and round fitnesses', () => {
  const labels = [...plot(TWO).matchAll(/<text [^>]*>([^<]*)</g)].map(([, label]) => label);
  expect(labels).toEqual(['1', '10', '100', '0.2', '0.3', '0.4', '0.5', '0.6']);
});

test('the steps that led to the program are dots with tooltips', () => {
  const svg = plot(TWO, [step(1233, 0.3), step(99, 0.6)]);
  expect(svg).toContain('<title>algorithm 1,234: trade, fitness 0.300000</title>');
  expect(svg.match(/<circle/g)).toHaveLength(2);
});

test('mean and hurdle are drawn where there are any, and only then explained', () => {
  expect(plot(TWO)).not.toMatch(/mean of|hurdle/);
  const withMean = plot([
    ...TWO,
    progressEvent(50, { best: 0.6, mean: 0.3, hurdles: [0.1, null] }),
    progressEvent(60, { best: 0.6, mean: 0.4, hurdles: [0.1, 0.5] }),
  ]);
  expect(pathsOf(withMean, 'mean')).toHaveLength(1);
  expect(withMean).toContain('mean of its population');
  expect(withMean).not.toContain('hurdle');
  const withHurdle = plot([
    ...TWO,
    progressEvent(50, { best: 0.6, mean: Number.NaN, hurdles: [0.1, 0.5] }),
    progressEvent(60, { best: 0.6, mean: 'NaN' as unknown as number, hurdles: [0.1, 0.5] }),
  ]);
  expect(pathsOf(withHurdle, 'hurdle')).toHaveLength(1);
  expect(withHurdle).not.toContain('mean of');
  expect(withHurdle).not.toContain('NaN');
});

test('a fitness that never changes lies in the middle', () => {
  const svg = plot([bestEvent(1, 0, 0, 0.5)]);
  const [, y] = /^M\S+ (\S+)H/.exec(pathsOf(svg, 'best')[0]!)!.map(Number);
  const ticks = [...svg.matchAll(/<path class="grid" d="M\S+ (\S+)H/g)].map(([, at]) => Number(at));
  expect(Math.min(...ticks)).toBeLessThan(y!);
  expect(Math.max(...ticks)).toBeGreaterThan(y!);
});

test('what is left of the axis neither shows nor stretches it', () => {
  const events = [bestEvent(1, 0, 0, 0.01), bestEvent(1, 0, 50, 0.7), bestEvent(1, 0, 2_000_000, 0.8)];
  const svg = plot(events, [step(0, 0.01), step(2_000_000, 0.8)]);
  expect(svg).not.toContain('>0.1<');
  expect(svg.match(/<circle/g)).toHaveLength(1);
});

test('stays small however many events and experiments there are', () => {
  const events = Array.from({ length: 200 }, (_, e) =>
    Array.from({ length: 500 }, (_, k) => bestEvent(e + 1, 0, k * k, 0.2 + (e + k) / 2000)),
  ).flat();
  const lineage = Array.from({ length: 5000 }, (_, k) => step(k, k / 5000));
  const svg = plot(events, lineage);
  expect(svg.length).toBeLessThan(150_000);
  expect(svg).toContain('the best 40 of 199 other experiments');
  expect(svg).toContain('fitness 0.999800');
});

test('of several groups of islands, the line is that of the best, and steps of islands that are ahead stay in the plot', () => {
  const events = [
    bestEvent(1, 0, 0, 0.2),
    bestEvent(1, 0, 99, 0.6),
    progressEvent(500, { best: 0.3, mean: null, hurdles: [] }),
    progressEvent(1000, { best: 0.3, mean: null, hurdles: [] }),
  ];
  const svg = plot(events, [step(99, 0.6), step(1999, 0.7)]);
  const [best] = pathsOf(svg, 'best');
  // Never down again: in a picture, down is more.
  const heights = [...best!.matchAll(/[M V](?:[\d.]+ )?([\d.]+)(?=H)/g)].map(([, y]) => Number(y));
  expect(heights.length).toBeGreaterThan(1);
  expect(heights).toEqual(heights.toSorted((a, b) => b - a));
  const [, last] = [...svg.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x));
  expect(last).toBe(Number(/H([\d.]+)$/.exec(best!)![1]));
});

test('steps of islands that are slower than others are on the line, not left of it', () => {
  const events = [bestEvent(1, 0, 0, 0.2), bestEvent(1, 0, 999, 0.6), bestEvent(1, 0, 4999, 0.7)];
  const centres = [...plot(events, [step(0, 0.2), step(99, 0.6), step(4999, 0.7)]).matchAll(/<circle cx="([\d.]+)"/g)];
  const [, line] = [...plot(events, [step(0, 0.2), step(999, 0.6)]).matchAll(/<circle cx="([\d.]+)"/g)];
  expect(centres).toHaveLength(3);
  expect(centres[1]![1]).toBe(line![1]);
});

test('what is drawn over it stays inside, also if it came before the left edge', () => {
  const events: RunEvent[] = [
    { type: 'experiment', experiment: 1, algorithms: 0 },
    bestEvent(1, 0, 500_000, 0.5),
    bestEvent(1, 0, 900_000, 0.6),
  ];
  const places: { x: number; y: number }[] = [];
  drawProgress({
    ...{ lines: readLines(events), selected: 1, lineage: [] },
    drawOver: (at) => {
      places.push(at({ algorithms: 3, fitness: 0.01 }), at({ algorithms: 900_001, fitness: 0.6 }));
      return { room: 0, markup: html`` };
    },
  });
  expect(places[0]).toEqual({ x: AREA.left, y: AREA.bottom });
  expect(places[1]!.y).toBeLessThan(AREA.bottom);
});
