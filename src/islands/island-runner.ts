// Runs one island for an experiment that is spread over machines: searches in a thread, exchanges programs, saves, experiment after
// experiment, until it is told to stop or its limits are reached. Goes on searching whatever happens to the exchange. Must not know
// which server keeps the experiment.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../experiment/config.js';
import type { MigrationCounts } from '../experiment/events.js';
import type { Allowance } from '../experiment/field.js';
import { groupConfigs, groupOf, islandCount } from '../experiment/groups.js';
import { emigrantCount, type SavedIsland, type Upload } from '../experiment/island.js';
import type { Host, IslandReport } from '../experiment/island-host.js';
import { openSearchTasks } from '../experiment/search-tasks.js';
import { share } from '../experiment/shares.js';
import type { OpenTasks } from '../tasks/open-tasks.js';
import { printReport } from './island-report.js';
import { decodeState, encodeState, FIRST_STATE, type IslandState } from './island-state.js';
import { encodeUpload, readPool } from './migrant-bytes.js';
import type { Claim, Save } from './redis-api.js';
import { RedisOutage } from './redis-errors.js';
import { MAX_REPORT_BYTES } from './redis-keys.js';

/** Seconds of searching before anybody is asked anything. */
const STRETCH = { least: 0.1, most: 0.5 };
const FIRST_WORK = 1e8;
/** Seconds between two saves; a young runner saves more often, so that half of its time is kept however soon it is killed. */
const SAVE_SECONDS = { least: 1, most: 10 };
/** Saves and exchanges a second, of all islands together, that a Redis is to bear: many islands wait longer. */
const MOST_PER_SECOND = { saves: 100, exchanges: 1000 };
/** Seconds after which it asks whether to stop, if there is nothing to exchange. */
const ASK_SECONDS = 3;
/** Milliseconds that the search waits for an exchange or a save, and for the last save. */
const PATIENCE = 2000;
const LAST_PATIENCE = 20_000;
/** Milliseconds between two tries of the last save. */
const LAST_DELAY = 500;
/** Seconds of searching after nobody answered: only then is it tried again. */
const AWAY_SECONDS = 8;
/** Programs that one exchange asks for, at most. */
const MAX_MIGRANTS = 1000;

export interface RunnerOptions {
  readonly config: Config;
  readonly island: number;
  readonly claim: Claim;
  readonly host: Host;
  readonly openTasks: OpenTasks;
  /** Whether islands wait for a place while this one has it, which is asked between two experiments. */
  readonly doOthersWait: () => Promise<boolean>;
  /** Saves and ends. */
  readonly signal: AbortSignal;
  /** In seconds. */
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

/** Several reports of one island in one: the last one, with all that was found since the first. */
function join(before: IslandReport | undefined, report: IslandReport): IslandReport {
  if (before === undefined) return report;
  const bests = [...before.bests, ...report.bests];
  const famous = [...before.famous, ...report.famous];
  return { ...report, bests, famous };
}

export class IslandRunner {
  private readonly options: RunnerOptions;
  private readonly groups: readonly Config[];
  private readonly group: number;
  private readonly islands: number;
  /** Programs that any island uploads, at most. */
  private readonly largest: number;
  private readonly startedAt: number;
  private state: IslandState = FIRST_STATE;
  private work = 0;
  private stretchWork = FIRST_WORK;
  private savedAt: number;
  private askedAt: number;
  private uploaded: Uint8Array[] = [];
  private round = 0;
  private refused = 0;
  private stop: string | null;
  private isOwned = true;
  /**
   * Saves that are not known to be done, oldest first. One that was not answered is repeated as it was: it may be done all the same.
   */
  private unsaved: Save[] = [];
  /** Nobody is asked for anything before, in seconds. */
  private awayUntil = 0;
  private report: IslandReport | undefined;
  private best: number | null = null;

  constructor(options: RunnerOptions) {
    this.options = options;
    this.groups = groupConfigs(options.config);
    this.group = groupOf(options.island, this.groups.length);
    this.islands = islandCount(options.config);
    const most = Math.max(...groupConfigs(options.config).map(emigrantCount));
    this.largest = Math.max(1, Math.min(MAX_MIGRANTS, most));
    this.startedAt = options.now();
    this.savedAt = this.startedAt;
    this.askedAt = this.startedAt;
    this.stop = options.claim.stop;
    this.state = this.readState();
  }

