// One experiment's search on one island: program by program up to its limits, and now and then some of its programs go to the others
// and some of theirs come (paper, "Parallelism"). Pure: what it does is a function of configuration, tasks, numbers, and of what
// came from elsewhere. Must not know how programs travel.
import { labelKind, type Task } from '../engine/engine.js';
import type { Famous, HallOfFame } from '../evolve/hall-of-fame.js';
import { KnownSteps, type LineageStep, restoreLines } from '../evolve/lineage.js';
import type { Migrants } from '../evolve/search-method.js';
import { programStarts, unpackTo } from '../program/flat/packed-programs.js';
import type { LabelKind } from '../program/program.js';
import { FastRandom, type RandomState } from '../util/fast-random.js';
import type { Config } from './config.js';
import type { EndReason, MigrationCounts } from './events.js';
import { Experiment, type ExperimentNumbers, type SavedExperiment } from './experiment.js';
import type { Allowance, Findings, NewBest, Stretch } from './field.js';
import { islandCount } from './groups.js';
import { DRAW } from './search-tasks.js';

/** Programs that an island has sent, and the group whose tasks their fitnesses are of. */
export interface Upload {
  readonly group: number;
  readonly migrants: Migrants;
}

interface Source {
  readonly group: number;
  readonly migrants: Migrants;
  readonly starts: Int32Array;
  /** Made when the first of them is chosen. */
  lines: LineageStep[] | undefined;
}

/** What came from all islands, to draw from. */
class Pool {
  readonly size: number;
  private readonly sources: readonly Source[];

  constructor(uploads: readonly Upload[]) {
    this.sources = uploads.map(({ group, migrants }) => ({
      group,
      migrants,
      starts: programStarts(migrants.programs),
      lines: undefined,
    }));
    this.size = this.sources.reduce((sum, { starts }) => sum + starts.length, 0);
  }

  /** The source of a program, and its number there. */
  find(number: number): { source: Source; k: number } {
    let k = number;
    for (const source of this.sources) {
      if (k < source.starts.length) return { source, k };
      k -= source.starts.length;
    }
    throw new RangeError(`there is no program ${number}`);
  }
}

/** Algorithms between two migrations, the fewest and the most, where nobody says: what migrations cost grows with the population. */
export function defaultPeriods(population: number): readonly [number, number] {
  return [10 * population, 100 * population];
}

export interface IslandOptions {
  /** That of its group. */
  readonly config: Config;
  readonly tasks: readonly Task[];
  readonly numbers: ExperimentNumbers;
  readonly group: number;
  readonly allowance: Allowance;
}

export interface SavedIsland {
  readonly experiment: SavedExperiment;
  readonly random: RandomState;
  readonly lastBestAt: number;
  readonly migration: MigrationCounts;
}

/** Steps of lines that it remembers to have, so that what is no longer in use is forgotten at times. */
const MAX_KNOWN_STEPS = 50_000;

const NO_HURDLES: readonly number[] = [];
const NO_MIGRATION: MigrationCounts = { migrations: 0, sent: 0, received: 0, judged: 0, refused: 0 };

/** How many programs an island sends away at once. */
export function emigrantCount({ islands, search }: Config): number {
  return Math.round((islands.migration?.part ?? 0) * search.population);
}

export class Island {
  readonly experiment: Experiment;
  readonly labels: LabelKind;
  readonly number: number;
  readonly group: number;
  migration = NO_MIGRATION;
  /** What it sent last; taken away by whoever carries it to the others. */
  upload: Upload | undefined;
  private readonly options: IslandOptions;
  private readonly random: FastRandom;
  private readonly every: number;
  private pool: Pool | undefined;
  private readonly knownSteps = new KnownSteps();
  private lastBestAt = 0;

  constructor(options: IslandOptions) {
    const { config, tasks, numbers, group } = options;
    this.options = options;
    this.number = numbers.island;
    this.group = group;
    this.labels = labelKind(tasks[0]!.loss);
    this.experiment = new Experiment(config, tasks, numbers);
    this.random = new FastRandom(config.seed, DRAW.migration, numbers.experiment, numbers.island);
    this.every = this.drawPeriod();
  }

  /** The best program so far. */
  get best(): NewBest | undefined {
    const { best, bestHash } = this.experiment;
    return best && { line: best, hash: bestHash, island: this.number, group: this.group };
  }

  get sinceBest(): number {
    return this.experiment.algorithms - this.lastBestAt;
  }

  /** What the others have sent, for the migrations from now on. */
  receive(uploads: readonly Upload[]): void {
    this.pool = new Pool(uploads);
    if (this.knownSteps.size > MAX_KNOWN_STEPS) this.knownSteps.clear();
  }

  /**
   * Goes on: at most so far, and, if wanted, only until something new is the best. Programs that are good enough enter the hall of
   * fame.
   */
  advance({ algorithms, work }: Stretch, hall: HallOfFame, untilBest: boolean): Findings {
    const { experiment } = this;
    const { config, allowance } = this.options;
    const { counts } = experiment.evaluator;
    const limits = config.experiment;
    const most = Math.min(limits.algorithms ?? Infinity, allowance.algorithms);
    const mostSteps = Math.min(limits.steps ?? Infinity, allowance.trainSteps);
    const noProgress = limits.noProgress ?? Infinity;
    const end = Math.min(most, experiment.algorithms + algorithms);
    const bests: NewBest[] = [];
    let nextMigration = this.every * (this.migration.migrations + 1);
    while (experiment.algorithms < end && counts.work < work) {
      const evaluation = experiment.step();
      if (evaluation !== undefined) {
        if (hall.mayEnter(evaluation.fitness)) hall.enter(this.famous(evaluation.fitness));
        if (experiment.isNewBest) {
          this.lastBestAt = experiment.algorithms;
          bests.push(this.best!);
          if (untilBest) break;
        }
      }
      if (experiment.algorithms >= nextMigration) {
        bests.push(...this.migrate());
        nextMigration += this.every;
      }
      if (counts.trainSteps >= mostSteps || experiment.algorithms - this.lastBestAt >= noProgress) break;
    }
    return { bests, ended: this.reasonToEnd() };
  }

