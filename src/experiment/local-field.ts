// A run's experiments in this thread: one island, and nobody to exchange programs with. Must not know what a run does with what is
// found.
import { noCounts } from '../evaluate/candidate-evaluator.js';
import type { HallOfFame } from '../evolve/hall-of-fame.js';
import type { OpenTasks } from '../tasks/open-tasks.js';
import type { Config } from './config.js';
import type { Allowance, Field, Findings, IslandStatus, Stretch } from './field.js';
import { Island, type SavedIsland } from './island.js';
import { openSearchTasks } from './search-tasks.js';

export function statusOf({ experiment, number, group, migration }: Island): IslandStatus {
  return {
    island: number,
    group,
    algorithms: experiment.algorithms,
    best: experiment.best?.fitness ?? null,
    mean: experiment.meanFitness(),
    migration,
  };
}

export class LocalField implements Field {
  private readonly config: Config;
  private readonly openTasks: OpenTasks;
  private island: Island | undefined;

  constructor(config: Config, openTasks: OpenTasks) {
    this.config = config;
    this.openTasks = openTasks;
  }

  get isOpen(): boolean {
    return this.island !== undefined;
  }

  get algorithms() {
    return this.island?.experiment.algorithms ?? 0;
  }

  get counts() {
    return this.island?.experiment.evaluator.counts ?? noCounts();
  }

  get rescued() {
    return this.island?.experiment.rescued ?? 0;
  }

  get bests() {
    const best = this.island?.experiment.best;
    return best === undefined ? [] : [best];
  }

  get sinceBest() {
    return this.island?.sinceBest ?? 0;
  }

  get hurdles() {
    return this.island?.experiment.hurdles ?? [];
  }

  get mean() {
    return this.island?.experiment.meanFitness() ?? null;
  }

  get islands() {
    return this.island === undefined ? [] : [statusOf(this.island)];
  }

  async begin(experiment: number, allowance: Allowance): Promise<void> {
    const { config, openTasks } = this;
    const tasks = await openSearchTasks(config, openTasks, experiment, 0);
    this.island = new Island({ config, tasks, numbers: { experiment, island: 0 }, group: 0, allowance });
  }

  advance(stretch: Stretch, hall: HallOfFame): Findings {
    return this.island!.advance(stretch, hall, true);
  }

  end(): void {
    this.island?.dispose();
    this.island = undefined;
  }

  async save(): Promise<SavedIsland | null> {
    return this.island?.save() ?? null;
  }

  async restore(saved: unknown, experiment: number, allowance: Allowance): Promise<void> {
    await this.begin(experiment, allowance);
    this.island!.restore(saved as SavedIsland);
  }

  dispose(): void {
    this.end();
  }
}