  /** Ends when the island is done, was taken by another worker, or is saved because of the signal or of others that wait. */
  async run(): Promise<'done' | 'taken' | 'saved'> {
    if (this.options.claim.isDone) return 'done';
    while (this.isOwned && !this.isOver()) {
      const ended = await this.runExperiment();
      if (!ended || (await this.isToGiveWay())) break;
    }
    if (this.isOwned) await this.saveLast(this.isOver());
    if (!this.isOwned) return 'taken';
    return this.isOver() && this.unsaved.length === 0 ? 'done' : 'saved';
  }

  /** All islands get to an experiment before any gets to the next, even if there are not enough places for all at once. */
  private async isToGiveWay(): Promise<boolean> {
    if (this.isOver() || this.unsaved.length > 0) return false;
    try {
      return await this.options.doOthersWait();
    } catch (error) {
      this.noticeOutage(error);
      return false;
    }
  }

  private async saveLast(isDone: boolean): Promise<void> {
    await this.noteState(isDone);
    await this.save(LAST_PATIENCE);
    // What was found to the end must not be lost; whoever is told to leave leaves it to others to find it again.
    while (isDone && this.isOwned && this.unsaved.length > 0 && !this.options.signal.aborted) {
      await sleep(LAST_DELAY);
      await this.save(LAST_PATIENCE);
    }
  }

  // --- Experiments -----------------------------------------------------------------------------------------------------

  private get groupConfig(): Config {
    return this.groups[this.group]!;
  }

  private readState(): IslandState {
    const { claim, warn, island } = this.options;
    if (claim.checkpoint === undefined) {
      // One that is done needs none.
      if (claim.isCheckpointLost && !claim.isDone)
        warn(`island ${island + 1}: its checkpoint is gone, so that it begins again`);
      return FIRST_STATE;
    }
    const state = decodeState(claim.checkpoint, { config: this.groupConfig, island });
    if (state !== undefined) return state;
    warn(`island ${island + 1}: its checkpoint is unreadable, so that it begins again`);
    return FIRST_STATE;
  }

  private get allowance(): Allowance {
    const { config, island } = this.options;
    const { stop } = config;
    const count = islandCount(config);
    return {
      algorithms: share(stop.algorithms ?? Infinity, island, count) - this.state.algorithms,
      trainSteps: share(stop.steps ?? Infinity, island, count) - this.state.trainSteps,
    };
  }

  /** Whether there is nothing left to do, ever. */
  private isOver(): boolean {
    const { algorithms, trainSteps } = this.allowance;
    const { experiments } = this.options.config.stop;
    const areUsed = experiments !== null && this.state.experiment > experiments;
    return this.stop !== null || algorithms <= 0 || trainSteps <= 0 || areUsed;
  }

  /** True if the experiment has ended, so that the next can begin. */
  private async runExperiment(): Promise<boolean> {
    const { host, island, openTasks, signal } = this.options;
    const { experiment, island: saved } = this.state;
    const tasks = await openSearchTasks(this.groupConfig, openTasks, experiment, this.group);
    await host.call({
      type: 'begin',
      experiment,
      islands: [{ island, group: this.group, allowance: this.allowance }],
      configs: this.groups,
      tasks: this.groups.map((_, group) => (group === this.group ? tasks : undefined)),
      ...(saved !== null && { saved: [saved] }),
    });
    this.work = saved?.experiment.evaluator.counts.work ?? 0;
    this.refused = saved?.migration.refused ?? 0;
    let pool: readonly Upload[] | undefined;
    while (this.isOwned && this.stop === null && !signal.aborted) {
      const report = await this.advance(pool);
      if (report.ended !== undefined) {
        await this.endExperiment(report);
        return true;
      }
      pool = await this.meetOthers(report);
      if (this.options.now() - this.savedAt < this.saveWait || this.isAway) continue;
      // Behind one that was not answered, it would only wait.
      if (this.unsaved.length === 0) await this.noteState(false);
      await this.save(PATIENCE);
    }
    return false;
  }

  private async advance(pool: readonly Upload[] | undefined): Promise<IslandReport> {
    const { host, now } = this.options;
    const startedAt = now();
    this.work += this.stretchWork;
    const { reports } = await host.call({ type: 'advance', work: this.work, pool });
    const seconds = now() - startedAt;
    if (seconds < STRETCH.least) this.stretchWork *= 2;
    if (seconds > STRETCH.most) this.stretchWork = Math.max(FIRST_WORK / 100, this.stretchWork / 2);
    // A program that took longer than the stretch has gone beyond it.
    this.work = Math.max(this.work, reports[0]!.counts.work);
    const report = this.withRefused(reports[0]!);
    this.report = join(this.report, report);
    return report;
  }

