// The islands of a run on other machines, as the one who collects the results sees them: what they publish, in the order in which it
// comes. They go on without it, so that it may end and be started again. Must not know how a server keeps it.
import type { HallOfFame } from '../evolve/hall-of-fame.js';
import type { Config } from '../experiment/config.js';
import type { Allowance, Field, Findings, Stretch } from '../experiment/field.js';
import { islandCount } from '../experiment/groups.js';
import type { IslandReport } from '../experiment/island-host.js';
import { IslandReports, type SavedReports } from '../experiment/island-reports.js';
import { ReportedField } from '../experiment/reported-field.js';
import { share } from '../experiment/shares.js';
import { RunError } from '../runs/run-error.js';
import { readReport, type TimedReport } from './island-report.js';
import type { Experiment, ExperimentStatus } from './redis-api.js';
import { RedisOutage } from './redis-errors.js';

/** Milliseconds to wait for something to come, and reports to take at once. */
const WAIT = 200;
const COUNT = 500;
/** Seconds between two looks at the islands, to queue again whatever got lost. */
const REPAIR_SECONDS = 10;

interface SavedRemote {
  /** Whether an experiment was going on. */
  readonly isOpen: boolean;
  /** Reports up to here were read. */
  readonly after: string;
  readonly told: SavedReports;
  /** Of experiments that the run has not come to, as they came. */
  readonly early: readonly string[];
  /** By island: what the experiments before took. */
  readonly used: readonly Allowance[];
}

const NOTHING_USED: Allowance = { algorithms: 0, trainSteps: 0 };

export interface RemoteOptions {
  readonly config: Config;
  readonly remote: Experiment;
  /** In seconds. */
  readonly now: () => number;
  /** Says what somebody should know, in one line; nothing when all is well again. */
  readonly say: (text: string | undefined) => void;
}

export class RemoteField extends ReportedField implements Field {
  isOpen = false;
  status: ExperimentStatus | undefined;
  /** Texts that were no reports. */
  rubbish = 0;
  private readonly options: RemoteOptions;
  private readonly count: number;
  private experiment = 0;
  private after = '0';
  private savedUpTo = '0';
  private early: string[] = [];
  /** Of these, what is still to be looked at in this experiment. */
  private waiting: string[] = [];
  private used: Allowance[];
  /** By island: the experiment of its last report, and whether that one has ended it. */
  private reached: { readonly experiment: number; readonly hasEnded: boolean }[] = [];
  private lookedAt = Number.NEGATIVE_INFINITY;
  private looks = 0;
  /** Islands wait, and nobody takes them. */
  private isAlone = false;
  /** No island runs any more, nor will. */
  private isStill = false;

  constructor(options: RemoteOptions) {
    super();
    this.options = options;
    this.count = islandCount(options.config);
    this.used = Array.from({ length: this.count }, () => NOTHING_USED);
  }

  async begin(experiment: number, _allowance: Allowance): Promise<void> {
    this.experiment = experiment;
    this.told = new IslandReports();
    this.waiting = this.early.splice(0);
    this.isOpen = true;
  }

  async restore(saved: unknown, experiment: number, allowance: Allowance): Promise<void> {
    const { isOpen, after, told, early, used } = saved as SavedRemote;
    this.early = [...early];
    if (isOpen) await this.begin(experiment, allowance);
    this.after = after;
    this.savedUpTo = after;
    this.used = [...used];
    this.told.restore(told);
    for (const report of told.reports) {
      if (report !== null) this.reached[report.status.island] = { experiment, hasEnded: report.ended !== undefined };
    }
  }

  async advance(_stretch: Stretch, hall: HallOfFame): Promise<Findings> {
    const { remote, say } = this.options;
    try {
      await this.look();
      const texts = this.waiting.length > 0 ? this.waiting.splice(0) : await this.read(remote);
      say(this.isAlone ? 'no worker has an island: start one with evozero worker' : undefined);
      const reports = this.sort(texts);
      const isSilent = this.isStill && texts.length === 0;
      const isOver = isSilent || this.countAwaited() === 0;
      const findings = this.told.add(reports, hall, isOver ? 0 : Number.POSITIVE_INFINITY);
      if (!isOver) return findings;
      // Nobody is at this experiment any more; and if nobody is at a later one, nothing more will be found.
      const isStopped = this.early.length === 0 && (isSilent || findings.ended === undefined);
      return { ...findings, ended: findings.ended ?? 'stopped', isStopped };
    } catch (error) {
      if (!(error instanceof RedisOutage)) throw error;
      say(`${error.message}; the islands go on, and it is tried again`);
      return { bests: [], ended: undefined };
    }
  }

