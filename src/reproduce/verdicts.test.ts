import { expect, test } from 'vitest';
import { countVerdicts, judgeAboveZero } from './verdicts.js';

test('a difference is open while its interval has both signs', () => {
  expect(judgeAboveZero({ low: 0.01, high: 0.02 })).toBe('reproduced');
  expect(judgeAboveZero({ low: -0.01, high: 0.02 })).toBe('open');
  expect(judgeAboveZero({ low: -0.02, high: -0.01 })).toBe('not-reproduced');
});

test('verdicts are counted in their order, and those that no claim has are left out', () => {
  const claim = { claim: '', paper: '', ours: '' };
  expect(
    countVerdicts([
      { ...claim, verdict: 'open' },
      { ...claim, verdict: 'reproduced' },
    ]),
  ).toBe('1 reproduced, 1 open');
  expect(countVerdicts([])).toBe('no claims');
});
