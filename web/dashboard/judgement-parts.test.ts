import { expect, it } from 'vitest';
import { presets } from '../../src/experiment/presets.js';
import { judgementParts } from './judgement-parts.js';

const counts = {
  algorithms: 100,
  overBudget: 0,
  canonicalHits: 30,
  fingerprintHits: 20,
  cut: 26,
  audited: 1,
  evaluated: 25,
  trainSteps: 0,
};

it('counts every program once', () => {
  const parts = judgementParts({ counts: counts as never, config: presets.linear });
  expect(parts.reduce((sum, { programs }) => sum + programs, 0)).toBe(100);
});

it('leaves out what the search does without', () => {
  const config = {
    ...presets.linear,
    evaluation: { ...presets.linear.evaluation, budget: 4, fingerprint: null, hurdles: null },
  };
  const none = { ...counts, canonicalHits: 0, fingerprintHits: 0, cut: 0, audited: 0 };
  expect(judgementParts({ counts: none as never, config }).map(({ kind }) => kind)).toEqual([
    'over-budget',
    'evaluated',
  ]);
  expect(judgementParts({ counts: null, config })).toEqual([]);
});
