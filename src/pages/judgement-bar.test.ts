import { expect, test } from 'vitest';
import { noCounts } from '../evaluate/candidate-evaluator.js';
import type { Config } from '../experiment/config.js';
import type { RunCounts, RunResult } from '../experiment/events.js';
import { findPreset } from '../experiment/presets.js';
import { renderJudgements } from './judgement-bar.js';
import { markupText } from './markup.js';

const DIGITS = findPreset('digits').evaluation;
const PLAIN: Config['evaluation'] = { ...DIGITS, budget: null, fingerprint: null, hurdles: null };

function render(counts: Partial<RunCounts>, evaluation = DIGITS, rescued = 0): string {
  const result = { counts: { ...noCounts(), algorithms: 0, ...counts }, rescued } as RunResult;
  return markupText(renderJudgements(result, evaluation));
}

const FULL = {
  algorithms: 1000,
  overBudget: 100,
  canonicalHits: 300,
  fingerprintHits: 200,
  cut: 250,
  audited: 50,
  evaluated: 200,
};

/** Name and number of each row. */
function rowsOf(markup: string): string[] {
  return [...markup.matchAll(/<\/span>([^<]*)<\/th>\s*<td class="figure">([^<]*)</g)].map(([, a, b]) => `${a} ${b}`);
}

test('every program is in one part', () => {
  const rows = [
    'Over budget 100',
    'Canonical hit 300',
    'Fingerprint hit 200',
    'Cut 200',
    'Audited 50',
    'Evaluated 150',
  ];
  expect(rowsOf(render(FULL))).toEqual(rows);
});

test('the bar has them side by side, as wide as they are many', () => {
  const pieces = [...render(FULL).matchAll(/x="([\d.]+)" width="([\d.]+)"/g)].map(([, x, width]) =>
    [x, width].map(Number),
  );
  expect(pieces.map(([, width]) => width)).toEqual([100, 300, 200, 200, 50, 150]);
  expect(pieces.map(([x]) => x)).toEqual([0, 100, 400, 600, 800, 850]);
});

test('what was rescued is told', () => {
  expect(render(FULL, DIGITS, 3)).toContain('rescued as a new best: 3');
});

test('what the configuration does without is left out', () => {
  expect(rowsOf(render({ algorithms: 10, evaluated: 10 }, PLAIN))).toEqual(['Evaluated 10']);
  expect(rowsOf(render({ algorithms: 10, evaluated: 9, canonicalHits: 1 }, PLAIN))).toEqual([
    'Canonical hit 1',
    'Evaluated 9',
  ]);
});

test('a part of few programs can be seen, and one of none is no piece', () => {
  const bar = render({ algorithms: 1e6, canonicalHits: 999_999, evaluated: 1 });
  expect(bar.match(/<rect/g)).toHaveLength(2);
  expect(bar).toContain('width="3.0"');
  expect(render({})).not.toContain('<svg');
});
