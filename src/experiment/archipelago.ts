// The islands of an experiment, on one host or on many: all go on for an epoch, then programs are exchanged. An epoch is a
// piece of work by the cost model, not of time, and what comes to an island in one was sent in the epoch before, by whoever: so that the
// same seed and the same number of islands find the same, however fast the hosts are. With `async` no host waits for another. Must not know threads or networks.
import type { HallOfFame } from '../evolve/hall-of-fame.js';
import type { OpenTasks } from '../tasks/open-tasks.js';
import type { Config } from './config.js';
import type { Allowance, Field, Findings, Stretch } from './field.js';
import { groupConfigs, groupOf, islandCount } from './groups.js';
import type { SavedIsland, Upload } from './island.js';
import type { Host, HostReply, IslandPlan, IslandReport } from './island-host.js';
import { IslandReports, type SavedReports } from './island-reports.js';
import { ReportedField } from './reported-field.js';
import { openSearchTasks } from './search-tasks.js';
import { share } from './shares.js';

/**
 * Work of every island in the first epoch, some hundredths of a second, and at most: programs travel often while most is to be found,
 * and later hosts seldom wait for each other.
 */
const EPOCH_WORK = 1e8;
const MAX_EPOCH_WORK = 1e9;
const EPOCH_GROWTH = 1.2;

interface SavedArchipelago {
  /** By island. */
  readonly islands: readonly SavedIsland[];
  readonly uploads: readonly (Upload | null)[];
  readonly told: SavedReports;
  readonly epochs: readonly number[];
  readonly work: readonly number[];
}

export interface ArchipelagoOptions {
  /** Work of every island in the first epoch. */
  readonly epochWork?: number;
}

export class Archipelago extends ReportedField implements Field {
  private readonly config: Config;
  private readonly openTasks: OpenTasks;
  private readonly hosts: readonly Host[];
  private readonly epochWork: number;
  private readonly groups: readonly Config[];
  // Of the current experiment.
  isOpen = false;
  /** Of each host: epochs, and work of its islands at the end of the last one. */
  private epochs: number[] = [];
  private work: number[] = [];
  private uploads: (Upload | undefined)[] = [];
  private waiting: IslandReport[] = [];
  /** What each host is doing. */
  private readonly calls: (Promise<void> | undefined)[] = [];
  private failure: unknown;

  constructor(
    config: Config,
    openTasks: OpenTasks,
    hosts: readonly Host[],
    { epochWork = EPOCH_WORK }: ArchipelagoOptions = {},
  ) {
    super();
    this.config = config;
    this.openTasks = openTasks;
    this.hosts = hosts.slice(0, islandCount(config));
    this.epochWork = epochWork;
    this.groups = groupConfigs(config);
  }

  // --- Going on --------------------------------------------------------------------------------------------------------

  begin(experiment: number, allowance: Allowance): Promise<void> {
    return this.open(experiment, allowance, undefined);
  }

  async restore(saved: unknown, experiment: number, allowance: Allowance): Promise<void> {
    const { islands, uploads, told, epochs, work } = saved as SavedArchipelago;
    await this.open(experiment, allowance, islands);
    this.uploads = uploads.map((upload) => upload ?? undefined);
    this.told.restore(told);
    // With another number of hosts, the slowest sets the pace.
    this.epochs = this.hosts.map((_, host) =>
      epochs.length === this.hosts.length ? epochs[host]! : Math.min(...epochs),
    );
    this.work = this.hosts.map((_, host) => (work.length === this.hosts.length ? work[host]! : Math.min(...work)));
  }

  async advance(_stretch: Stretch, hall: HallOfFame): Promise<Findings> {
    if (this.config.islands.async) await this.advanceAny();
    else await this.advanceAll();
    const reports = this.waiting.sort((a, b) => a.status.island - b.status.island);
    this.waiting = [];
    for (const { status, upload } of reports) if (upload !== undefined) this.uploads[status.island] = upload;
    return this.told.add(reports, hall, islandCount(this.config));
  }

  end(_isLast: boolean): void {
    this.isOpen = false;
    this.told = new IslandReports();
    this.waiting = [];
    for (const host of this.hosts.keys()) this.ask(host, { type: 'end' });
  }

