// A search that somebody watches: it goes on at a speed, pauses, and takes single steps. What it finds depends on none of that: it is
// the run that Node does for the same configuration. Must not know workers or pages.
import type { EvaluationCounts } from '../../../src/evaluate/candidate-evaluator.js';
import type { Config } from '../../../src/experiment/config.js';
import type { RunCounts, RunEvent } from '../../../src/experiment/events.js';
import type { Field, IslandStatus } from '../../../src/experiment/field.js';
import { resolvePrograms } from '../../../src/experiment/program-references.js';
import { Run } from '../../../src/experiment/run.js';
import type { Phase } from '../../../src/experiment/saved-run.js';
import { nextSlice } from '../../../src/experiment/search.js';
import { openBuiltinTasks } from '../../../src/tasks/open-tasks.js';
import { takeTurns, wait } from '../connection/take-turns.js';

/** How the last algorithm was judged, when they are looked at one by one. */
export type LastJudgement = 'over-budget' | 'known-form' | 'known-fingerprint' | 'cut' | 'evaluated' | 'new-best';

export interface SessionStatus {
  readonly phase: Phase;
  readonly isPaused: boolean;
  readonly experiment: number;
  readonly counts: RunCounts;
  /** Of the experiment. */
  readonly best: number | null;
  readonly mean: number | null;
  /** The fitness to reach at each hurdle; nothing while there is none. */
  readonly hurdles: readonly (number | null)[];
  /** Of searching, without pauses. */
  readonly milliseconds: number;
  readonly last: LastJudgement | null;
}

export interface SessionNews {
  readonly events: readonly RunEvent[];
  readonly status: SessionStatus;
}

export type SessionOrder =
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  /** Goes on for one algorithm, or until one is better than all before, and pauses. */
  | { readonly type: 'step'; readonly until: 'algorithm' | 'best' }
  /** Algorithms per second; null for as fast as can be. */
  | { readonly type: 'speed'; readonly perSecond: number | null }
  /** Ends the search; what was found is selected and evaluated all the same. */
  | { readonly type: 'stop' };

/** Milliseconds between two looks at what was ordered, and between two statuses. */
const SLICE_MS = 40;
const STATUS_MS = 100;
const FIRST_SLICE = 100;
/** Beyond this many algorithms per second, several are tried between two waits. */
const MAX_WAITS_PER_SECOND = 50;

const JUDGEMENTS: readonly (readonly [keyof EvaluationCounts, LastJudgement])[] = [
  ['overBudget', 'over-budget'],
  ['canonicalHits', 'known-form'],
  ['fingerprintHits', 'known-fingerprint'],
  ['evaluated', 'evaluated'],
  ['cut', 'cut'],
];

function judgementBetween(before: RunCounts, after: RunCounts): LastJudgement | null {
  return JUDGEMENTS.find(([count]) => after[count] > before[count])?.[1] ?? null;
}

export class SearchSession {
  private readonly run: Run;
  private readonly tell: (news: SessionNews) => void;
  private isPaused: boolean;
  private step: 'algorithm' | 'best' | undefined;
  private isStopped = false;
  private perSecond: number | null = null;
  private wake: (() => void) | undefined;
  private slice = FIRST_SLICE;
  private milliseconds = 0;
  private last: LastJudgement | null = null;
  private untold: RunEvent[] = [];
  private toldAt = Number.NEGATIVE_INFINITY;

  private constructor(run: Run, isPaused: boolean, tell: (news: SessionNews) => void) {
    this.run = run;
    this.isPaused = isPaused;
    this.tell = tell;
  }

  /** Throws ConfigError and DataError. */
  static async start(
    config: Config,
    field: Field | undefined,
    isPaused: boolean,
    tell: (news: SessionNews) => void,
  ): Promise<SearchSession> {
    const whole = resolvePrograms(config, (path) => {
      throw new Error(`${path}: a page reads no files; give the text of the program`);
    });
    return new SearchSession(await Run.start(whole, openBuiltinTasks, undefined, field), isPaused, tell);
  }

