// How the programs of a search were judged, as one bar: most need no evaluation. Must not know searches.
import type { EvaluationCounts } from '../../../src/evaluate/candidate-evaluator.js';
import { percentText, wholeNumber } from '../../shared/format.js';

const KINDS = [
  { name: 'overBudget', title: 'too expensive', kind: 'over-budget' },
  { name: 'canonicalHits', title: 'known form', kind: 'canonical' },
  { name: 'fingerprintHits', title: 'known fingerprint', kind: 'fingerprint' },
  { name: 'cut', title: 'cut at a hurdle', kind: 'cut' },
  { name: 'evaluated', title: 'evaluated in full', kind: 'evaluated' },
] as const satisfies readonly { name: keyof EvaluationCounts; title: string; kind: string }[];

export function JudgementBar({ counts }: { readonly counts: Readonly<EvaluationCounts> }) {
  // Those that were cut and evaluated all the same stand among the evaluated.
  const amounts = KINDS.map((kind) => ({
    ...kind,
    count: counts[kind.name] - (kind.name === 'cut' ? counts.audited : 0),
  }));
  const total = Math.max(
    1,
    amounts.reduce((sum, { count }) => sum + count, 0),
  );
  const shown = amounts.filter(({ count }) => count > 0);
  return (
    <div class="judgements">
      <div class="bar" aria-hidden="true">
        {shown.map(({ kind, count }) => (
          <span key={kind} class={`fill ${kind}`} style={{ flexGrow: count / total }} />
        ))}
      </div>
      <ul>
        {shown.map(({ kind, title, count }) => (
          <li key={kind}>
            <span class={`dot ${kind}`} aria-hidden="true" />
            {title} <b>{percentText(count / total)}</b> <small>{wholeNumber(count)}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