  private withRefused(report: IslandReport): IslandReport {
    const migration: MigrationCounts = { ...report.status.migration, refused: this.refused };
    return { ...report, status: { ...report.status, migration } };
  }

  private async endExperiment({ status, counts }: IslandReport): Promise<void> {
    const { experiment, algorithms, trainSteps } = this.state;
    const reports = this.printReports();
    this.state = {
      experiment: experiment + 1,
      algorithms: algorithms + status.algorithms,
      trainSteps: trainSteps + counts.trainSteps,
      island: null,
    };
    this.uploaded = [];
    await this.options.host.call({ type: 'end' });
    this.unsaved.push(this.makeSave(reports, false));
    if (!this.isAway) await this.save(PATIENCE);
  }

  // --- The others ------------------------------------------------------------------------------------------------------

  /** Sends what is to be sent, and gives what came; nothing new while the exchange is away. */
  private async meetOthers({ upload }: IslandReport): Promise<readonly Upload[] | undefined> {
    const { claim, now, config } = this.options;
    const silence = now() - this.askedAt;
    if (silence < this.islands / MOST_PER_SECOND.exchanges) return undefined;
    if (upload !== undefined) this.uploaded = encodeUpload(upload).slice(0, MAX_MIGRANTS);
    else if (silence < ASK_SECONDS) return undefined;
    if (this.isAway) return undefined;
    const wanted = upload === undefined ? 0 : this.uploaded.length;
    this.askedAt = now();
    try {
      const exchange = { upload: this.uploaded, wanted, largest: this.largest, round: ++this.round };
      const answer = await claim.exchange(exchange, { timeout: PATIENCE });
      this.stop = answer.stop ?? this.stop;
      this.isOwned = answer.owned;
      if (answer.programs.length === 0) return undefined;
      const { upload: came, refused } = readPool(answer.programs, config);
      this.refused += refused;
      return [came];
    } catch (error) {
      this.noticeOutage(error);
      return undefined;
    }
  }

  private get isAway(): boolean {
    return this.options.now() < this.awayUntil;
  }

  /** The search goes on without the others for a while; whatever else went wrong is not mended by that. */
  private noticeOutage(error: unknown): void {
    if (!(error instanceof RedisOutage)) throw error;
    this.awayUntil = this.options.now() + AWAY_SECONDS;
  }

  // --- Saving ----------------------------------------------------------------------------------------------------------

  private get saveWait(): number {
    const young = (this.options.now() - this.startedAt) / 2;
    const most = Math.max(SAVE_SECONDS.most, this.islands / MOST_PER_SECOND.saves);
    return Math.min(most, Math.max(SAVE_SECONDS.least, young));
  }

  /** The island as it is now, if there is one. */
  private async keepIsland(): Promise<void> {
    const { saved } = await this.options.host.call({ type: 'save' });
    const island: SavedIsland | undefined = saved[0];
    if (island === undefined) return;
    const migration: MigrationCounts = { ...island.migration, refused: this.refused };
    this.state = { ...this.state, island: { ...island, migration } };
  }

  /** What was found since the last time. */
  private printReports(): string[] {
    const { report, state, options } = this;
    if (report === undefined) return [];
    this.report = undefined;
    this.best = report.status.best;
    return printReport({ experiment: state.experiment, report }, options.config, MAX_REPORT_BYTES);
  }

  private makeSave(reports: readonly string[], isDone: boolean): Save {
    const { island, algorithms } = this.state;
    const checkpoint = encodeState(this.state, { config: this.groupConfig, island: this.options.island });
    const counts = { algorithms: algorithms + (island?.experiment.method.proposed ?? 0), best: this.best };
    return { checkpoint, reports, isDone, counts };
  }

  /** Notes the island and what it found, both to be saved or neither. */
  private async noteState(isDone: boolean): Promise<void> {
    if (this.report !== undefined) await this.keepIsland();
    this.unsaved.push(this.makeSave(this.printReports(), isDone));
  }

  /** Saves what is noted, in turn; later, if that cannot be done now. */
  private async save(timeout: number): Promise<void> {
    const { claim, now } = this.options;
    this.savedAt = now();
    try {
      while (this.isOwned && this.unsaved.length > 0) {
        const { owned } = await claim.save(this.unsaved[0]!, { timeout });
        this.isOwned = owned;
        this.unsaved.shift();
      }
    } catch (error) {
      this.noticeOutage(error);
    }
  }
}