  save(): SavedIsland {
    const { lastBestAt, migration } = this;
    return { experiment: this.experiment.save(), random: this.random.save(), lastBestAt, migration };
  }

  /** Goes on from a saved state. Nothing must have been proposed yet. */
  restore({ experiment, random, lastBestAt, migration }: SavedIsland): void {
    this.experiment.restore(experiment);
    this.random.restore(random);
    this.lastBestAt = lastBestAt;
    this.migration = migration;
  }

  dispose(): void {
    this.experiment.dispose();
  }

  private famous(fitness: number): Famous {
    const { experiment } = this;
    return {
      hash: experiment.evaluator.hash,
      fitness,
      program: experiment.lastProgram(),
      experiment: this.options.numbers.experiment,
      id: experiment.lastId,
    };
  }

  /** Why it ends by its own limits, if it does. */
  private reasonToEnd(): EndReason | undefined {
    const { algorithms, evaluator } = this.experiment;
    const { trainSteps } = evaluator.counts;
    const { allowance, config } = this.options;
    const limits = config.experiment;
    const isUsed = (used: number, limit: number | null) => limit !== null && used >= limit;
    if (algorithms >= allowance.algorithms || isUsed(algorithms, limits.algorithms)) return 'algorithms';
    if (trainSteps >= allowance.trainSteps || isUsed(trainSteps, limits.steps)) return 'steps';
    return isUsed(this.sinceBest, limits.noProgress) ? 'no-progress' : undefined;
  }

  // --- Migration -------------------------------------------------------------------------------------------------------

  /** How often programs come and go: a number of its own in the range that is given, large and small ones alike. */
  private drawPeriod(): number {
    const { config } = this.options;
    const { islands, search } = config;
    if (islands.migration === null || islandCount(config) === 1 || search.method === 'random') return Infinity;
    const [least, most] = islands.migration.every ?? defaultPeriods(search.population);
    return Math.round(least * (most / least) ** this.random.uniform());
  }

  /** Gives what came from another group and is better than anything here. */
  private migrate(): NewBest[] {
    const { config } = this.options;
    const { method } = this.experiment;
    const count = emigrantCount(config);
    const migrants = method.emigrants(count, this.random);
    if (migrants === undefined) return [];
    this.upload = { group: this.group, migrants };
    const { migrations, sent } = this.migration;
    this.migration = { ...this.migration, migrations: migrations + 1, sent: sent + migrants.ids.length };
    return this.immigrate(count);
  }

  /** Takes in so many programs of the pool, drawn at random. */
  private immigrate(count: number): NewBest[] {
    const { pool, random } = this;
    const bests: NewBest[] = [];
    if (pool === undefined || pool.size === 0) return bests;
    let strangers = 0;
    for (let n = 0; n < count; n++) {
      const { source, k } = pool.find(random.integer(pool.size));
      if (source.group === this.group) this.adopt(source, k);
      else {
        strangers++;
        bests.push(...this.adoptStranger(source, k));
      }
    }
    const { received, judged } = this.migration;
    this.migration = { ...this.migration, received: received + count, judged: judged + strangers };
    return bests;
  }

  /** The line of a program; nothing if it came without one. */
  private lineOf(source: Source, k: number): LineageStep | undefined {
    source.lines ??= restoreLines(source.migrants.lines, this.knownSteps);
    return source.lines[source.migrants.lineOf[k]!];
  }

  private unpack({ migrants, starts }: Source, k: number): void {
    const { method } = this.experiment;
    unpackTo(method.store, method.spare, migrants.programs, k, starts[k]!);
  }

  /** The fitness of a program of the same group is known: it was found on the same tasks. */
  private adopt(source: Source, k: number): void {
    const { ids, fitnesses, atHurdles } = source.migrants;
    const hurdles = atHurdles.length / ids.length;
    const all = hurdles === 0 ? NO_HURDLES : Array.from(atHurdles.subarray(k * hurdles, (k + 1) * hurdles));
    const reached = hurdles === 0 ? NO_HURDLES : all.filter((x) => !Number.isNaN(x));
    this.unpack(source, k);
    const told = { fitness: fitnesses[k]!, atHurdles: reached };
    this.experiment.method.adopt({ id: ids[k]!, line: this.lineOf(source, k)! }, told);
  }

  /** The fitness of others says nothing here. */
  private adoptStranger(source: Source, k: number): NewBest[] {
    const { experiment } = this;
    const { method } = experiment;
    const id = source.migrants.ids[k]!;
    this.unpack(source, k);
    const program = method.store.read(method.spare);
    const evaluation = experiment.judge(method.spare);
    const line: LineageStep = {
      id,
      program,
      fitness: evaluation.fitness,
      origin: 'migration',
      parent: undefined,
      previous: this.lineOf(source, k),
    };
    method.adopt({ id, line }, evaluation);
    if (evaluation.isCut || !experiment.isBetter(evaluation.fitness)) return [];
    experiment.setBest(line);
    this.lastBestAt = experiment.algorithms;
    return [this.best!];
  }
}