  end(isLast: boolean): void {
    for (const report of this.told.save().reports) {
      if (report === null) continue;
      const { island, algorithms } = report.status;
      const before = this.used[island]!;
      this.used[island] = {
        algorithms: before.algorithms + algorithms,
        trainSteps: before.trainSteps + report.counts.trainSteps,
      };
    }
    this.isOpen = false;
    this.told = new IslandReports();
    // What is still to be evaluated takes its time. Whoever removes the experiment learns of errors.
    if (isLast) void this.options.remote.setStop('the run has ended', { timeout: Infinity }).catch(() => {});
  }

  async save(): Promise<SavedRemote> {
    const { after } = this;
    // What was saved before is safe by now.
    await this.options.remote.trimReports(this.savedUpTo, { timeout: 1000 }).catch(() => {});
    this.savedUpTo = after;
    const early = [...this.early, ...this.waiting];
    return { isOpen: this.isOpen, after, told: this.told.save(), early, used: this.used };
  }

  dispose(): void {
    this.isOpen = false;
  }

  private async read(remote: Experiment): Promise<string[]> {
    const { next, reports } = await remote.readReports(this.after, { wait: WAIT, count: COUNT });
    this.after = next;
    return reports.map(({ text }) => text);
  }

  /** Queues what got lost, and sees whether anything still runs. */
  private async look(): Promise<void> {
    const { remote, now } = this.options;
    if (now() - this.lookedAt < REPAIR_SECONDS) return;
    this.lookedAt = now();
    await remote.enqueue();
    this.status = await remote.status();
    const { islands, failures, stop } = this.status;
    if (islands.failed === this.count) {
      throw new RunError(`every island failed; the first: ${failures[0]?.reason ?? 'nobody knows why'}`);
    }
    this.isStill = islands.active === 0 && (islands.waiting === 0 || stop !== null);
    // At the first look nobody has had the time.
    this.isAlone = this.looks++ > 0 && islands.active === 0 && islands.waiting > 0;
  }

  /** Islands that will still say how the current experiment ended for them. */
  private countAwaited(): number {
    const { islands, failures = [] } = this.status ?? {};
    const failed = new Set(failures.map(({ island }) => island));
    // Not all of them are named.
    const unnamed = (islands?.failed ?? 0) - failed.size;
    const awaited = this.used.filter((used, island) => {
      const { experiment, hasEnded } = this.reached[island] ?? { experiment: 0, hasEnded: false };
      const isThrough = experiment > this.experiment || (experiment === this.experiment && hasEnded);
      return !isThrough && !failed.has(island) && !this.isUsedUp(used, island);
    });
    return Math.max(0, awaited.length - unnamed);
  }

  /** Whether an island has reached its part of the run's limits in an experiment before. */
  private isUsedUp({ algorithms, trainSteps }: Allowance, island: number): boolean {
    const { stop } = this.options.config;
    const limit = (total: number | null) => share(total ?? Infinity, island, this.count);
    return algorithms >= limit(stop.algorithms) || trainSteps >= limit(stop.steps);
  }

  /** The reports of the current experiment, by island; those of later ones wait. */
  private sort(texts: readonly string[]): IslandReport[] {
    const current: TimedReport[] = [];
    for (const text of texts) {
      const timed = readReport(text, this.options.config);
      if (timed === undefined) {
        this.rubbish++;
        continue;
      }
      const { status, ended } = timed.report;
      this.reached[status.island] = { experiment: timed.experiment, hasEnded: ended !== undefined };
      if (timed.experiment === this.experiment) current.push(timed);
      else if (timed.experiment > this.experiment) this.early.push(text);
    }
    return current.map(({ report }) => report);
  }
}
