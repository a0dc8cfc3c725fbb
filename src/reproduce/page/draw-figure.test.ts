import { expect, test } from 'vitest';
import { markupText } from '../../pages/markup.js';
import type { FigurePoint, PlotFigure } from '../findings.js';
import { drawFigure } from './draw-figure.js';

const PLOT: PlotFigure = {
  kind: 'plot',
  title: 'Success & failure',
  caption: 'Of <all>.',
  x: { label: 'difficulty', log: true },
  y: { label: 'success', from: 0, to: 1 },
  series: [
    {
      name: 'evolution',
      shape: 'points',
      points: [
        { x: 10, y: 0.9, low: 0.8, high: 1 },
        { x: 1000, y: 0.5, low: 0.3, high: 0.7, label: 'affine' },
      ],
    },
    { name: 'random', shape: 'points', points: [{ x: 100, y: 0.4 }] },
  ],
};

function draw(parts: Partial<PlotFigure>): string {
  return markupText(drawFigure({ ...PLOT, ...parts }));
}

function drawOne(shape: 'points' | 'line' | 'steps', points: readonly FigurePoint[], parts: Partial<PlotFigure> = {}) {
  return draw({ x: { label: 'x' }, y: { label: 'y' }, series: [{ name: 'one', shape, points }], ...parts });
}

/** The drawings for wide screens and for phones. */
function drawingsOf(text: string): string[] {
  return [...text.matchAll(/<svg class="plot.*?<\/desc>(.*?)<\/svg>\n(?=<svg class="plot|<ul|<fig|<\/fig)/gs)].map(
    ([, drawing]) => drawing!,
  );
}

function linesOf(svg: string): string[] {
  return [...svg.matchAll(/<path class="line" d="([^"]*)"><title>/g)].map(([, path]) => path!);
}

const noise = (k: number) => Math.abs(Math.sin(k * 12.9898) * 43758.5453) % 1;

test('every text is escaped', () => {
  const text = draw({
    title: '<b>&',
    caption: '<i>',
    x: { label: '<x>' },
    y: { label: '<y>' },
    series: [
      { name: '<one>', shape: 'line', points: [{ x: 1, y: 1, label: '<label>' }] },
      { name: '<two>', shape: 'points', points: [{ x: 2, y: 2 }] },
    ],
    levels: [{ name: '<level>', y: 1.5 }],
  });
  expect(text).not.toMatch(/<(b|i|x|y|one|two|label|level)>/);
  expect(text).toContain('&lt;label&gt;');
});

test('a plot is drawn twice, with its text alternatives', () => {
  const text = draw({});
  expect(drawingsOf(text)).toHaveLength(2);
  expect(text).toContain('<title>Success &amp; failure</title>');
  expect(text).toContain('<desc>success over difficulty, logarithmic. evolution: from 0.5 to 0.9. random: 0.4.</desc>');
  expect(text).toContain('<figcaption>Of &lt;all&gt;.</figcaption>');
});

test('points have their interval and say what they are', () => {
  const text = draw({});
  expect(text).toContain('<title>evolution, affine: success 0.5 (0.3 to 0.7) at difficulty 1000</title>');
  expect(drawingsOf(text)[0]!.match(/class="error"/g)).toHaveLength(2);
  expect(drawingsOf(text)[0]!.match(/class="dot"/g)).toHaveLength(3);
});

test('there is a legend where there are several series, and only there', () => {
  expect(draw({}).match(/<li>/g)).toHaveLength(2);
  expect(drawOne('line', [{ x: 1, y: 1 }])).not.toContain('<ul');
});

test('steps hold a value until the next one, in order of x', () => {
  const [broad] = linesOf(
    drawOne('steps', [
      { x: 2, y: 1 },
      { x: 0, y: 0 },
    ]),
  );
  const [, x0, y0, x1, y1, x2, y2] = /^M(\S+) (\S+)L(\S+) (\S+)L(\S+) ([^L]+)$/.exec(broad!)!.map(Number);
  expect([y1, x2]).toEqual([y0, x1]);
  expect(x1).toBeGreaterThan(x0!);
  expect(y2).toBeLessThan(y1!);
});

