// Which motifs are worth looking at: how often they occur against a control, and which of them show the same code once more. Must not
// know how they were found.
import { fisherGreater } from '../fisher.js';
import { correctHolm } from '../holm.js';
import type { Motif } from './find-motifs.js';

export interface RankedMotif extends Motif {
  /** One-sided: the chance of so many more than in the control, if that made no difference. Null without a control. */
  readonly p: number | null;
  /** For the number of motifs that were tested (Holm). */
  readonly corrected: number | null;
  /** Most of its example is in an earlier motif of exactly the same runs. */
  readonly isOverlap: boolean;
}

function compareTested(a: { p: number | null } & Motif, b: { p: number | null } & Motif): number {
  return (a.p ?? 0) - (b.p ?? 0) || b.programs.length - a.programs.length || b.size - a.size;
}

/** The rarest by chance first; without a control, the most frequent. */
export function rankMotifs(motifs: readonly Motif[], programs: number, controls: number): RankedMotif[] {
  const isTested = controls > 0;
  const pValues = motifs.map((motif) =>
    fisherGreater({ with: motif.programs.length, all: programs }, { with: motif.controls.length, all: controls }),
  );
  const corrected = correctHolm(pValues);
  const tested = motifs.map((motif, k) => ({
    ...motif,
    p: isTested ? pValues[k]! : null,
    corrected: isTested ? corrected[k]! : null,
  }));
  const shown = new Map<string, Set<number>>();
  return tested.sort(compareTested).map((motif) => {
    const runs = `${motif.programs.join()} ${motif.controls.join()}`;
    const covered = shown.get(runs) ?? new Set();
    const { nodes } = motif.example;
    const isOverlap = 2 * nodes.filter((node) => covered.has(node)).length > nodes.length;
    if (!isOverlap) shown.set(runs, new Set([...covered, ...nodes]));
    return { ...motif, isOverlap };
  });
}
