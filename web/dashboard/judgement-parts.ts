// How the programs of a search were judged, as parts that every program is in one of (paper, "Search Method").
import type { RunDetail } from '../../src/server/api.js';

export interface JudgementPart {
  /** Its colour in the style sheet. */
  readonly kind: 'over-budget' | 'canonical' | 'fingerprint' | 'cut' | 'evaluated';
  readonly name: string;
  readonly about: string;
  readonly programs: number;
}

/** What the configuration does without is left out. */
export function judgementParts({ counts, config }: Pick<RunDetail, 'counts' | 'config'>): JudgementPart[] {
  if (counts === null) return [];
  const { overBudget, canonicalHits, fingerprintHits, cut, audited, evaluated } = counts;
  const evaluation = config?.evaluation;
  const isOff = (feature: unknown, programs: number) => feature === null && programs === 0;
  const parts: (JudgementPart | false)[] = [
    !isOff(evaluation?.budget, overBudget) && {
      kind: 'over-budget',
      name: 'Over budget',
      about: 'would cost too much, never run',
      programs: overBudget,
    },
    !isOff(evaluation?.fingerprint, canonicalHits) && {
      kind: 'canonical',
      name: 'Canonical hit',
      about: 'known, in other words',
      programs: canonicalHits,
    },
    !isOff(evaluation?.fingerprint, fingerprintHits) && {
      kind: 'fingerprint',
      name: 'Fingerprint hit',
      about: 'known, by what it predicts',
      programs: fingerprintHits,
    },
    !isOff(evaluation?.hurdles, cut) && {
      kind: 'cut',
      name: 'Cut by a hurdle',
      about: 'failed on a few examples',
      programs: cut - audited,
    },
    {
      kind: 'evaluated',
      name: 'Evaluated in full',
      about:
        audited === 0
          ? 'on all tasks'
          : `on all tasks; ${audited.toLocaleString('en-US')} of them to see what hurdles cost`,
      programs: evaluated,
    },
  ];
  return parts.filter((part) => part !== false);
}
