// The islands of a run on other machines, as the one who collects the results sees them: what they publish, in the order in which it
// comes. They go on without it, so that it may end and be started again. Must not know how a server keeps it.
import type { HallOfFame } from '../evolve/hall-of-fame.js';
import type { Config } from '../experiment/config.js';
import type { Allowance, Field, Findings, Stretch } from '../experiment/field.js';
import { islandCount } from '../experiment/groups.js';
import type { IslandReport } from '../experiment/island-host.js';
import { IslandReports, type SavedReports } from '../experiment/island-reports.js';
import { readReport, type TimedReport } from './island-report.js';
import type { Experiment, ExperimentStatus } from './redis-api.js';
import { RedisOutage } from './redis-errors.js';

/** Milliseconds to wait for something to come, and reports to take at once. */
const WAIT = 200;
const COUNT = 500;
/** Seconds between two looks at the islands, to queue again whatever got lost. */
const REPAIR_SECONDS = 10;

interface SavedRemote {
  /** Reports up to here were read. */
  readonly after: string;
  readonly told: SavedReports;
  /** Of experiments that the run has not come to, as they came. */
  readonly early: readonly string[];
}

export interface RemoteOptions {
  readonly config: Config;
  readonly remote: Experiment;
  /** In seconds. */
  readonly now: () => number;
  /** Says what somebody should know, in one line; nothing when all is well again. */
  readonly say: (text: string | undefined) => void;
}

export class RemoteField implements Field {
  isOpen = false;
  status: ExperimentStatus | undefined;
  /** Texts that were no reports. */
  rubbish = 0;
  private readonly options: RemoteOptions;
  private readonly count: number;
  private experiment = 0;
  private told = new IslandReports();
  private after = '0';
  private savedUpTo = '0';
  private early: string[] = [];
  private lookedAt = Number.NEGATIVE_INFINITY;
  private ending: Promise<void> | undefined;
  /** Somebody else has stopped the islands, and none runs any more. */
  private isStopped = false;

  constructor(options: RemoteOptions) {
    this.options = options;
    this.count = islandCount(options.config);
  }

  get algorithms() {
    return this.told.algorithms;
  }

  get counts() {
    return this.told.counts;
  }

  get rescued() {
    return this.told.rescued;
  }

  get bests() {
    return this.told.bests;
  }

  get sinceBest() {
    return this.told.sinceBest;
  }

  get hurdles() {
    return this.told.hurdles;
  }

  get mean() {
    return this.told.mean;
  }

  get islands() {
    return this.told.islands;
  }

  async begin(experiment: number, _allowance: Allowance): Promise<void> {
    this.experiment = experiment;
    this.told = new IslandReports();
    this.isOpen = true;
  }

  async restore(saved: unknown, experiment: number, allowance: Allowance): Promise<void> {
    const { after, told, early } = saved as SavedRemote;
    await this.begin(experiment, allowance);
    this.after = after;
    this.savedUpTo = after;
    this.early = [...early];
    this.told.restore(told);
  }

  async advance(_stretch: Stretch, hall: HallOfFame): Promise<Findings> {
    const { remote, say } = this.options;
    try {
      await this.look();
      const texts = this.early.length > 0 ? this.early.splice(0) : await this.read(remote);
      say(undefined);
      const failed = this.status?.islands.failed ?? 0;
      const findings = this.told.add(this.sort(texts), hall, this.count - failed);
      return { ...findings, isStopped: this.isStopped && texts.length === 0 };
    } catch (error) {
      if (!(error instanceof RedisOutage)) throw error;
      say(`${error.message}; the islands go on, and it is tried again`);
      return { bests: [], ended: undefined };
    }
  }

  end(isLast: boolean): void {
    this.isOpen = false;
    this.told = new IslandReports();
    if (isLast) this.ending = this.options.remote.setStop('the run has ended', { timeout: Infinity });
  }

  /** Whether the islands are told to stop. */
  get hasEnded(): boolean {
    return this.ending !== undefined;
  }

  /** Resolves when the islands are told to stop, if they are to. */
  async ended(): Promise<void> {
    await this.ending;
  }

  async save(): Promise<SavedRemote> {
    const { after } = this;
    // What was saved before is safe by now.
    await this.options.remote.trimReports(this.savedUpTo, { timeout: 1000 }).catch(() => {});
    this.savedUpTo = after;
    return { after, told: this.told.save(), early: this.early };
  }

  dispose(): void {
    this.isOpen = false;
    this.ending?.catch(() => {});
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
      throw new Error(`every island failed; the first: ${failures[0]?.reason ?? 'nobody knows why'}`);
    }
    this.isStopped = stop !== null && islands.active === 0 && islands.waiting === 0;
  }

  /** The reports of the current experiment, by island; those of later ones wait. */
  private sort(texts: readonly string[]): IslandReport[] {
    const current: TimedReport[] = [];
    for (const text of texts) {
      const timed = readReport(text, this.count, this.options.config);
      if (timed === undefined) this.rubbish++;
      else if (timed.experiment === this.experiment) current.push(timed);
      else if (timed.experiment > this.experiment) this.early.push(text);
    }
    return current.map(({ report }) => report);
  }
}