test('a line with intervals has a band', () => {
  const points = [1, 2, 3].map((x) => ({ x, y: x, low: x - 1, high: x + 1 }));
  expect(drawOne('line', points).match(/class="band"/g)).toHaveLength(2);
  expect(drawOne('line', points)).not.toContain('class="error"');
});

test('what is no number or beyond an axis is left out, and said to be', () => {
  const points = [
    { x: 1, y: 0.5, low: Number.NaN, high: Number.POSITIVE_INFINITY },
    { x: Number.NaN, y: 0.5 },
    { x: 1, y: Number.NEGATIVE_INFINITY },
    { x: 1, y: null as unknown as number },
    { x: 2, y: 7 },
  ];
  const text = drawOne('points', points, { y: { label: 'y', to: 1 } });
  expect(drawingsOf(text)[0]!.match(/class="dot"/g)).toHaveLength(1);
  expect(text).toContain('not drawn: 4 points without a number or beyond an axis');
  expect(text).not.toMatch(/NaN|Infinity|null/);
});

test.each(['points', 'line', 'steps'] as const)('%s without points, alone or all equal can be drawn', (shape) => {
  expect(drawOne(shape, [])).toContain('nothing to draw');
  const one = drawOne(shape, [{ x: 0, y: 0 }]);
  expect(drawingsOf(one)[0]!.match(/class="dot"/g)).toHaveLength(1);
  const equal = Array.from({ length: 50 }, () => ({ x: 3, y: 3 }));
  for (const text of [one, drawOne(shape, equal)]) expect(text).not.toMatch(/NaN|Infinity|nothing to draw/);
});

test.each(['points', 'line', 'steps'] as const)(
  'very many %s stay small, and those with a label are there',
  (shape) => {
    const points = Array.from({ length: 20_000 }, (_, k) => ({
      x: k,
      y: noise(k),
      ...(k === 10_001 && { label: 'here' }),
    }));
    const text = drawOne(shape, points);
    expect(text.length).toBeLessThan(400_000);
    expect(text.match(/>here<\/text>/g)).toHaveLength(2);
  },
);

test('callouts overlap neither each other nor the names of levels, and stay in the drawing', () => {
  const points = Array.from({ length: 9 }, (_, k) => ({ x: k / 3, y: 0.9 + k / 200, label: `discovery ${k}` }));
  const text = drawOne('points', points, { levels: [{ name: 'the baseline', y: 0.91 }] });
  const width = [720, 360];
  for (const [n, drawing] of drawingsOf(text).entries()) {
    const found = drawing.matchAll(/<text class="(callout|level-name)([^"]*)" x="([^"]*)" y="([^"]*)">([^<]*)/g);
    const boxes = [...found].map(([, , anchor, x, y, label]) => {
      const size = 5 * label!.length;
      const part = anchor === ' end' ? 1 : anchor === ' middle' ? 0.5 : 0;
      return { left: Number(x) - part * size, right: Number(x) + (1 - part) * size, y: Number(y) };
    });
    expect(boxes.length).toBeGreaterThan(n === 0 ? 9 : 5);
    for (const [k, a] of boxes.entries()) {
      expect(a.left).toBeGreaterThan(0);
      expect(a.right).toBeLessThan(width[n]!);
      for (const b of boxes.slice(k + 1)) {
        expect(a.right <= b.left || b.right <= a.left || Math.abs(a.y - b.y) >= 14).toBe(true);
      }
    }
  }
});

test('levels are dashed lines with their names', () => {
  const text = drawOne('line', [{ x: 1, y: 1 }], { levels: [{ name: 'paper', y: 2 }] });
  expect(text).toContain('<title>paper: 2</title>');
  expect(text.match(/<text class="level-name[^>]*>paper</g)).toHaveLength(2);
});
