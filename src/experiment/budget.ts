// What a run has taken, over all its experiments, and how much of its limits that is. Must not know what is searched.
import { noCounts } from '../evaluate/candidate-evaluator.js';
import type { Config } from './config.js';
import { sumCounts } from './counts.js';
import type { EndReason, RunCounts } from './events.js';
import type { Allowance, Field } from './field.js';
import { islandCount } from './groups.js';
import type { SavedRun } from './saved-run.js';

/** How much of each limit is used. */
function usedParts(...limits: readonly (readonly [number, number | null])[]): number[] {
  return limits.flatMap(([used, limit]) => (limit === null ? [] : [used / limit]));
}

export class Budget {
  /** What experiments before the current one took. */
  finished: SavedRun['finished'] = { ...noCounts(), algorithms: 0, rescued: 0 };
  private readonly config: Config;
  private readonly field: Field;

  constructor(config: Config, field: Field) {
    this.config = config;
    this.field = field;
  }

  get algorithms(): number {
    return this.finished.algorithms + this.field.algorithms;
  }

  get rescued(): number {
    return this.finished.rescued + this.field.rescued;
  }

  get counts(): RunCounts {
    return { algorithms: this.algorithms, ...sumCounts([this.finished, this.field.counts]) };
  }

  /** What the whole run may still take, at the beginning of an experiment. */
  get allowance(): Allowance {
    const { finished, config } = this;
    return {
      algorithms: (config.stop.algorithms ?? Infinity) - finished.algorithms,
      trainSteps: (config.stop.steps ?? Infinity) - finished.trainSteps,
    };
  }

  /** The limit of the whole run that is reached. */
  usedUp(): EndReason | undefined {
    const { stop } = this.config;
    const isUsed = (used: number, limit: number | null) => limit !== null && used >= limit;
    if (isUsed(this.algorithms, stop.algorithms)) return 'algorithms';
    return isUsed(this.counts.trainSteps, stop.steps) ? 'steps' : undefined;
  }

  /** The current experiment, which is still open, is over. */
  endExperiment(): void {
    this.finished = { ...this.counts, rescued: this.rescued };
  }

  /**
   * How much of the tightest limit is used up in an experiment with this number, from 0 to 1; nothing if no limit counts algorithms,
   * steps or experiments. `unopened`: how much of the experiment is over while it is not open.
   */
  progress(experiment: number, unopened: number): number | undefined {
    const { stop } = this.config;
    const parts = usedParts([this.algorithms, stop.algorithms], [this.counts.trainSteps, stop.steps]);
    if (stop.experiments !== null) {
      parts.push((experiment - 1 + (this.field.isOpen ? this.experimentProgress : unopened)) / stop.experiments);
    }
    return parts.length === 0 ? undefined : Math.min(1, Math.max(0, ...parts));
  }

  private get experimentProgress(): number {
    const { config, field } = this;
    const { algorithms, steps } = config.experiment;
    const all = (limit: number | null) => (limit === null ? null : limit * islandCount(config));
    return Math.max(0, ...usedParts([field.algorithms, all(algorithms)], [field.counts.trainSteps, all(steps)]));
  }
}
