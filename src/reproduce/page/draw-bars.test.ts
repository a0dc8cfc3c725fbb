import { expect, test } from 'vitest';
import { markupText } from '../../pages/markup.js';
import type { Bar, BarFigure } from '../findings.js';
import { drawBars } from './draw-bars.js';
import { drawFigure } from './draw-figure.js';
import { LAYOUTS } from './figure-layout.js';

const [BROAD, NARROW] = LAYOUTS;

function figureOf(bars: readonly Bar[], parts: Partial<BarFigure> = {}): BarFigure {
  return { kind: 'bars', title: 'Bars', caption: '', y: { label: 'accuracy' }, bars, ...parts };
}

function draw(bars: readonly Bar[], parts: Partial<BarFigure> = {}, layout: (typeof LAYOUTS)[number] = BROAD): string {
  return markupText(drawBars(figureOf(bars, parts), layout));
}

function rectsOf(svg: string): { x: number; width: number }[] {
  return [...svg.matchAll(/<rect x="([^"]*)" y="[^"]*" width="([^"]*)"/g)].map(([, x, width]) => ({
    x: Number(x),
    width: Number(width),
  }));
}

test('lengths are as values, from zero on', () => {
  const [one, two, less] = rectsOf(
    draw([
      { name: 'a', value: 1 },
      { name: 'b', value: 2 },
      { name: 'c', value: -1 },
    ]),
  );
  expect(two!.width / one!.width).toBeCloseTo(2, 1);
  expect(two!.x).toBe(one!.x);
  expect(less!.x + less!.width).toBeCloseTo(one!.x, 0);
});

test('an axis that begins elsewhere is begun there', () => {
  const [one, two] = rectsOf(
    draw(
      [
        { name: 'a', value: 0.6 },
        { name: 'b', value: 0.7 },
      ],
      { y: { label: '', from: 0.5 } },
    ),
  );
  expect(two!.width / one!.width).toBeCloseTo(2, 1);
});

test('values, intervals and the paper’s values are drawn and said', () => {
  const bars = [
    { name: 'ours', value: 0.82, low: 0.81, high: 0.83, paper: 0.8406 },
    { name: 'other', value: 0.7 },
  ];
  const svg = draw(bars);
  expect(svg).toContain('<title>ours: 0.8200 (0.81 to 0.83), paper 0.8406</title>');
  expect(svg.match(/class="paper-mark"/g)).toHaveLength(1);
  expect(svg.match(/class="error"/g)).toHaveLength(1);
  expect(markupText(drawFigure(figureOf(bars)))).toContain('the paper’s value');
  expect(markupText(drawFigure(figureOf([{ name: 'a', value: 1 }])))).not.toContain('<ul');
});

test('what is no number has a name and no bar', () => {
  const svg = draw([
    { name: 'none', value: Number.NaN, low: Number.NEGATIVE_INFINITY, paper: Number.NaN },
    { name: 'one', value: 1 },
  ]);
  expect(rectsOf(svg)).toHaveLength(1);
  expect(svg).toContain('>none<');
  expect(svg).not.toMatch(/NaN|Infinity/);
});

test('bars can be logarithmic, none, or all zero', () => {
  const [one, hundred] = rectsOf(
    draw(
      [
        { name: 'a', value: 10 },
        { name: 'b', value: 100 },
      ],
      { y: { label: '', log: true, from: 1 } },
    ),
  );
  expect(hundred!.width / one!.width).toBeCloseTo(2, 1);
  expect(draw([])).toContain('nothing to draw');
  expect(draw([{ name: 'a', value: 0 }])).not.toMatch(/NaN|Infinity/);
});

test('a dozen bars with long names lie below each other within the drawing', () => {
  const bars = Array.from({ length: 12 }, (_, k) => ({
    name: `part ${k} of a program that has quite a long name, longer than any line that there is room for`,
    value: k,
    paper: k,
  }));
  for (const layout of [BROAD, NARROW]) {
    const svg = draw(bars, {}, layout);
    const [, height] = /viewBox="0 0 \d+ ([\d.]+)"/.exec(svg)!.map(Number);
    const tops = [...svg.matchAll(/<rect x="[^"]*" y="([^"]*)"/g)].map(([, y]) => Number(y));
    expect(tops).toHaveLength(12);
    for (const [k, top] of tops.entries()) expect(top - (tops[k - 1] ?? -100)).toBeGreaterThan(24);
    expect(tops.at(-1)! + 30).toBeLessThan(height!);
    expect(svg.match(/…</g)).toHaveLength(12);
  }
});

test('levels that are close have their names above each other', () => {
  const levels = [
    { name: 'logistic regression', y: 0.7 },
    { name: 'two-layer network', y: 0.71 },
  ];
  const svg = draw([{ name: 'a', value: 0.8 }], { levels });
  const heights = [...svg.matchAll(/<text class="level-name" x="[^"]*" y="([^"]*)"/g)].map(([, y]) => Number(y));
  expect(heights[0]! - heights[1]!).toBeGreaterThanOrEqual(15);
});
