// What the islands of an experiment have told so far, put together: counts, the best of each group, and how far each is. Must not know
// how reports travel.
import type { EvaluationCounts } from '../evaluate/candidate-evaluator.js';
import type { HallOfFame } from '../evolve/hall-of-fame.js';
import { type LineageStep, restoreLines, type SavedLines, saveLines } from '../evolve/lineage.js';
import { sumCounts } from './counts.js';
import type { Findings, IslandStatus, NewBest } from './field.js';
import type { IslandReport } from './island-host.js';

export interface SavedReports {
  /** By island. */
  readonly reports: readonly (IslandReport | null)[];
  /** The best of each group that has one, and its line. */
  readonly bests: readonly Omit<NewBest, 'line'>[];
  readonly lines: SavedLines;
  readonly lineOf: Int32Array;
}

export class IslandReports {
  /** By island. */
  private latest: (IslandReport | undefined)[] = [];
  /** By group. */
  private best: (NewBest | undefined)[] = [];

  /**
   * Takes in reports, best in the order of the islands: then it does not matter which came first. When so many islands have ended,
   * so has the experiment.
   */
  add(reports: readonly IslandReport[], hall: HallOfFame, islands: number): Findings {
    const found: NewBest[] = [];
    for (const report of reports) {
      this.latest[report.status.island] = report;
      for (const entry of report.famous) if (hall.mayEnter(entry.fitness)) hall.enter(entry);
      for (const best of report.bests) {
        const known = this.best[best.group];
        if (known !== undefined && best.line.fitness <= known.line.fitness) continue;
        this.best[best.group] = best;
        found.push(best);
      }
    }
    const reasons = this.reports.flatMap(({ ended }) => ended ?? []);
    return { bests: found, ended: reasons.length >= islands ? reasons[0] : undefined };
  }

  /** Whether an island has reached its limits. */
  hasEnded(island: number): boolean {
    return this.latest[island]?.ended !== undefined;
  }

  save(): SavedReports {
    const bests = this.best.filter((best) => best !== undefined);
    const { saved: lines, lineOf } = saveLines(bests.map(({ line }) => line));
    return {
      // What they found is known already.
      reports: Array.from(this.latest, (report) =>
        report === undefined ? null : { ...report, bests: [], famous: [], upload: undefined },
      ),
      bests: bests.map(({ line: _, ...best }) => best),
      lines,
      lineOf,
    };
  }

  restore({ reports, bests, lines, lineOf }: SavedReports): void {
    const steps = restoreLines(lines);
    this.latest = reports.map((report) => report ?? undefined);
    for (const [k, best] of bests.entries()) this.best[best.group] = { ...best, line: steps[lineOf[k]!]! };
  }

  private get reports(): IslandReport[] {
    return this.latest.filter((report) => report !== undefined);
  }

  get algorithms(): number {
    return this.reports.reduce((total, { status }) => total + status.algorithms, 0);
  }

  get counts(): EvaluationCounts {
    return sumCounts(this.reports.map(({ counts }) => counts));
  }

  get rescued(): number {
    return this.reports.reduce((total, { rescued }) => total + rescued, 0);
  }

  get bests(): readonly LineageStep[] {
    return this.best.flatMap((best) => (best === undefined ? [] : [best.line]));
  }

  get sinceBest(): number {
    return Math.min(...this.reports.map(({ sinceBest }) => sinceBest), this.algorithms);
  }

  get hurdles(): readonly number[] {
    return [...(this.latest[0]?.hurdles ?? [])];
  }

  get mean(): number | null {
    const means = this.reports.flatMap(({ status }) => (status.mean === null ? [] : [status.mean]));
    return means.length === 0 ? null : means.reduce((total, mean) => total + mean, 0) / means.length;
  }

  get islands(): readonly IslandStatus[] {
    return this.reports.map(({ status }) => status);
  }
}
