import { expect, it } from 'vitest';
import { drawAblation } from './draw-ablation.js';

it('draws one bar with its interval for each section, and escapes what it is told', () => {
  const svg = drawAblation('a < b', [
    { label: 'noise & more', loss: 0.04, half: 0.01, isSignificant: true },
    { label: 'nothing', loss: -0.01, half: 0.02, isSignificant: false },
  ]);
  expect(svg).toMatch(/^<svg xmlns/);
  expect(svg).toContain('a &lt; b');
  expect(svg).toContain('noise &amp; more: 0.0400 ± 0.0100');
  expect(svg.match(/class="sure"/g)).toHaveLength(1);
  expect(svg.match(/class="unsure"/g)).toHaveLength(1);
  expect(svg.match(/class="error"/g)).toHaveLength(2);
  expect(svg).not.toMatch(/NaN|Infinity|<script|href/);
});

it('draws bars in proportion', () => {
  const svg = drawAblation('x', [
    { label: 'a', loss: 0.4, isSignificant: true },
    { label: 'b', loss: 0.1, isSignificant: true },
  ]);
  const [wide, narrow] = [...svg.matchAll(/class="sure"[^>]* width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(wide! / narrow!).toBeCloseTo(4, 1);
});

it('can draw nothing at all', () => {
  expect(drawAblation('x', [])).not.toMatch(/NaN|Infinity/);
  expect(drawAblation('x', [{ label: 'a', loss: 0, isSignificant: false }])).not.toMatch(/NaN|Infinity/);
});
