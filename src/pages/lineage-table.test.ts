import { expect, test } from 'vitest';
import type { LineageEntry } from '../experiment/events.js';
import { renderLineage } from './lineage-table.js';
import { markupText } from './markup.js';

function text(...predict: readonly string[]): string {
  return `def Setup():\n\ndef Predict(v0):\n${predict.map((line) => `  ${line}\n`).join('')}\ndef Learn(v0, s0):\n`;
}

const FIRST: LineageEntry = { id: 0, fitness: 0.25, origin: 'initial', parent: null, program: text('a', 'b') };

function stepTo(id: number, lines: readonly string[], from: readonly string[] = ['a', 'b']): LineageEntry {
  const parent = { id: id - 1, fitness: 0.25, program: text(...from) };
  return { id, fitness: 0.5, origin: 'alter-argument', parent, program: text(...lines) };
}

function render(...steps: readonly LineageEntry[]): string {
  return markupText(renderLineage(steps));
}

test('a step has its number, mutation, fitness before and after, and what changed', () => {
  const table = render(FIRST, stepTo(1999, ['a', 'x']));
  expect(table).toContain('began with 2 instructions');
  expect(table).toContain('2,000</td><td>alter-argument</td>');
  expect(table).toContain('0.250000 → <b>0.500000</b> <small>+0.25</small>');
  expect(table).toContain('<small>Predict</small><div><del>b</del></div><div><ins>x</ins></div>');
  expect(table).not.toContain('<ins>a</ins>');
});

test('a program that began empty says so', () => {
  expect(render({ ...FIRST, program: text() })).toContain('began empty');
});

test('a change of many lines is shortened on both sides', () => {
  const lines = Array.from({ length: 40 }, (_, k) => `x${k}`);
  const table = render(FIRST, stepTo(5, lines));
  expect(table.match(/<ins>/g)).toHaveLength(6);
  expect(table.match(/<del>/g)).toHaveLength(2);
  expect(table).toContain('and 34 more lines');
});

test('a long line is folded in the middle, and every step is there once', () => {
  const steps = [FIRST, ...Array.from({ length: 39 }, (_, k) => stepTo(k + 1, ['a', `x${k}`]))];
  const table = render(...steps);
  expect(table).toContain('<summary>28 steps in between</summary>');
  for (let k = 0; k < 39; k++) expect(table.split(`<ins>x${k}</ins>`)).toHaveLength(2);
  expect(table.indexOf('<ins>x1<')).toBeLessThan(table.indexOf('<details'));
  expect(table.indexOf('<ins>x2<')).toBeGreaterThan(table.indexOf('<details'));
  expect(table.indexOf('<ins>x30<')).toBeGreaterThan(table.indexOf('</details'));
  expect(render(...steps.slice(0, 15))).not.toContain('<details');
});

test('of a very long one the page says what it leaves out', () => {
  const steps = Array.from({ length: 1000 }, (_, k) => stepTo(k, ['a', 'x']));
  const table = render(...steps);
  expect(table).toContain('698 earlier steps not shown here; result.json has them all.');
  expect(table.match(/<tbody>|<tr>/g)!.length).toBeLessThan(310);
});

test('programs are escaped', () => {
  const hostile = '<img src=x onerror="alert(1)">';
  const table = render(FIRST, stepTo(1, [hostile], [`${hostile}2`]));
  expect(table).not.toContain('<img');
  expect(table).toContain('<ins>&lt;img src=x onerror=&quot;alert(1)&quot;&gt;</ins>');
});