  async save(): Promise<SavedArchipelago | null> {
    if (!this.isOpen) return null;
    await this.settle();
    const replies = await Promise.all(this.hosts.map((host) => host.call({ type: 'save' })));
    const islands: SavedIsland[] = [];
    for (const [host, { saved }] of replies.entries()) {
      for (const [k, island] of this.islandsOf(host).entries()) islands[island] = saved[k]!;
    }
    const uploads = islands.map((_, k) => this.uploads[k] ?? null);
    return { islands, uploads, told: this.told.save(), epochs: this.epochs, work: this.work };
  }

  dispose(): void {
    this.isOpen = false;
    for (const host of this.hosts) host.dispose();
  }

  private islandsOf(host: number): number[] {
    const count = islandCount(this.config);
    return Array.from({ length: count }, (_, island) => island).filter((island) => island % this.hosts.length === host);
  }

  private async open(
    experiment: number,
    allowance: Allowance,
    saved: readonly SavedIsland[] | undefined,
  ): Promise<void> {
    const count = islandCount(this.config);
    await this.settle();
    const tasks = await Promise.all(
      this.groups.map((config, group) => openSearchTasks(config, this.openTasks, experiment, group)),
    );
    const plans = (host: number): IslandPlan[] =>
      this.islandsOf(host).map((island) => ({
        island,
        group: groupOf(island, this.groups.length),
        allowance: {
          algorithms: share(allowance.algorithms, island, count),
          trainSteps: share(allowance.trainSteps, island, count),
        },
      }));
    await Promise.all(
      this.hosts.map((host, k) => {
        const islands = plans(k);
        const needed = new Set(islands.map(({ group }) => group));
        return host.call({
          type: 'begin',
          experiment,
          islands,
          configs: this.groups,
          tasks: tasks.map((some, group) => (needed.has(group) ? some : undefined)),
          ...(saved !== undefined && { saved: islands.map(({ island }) => saved[island]!) }),
        });
      }),
    );
    this.epochs = this.hosts.map(() => 0);
    this.work = this.hosts.map(() => 0);
    this.uploads = [];
    this.isOpen = true;
  }

  // --- Epochs ----------------------------------------------------------------------------------------------------------

  private get pool(): Upload[] {
    return this.uploads.filter((upload) => upload !== undefined);
  }

  private async advanceAll(): Promise<void> {
    const { pool } = this;
    for (const host of this.hosts.keys()) this.advanceHost(host, pool);
    await this.settle();
  }

  private async advanceAny(): Promise<void> {
    for (const host of this.hosts.keys()) {
      const isDone = this.islandsOf(host).every((island) => this.told.hasEnded(island));
      if (this.calls[host] === undefined && !isDone) this.advanceHost(host, this.pool);
    }
    if (this.waiting.length === 0) await Promise.race(this.calls.filter((call) => call !== undefined));
    this.rethrow();
  }

  private advanceHost(host: number, pool: readonly Upload[]): void {
    const epoch = this.epochs[host]!++;
    this.work[host]! += Math.min(MAX_EPOCH_WORK, this.epochWork * EPOCH_GROWTH ** epoch);
    this.ask(host, { type: 'advance', work: this.work[host]!, pool });
  }

  /** Asks a host, after whatever it is doing; what it answers waits to be merged. */
  private ask(host: number, request: Parameters<Host['call']>[0]): void {
    const isCurrent = request.type === 'advance';
    const call = async () => {
      await this.calls[host];
      try {
        const reply: HostReply = await this.hosts[host]!.call(request);
        if (isCurrent && this.isOpen) this.waiting.push(...reply.reports);
      } catch (error) {
        this.failure ??= error;
      }
    };
    const promise: Promise<void> = call().then(() => {
      if (this.calls[host] === promise) this.calls[host] = undefined;
    });
    this.calls[host] = promise;
  }

  /** Waits until no host does anything. */
  private async settle(): Promise<void> {
    await Promise.all(this.calls);
    this.rethrow();
  }

  private rethrow(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}
