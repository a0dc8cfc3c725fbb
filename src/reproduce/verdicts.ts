// Verdicts: how differences are judged, and how they are said in words and with symbols. Must not know experiments.
import type { Estimate } from './estimates.js';
import type { Claim, Verdict } from './findings.js';

export const VERDICTS: Readonly<Record<Verdict, { readonly word: string; readonly symbol: string }>> = {
  reproduced: { word: 'reproduced', symbol: '✓' },
  partly: { word: 'partly', symbol: '≈' },
  'not-reproduced': { word: 'not reproduced', symbol: '✗' },
  open: { word: 'open', symbol: '?' },
};

/** `2 reproduced, 1 open`; nothing of verdicts that no claim has. */
export function countVerdicts(claims: readonly Claim[]): string {
  const counts = Object.entries(VERDICTS).flatMap(([verdict, { word }]) => {
    const number = claims.filter((claim) => claim.verdict === verdict).length;
    return number === 0 ? [] : [`${number} ${word}`];
  });
  return counts.join(', ') || 'no claims';
}

/** Of a claim that a difference is above zero: open while its interval has both signs. */
export function judgeAboveZero({ low, high }: Pick<Estimate, 'low' | 'high'>): Verdict {
  if (low > 0) return 'reproduced';
  return high < 0 ? 'not-reproduced' : 'open';
}
