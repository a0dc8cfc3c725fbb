// How the programs of a search were judged, as a bar of parts and a legend: most are known already, and few need a full
// evaluation (paper, "Search Method"). Must not know how programs are judged.
import type { Config } from '../experiment/config.js';
import type { RunResult } from '../experiment/events.js';
import { percentText } from '../util/number-text.js';
import { html, type Markup } from './markup.js';

interface Part {
  /** Its class in the style sheet. */
  readonly kind: string;
  readonly name: string;
  readonly about: string;
  readonly programs: number;
}

/** `rescued` is null before the end of a run, which alone knows it. */
export interface Judged extends Pick<RunResult, 'counts'> {
  readonly rescued: number | null;
}

/** Every program is in one part. What the configuration does without is left out. */
function partsOf({ counts, rescued }: Judged, { budget, fingerprint, hurdles }: Config['evaluation']): Part[] {
  const { overBudget, canonicalHits, fingerprintHits, cut, audited, evaluated } = counts;
  const ofBudget = {
    kind: 'over-budget',
    name: 'Over budget',
    about: 'would cost too much, never run',
    programs: overBudget,
  };
  const canonical = {
    kind: 'canonical',
    name: 'Canonical hit',
    about: 'known, in other words',
    programs: canonicalHits,
  };
  const known = {
    kind: 'fingerprint',
    name: 'Fingerprint hit',
    about: 'known, by what it predicts',
    programs: fingerprintHits,
  };
  const atHurdles = [
    { kind: 'cut', name: 'Cut', about: 'failed a hurdle on a few examples', programs: cut - audited },
    {
      kind: 'audited',
      name: 'Audited',
      about: `failed a hurdle, evaluated all the same${rescued === null ? '' : `; rescued as a new best: ${rescued.toLocaleString('en-US')}`}`,
      programs: audited,
    },
  ];
  const full = { kind: 'evaluated', name: 'Evaluated', about: 'in full, on all tasks', programs: evaluated - audited };
  return [
    ...(budget === null ? [] : [ofBudget]),
    // Copies are known even where fingerprints are off.
    ...(fingerprint === null && canonicalHits === 0 ? [] : [canonical]),
    ...(fingerprint === null ? [] : [known]),
    ...(hurdles === null ? [] : atHurdles),
    full,
  ];
}

const WIDTH = 1000;
/** A part that has any program can be seen. */
const LEAST_WIDTH = 3;

function renderBar(parts: readonly Part[], all: number): Markup | undefined {
  const shown = parts.filter(({ programs }) => programs > 0);
  if (shown.length === 0) return undefined;
  const widths = shown.map(({ programs }) => Math.max(LEAST_WIDTH, (programs / all) * WIDTH));
  const total = widths.reduce((a, b) => a + b, 0);
  const text = shown.map(({ name, programs }) => `${name}: ${percentText(programs / all)}`).join(', ');
  let x = 0;
  const pieces = shown.map(({ kind, name, programs }, k) => {
    const title = `${name}: ${programs.toLocaleString('en-US')}`;
    const piece = html`<rect class="${kind}" x="${x.toFixed(1)}" width="${widths[k]!.toFixed(1)}" height="10"><title>${title}</title></rect>`;
    x += widths[k]!;
    return piece;
  });
  return html`<svg class="bar" viewBox="0 0 ${total.toFixed(1)} 10" preserveAspectRatio="none" role="img" aria-label="${text}">${pieces}</svg>`;
}

export function renderJudgements(result: Judged, evaluation: Config['evaluation']): Markup {
  const all = Math.max(1, result.counts.algorithms);
  const parts = partsOf(result, evaluation);
  const rows = parts.map(
    ({ kind, name, about, programs }) => html`<tr>
<th scope="row"><span class="swatch ${kind}" aria-hidden="true"></span>${name}</th>
<td class="figure">${programs.toLocaleString('en-US')}</td><td class="figure">${percentText(programs / all)}</td><td class="about">${about}</td>
</tr>`,
  );
  return html`${renderBar(parts, all)}
<table class="judgements">
<thead class="unseen"><tr><th scope="col">Judgement</th><th scope="col">Programs</th><th scope="col">Part</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
}
