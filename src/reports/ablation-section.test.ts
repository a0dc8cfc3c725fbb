import { expect, test } from 'vitest';
import type { Ablated } from '../analysis/ablate/ablate.js';
import type { Tuned } from '../analysis/tune/tune.js';
import { markupText } from '../pages/markup.js';
import { renderAblation } from './ablation-section.js';

const TUNED = { best: { fitness: 0.8, fitnesses: [0.7, 0.9] } } as unknown as Tuned;

function part(label: string, mean: number, flags: Partial<Ablated> = {}): Ablated {
  const known = { kind: 'instruction', label, places: [], how: 'removed', tuned: TUNED } as const;
  return { ...known, loss: { mean, half: 0.01 }, isSignificant: false, isEquivalent: false, sameAs: [], ...flags };
}

function render(sections: readonly Ablated[]): string {
  const ablation = { intact: TUNED, sections };
  return markupText(renderAblation({ ablation, trials: 20, tasks: '10 linear tasks' }));
}

test('says what was measured, draws the losses and tells them in numbers', () => {
  const page = render([
    part('learn 1', 0.5, { isSignificant: true }),
    part('setup 1', -0.1, { isSignificant: true }),
    part('learn 2', 0),
  ]);
  expect(page).toMatch(/a mean fitness of 0\.8000 ± \d\.\d{4} on 10 linear tasks/);
  expect(page.match(/<rect class="(un)?sure"/g)).toHaveLength(3);
  expect(page).not.toContain('<style>');
  // Wider than a phone: whoever has no pointer can scroll it too.
  expect(page).toContain('<figure class="losses" tabindex="0" aria-label="Loss of fitness without each part">');
  expect(page).toContain('<td>learn 1</td><td class="figure">−0.5000 ± 0.0100</td><td>significant</td>');
  expect(page).toContain('<td>setup 1</td><td class="figure">+0.1000 ± 0.0100</td><td>better without</td>');
  expect(page).toContain('<td>not significant</td>');
});

test('charts the greatest losses where there are many', () => {
  const page = render(Array.from({ length: 60 }, (_, k) => part(`learn ${k}`, 1 / (k + 1))));
  expect(page.match(/<rect class="unsure"/g)).toHaveLength(24);
  expect(page).toContain('without each part, the 24 greatest');
  expect(page).toContain('60 parts in numbers');
});

test('labels are not markup', () => {
  expect(render([part('<script>', 0.1, { how: '<img>' })])).not.toMatch(/<script|<img/);
});

test('says why there is nothing', () => {
  expect(markupText(renderAblation({ problem: 'There is no <program>.' }))).toContain('There is no &lt;program&gt;.');
});