  obey(order: SessionOrder): void {
    if (order.type === 'speed') this.perSecond = order.perSecond;
    else if (order.type === 'stop') this.isStopped = true;
    else if (order.type === 'step') {
      this.isPaused = true;
      this.step = order.until;
    } else this.isPaused = order.type === 'pause';
    this.wake?.();
    this.report(true);
  }

  /** Goes on until the run is done. */
  async goOn(): Promise<void> {
    const { run } = this;
    this.report(true);
    try {
      while (!run.isDone) {
        if (this.isStopped && run.phase === 'search') this.untold.push(...run.endSearch('stopped'));
        else if (this.isPaused && this.step === undefined && !run.isEnding) await this.sleep();
        else await this.work();
        this.report(run.isDone);
        await takeTurns();
      }
    } finally {
      run.dispose();
    }
  }

  private sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = undefined;
        resolve();
      };
    });
  }

  private async work(): Promise<void> {
    const startedAt = performance.now();
    const { run, step, perSecond } = this;
    let isSlow = false;
    if (step !== undefined) await this.takeStep(step, startedAt);
    else if (perSecond !== null && run.phase === 'search') {
      isSlow = true;
      await this.advance(Math.max(1, Math.round(perSecond / MAX_WAITS_PER_SECOND)));
    } else {
      this.last = null;
      await this.advance(this.slice);
      this.slice = nextSlice(this.slice, performance.now() - startedAt, SLICE_MS);
    }
    if (isSlow) {
      const each = Math.max(1000 / MAX_WAITS_PER_SECOND, 1000 / perSecond!);
      await Promise.race([wait(each - (performance.now() - startedAt)), this.sleep()]);
      this.wake = undefined;
    }
    this.milliseconds += performance.now() - startedAt;
    const { minutes } = run.config.stop;
    if (minutes !== null && this.milliseconds >= minutes * 60_000 && run.phase === 'search') {
      this.untold.push(...run.endSearch('minutes'));
    }
  }

  /** Program by program, so that it ends exactly where it should. */
  private async takeStep(step: 'algorithm' | 'best', startedAt: number): Promise<void> {
    do {
      const before = this.run.algorithms;
      const events = await this.advance(1);
      const isDone = step === 'algorithm' ? this.run.algorithms > before : events.some(({ type }) => type === 'best');
      if (!isDone && !this.run.isEnding) continue;
      this.step = undefined;
      this.report(true);
      return;
    } while (performance.now() - startedAt < SLICE_MS);
  }

  private async advance(algorithms: number): Promise<readonly RunEvent[]> {
    const before = this.run.counts;
    const events = await this.run.advance(algorithms);
    this.untold.push(...events);
    const isBest = events.some(({ type }) => type === 'best');
    if (algorithms === 1) this.last = isBest ? 'new-best' : judgementBetween(before, this.run.counts);
    return events;
  }

  /** Tells what happened, now and then. */
  private report(isAtOnce: boolean): void {
    const now = performance.now();
    if (!isAtOnce && now - this.toldAt < STATUS_MS) return;
    this.toldAt = now;
    const events = this.untold;
    this.untold = [];
    this.tell({ events, status: this.status() });
  }

  private status(): SessionStatus {
    const { run } = this;
    return {
      phase: run.phase,
      isPaused: this.isPaused && this.step === undefined,
      experiment: run.experiment,
      counts: run.counts,
      best: run.best?.fitness ?? null,
      mean: meanOf(run.islands),
      hurdles: run.hurdles.map((hurdle) => (Number.isFinite(hurdle) ? hurdle : null)),
      milliseconds: this.milliseconds,
      last: this.last,
    };
  }
}

/** Over all populations, which are equally large unless a configuration varies them. */
function meanOf(islands: readonly IslandStatus[]): number | null {
  const means = islands.flatMap(({ mean }) => (mean === null ? [] : [mean]));
  return means.length === 0 ? null : means.reduce((sum, mean) => sum + mean, 0) / means.length;
}
