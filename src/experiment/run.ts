// A run: experiments with fresh tasks until a program suffices on the tasks to select on, or the budget ends; then the final
// evaluation of the best one on unseen tasks (paper, "Algorithm Selection and Evaluation"). It goes on in pieces and can be saved
// between any two. A pure function of the configuration: it reads no clock and draws nothing but from the seed.
import { labelKind } from '../engine/engine.js';
import { combine } from '../evaluate/summary.js';
import { HallOfFame } from '../evolve/hall-of-fame.js';
import { type LineageStep, restoreLines, type SavedLines, saveLines } from '../evolve/lineage.js';
import type { LabelKind } from '../program/program.js';
import { type OpenTasks, openBuiltinTasks } from '../tasks/open-tasks.js';
import { deriveSeed } from '../util/random.js';
import { Budget } from './budget.js';
import type { Config } from './config.js';
import type { EndReason, RunCounts, RunEvent, RunResult } from './events.js';
import type { Field, IslandStatus, NewBest } from './field.js';
import { printBest, printFound } from './found.js';
import { islandCount } from './groups.js';
import { HALL_SIZE } from './hall-size.js';
import { makeField } from './make-field.js';
import type { Phase, SavedRun } from './saved-run.js';
import { openTaskSet, type Scores, Scoring } from './scoring.js';
import { DRAW } from './search-tasks.js';
import { readSnapshot, type Snapshot, takeSnapshot } from './snapshot.js';

/** Work between two progress events: this much at least, a fraction of a second, and a hundredth of all done so far. */
const PROGRESS_WORK = 3e8;
const PROGRESS_PART = 0.01;

/** The best program so far on the tasks to select on. */
export interface Selected {
  readonly line: LineageStep;
  readonly experiment: number;
  readonly selectFitness: number;
}

/** A run, step by step: for who wants to decide when it works. `search` is the simple way. */
export class Run {
  readonly config: Config;
  phase: Phase = 'search';
  /** From 1 on; 0 before the first. */
  experiment = 0;
  selected: Selected | undefined;
  readonly hall = new HallOfFame(HALL_SIZE);
  labels: LabelKind = 'scalar';
  private readonly field: Field;
  private readonly budget: Budget;
  private selecting: Scoring | undefined;
  private finals: Scoring | undefined;
  private nextProgress = PROGRESS_WORK;
  /** Of the current experiment: the best fitness of each group of islands. */
  private bestOfGroup: number[] = [];
  private endReason: EndReason | undefined;
  /** What is being scored, and how far that is; and what is to be scored after it. */
  private scored: { readonly line: LineageStep; readonly scores: Scores } | undefined;
  private toScore: LineageStep[] = [];
  private finalFitness: number | undefined;
  private events: RunEvent[] = [];

  private constructor(config: Config, field: Field) {
    this.config = config;
    this.field = field;
    this.budget = new Budget(config, field);
  }

  /**
   * A new run, or one that goes on from a snapshot. The programs of the configuration must be resolved. It searches on the field that
   * is given, or in this thread.
   */
  static async start(
    config: Config,
    openTasks: OpenTasks = openBuiltinTasks,
    snapshot?: Snapshot,
    field: Field = makeField(config, openTasks),
  ): Promise<Run> {
    const run = new Run(config, field);
    try {
      await run.openTaskSets(openTasks);
      if (snapshot !== undefined) await run.restore(readSnapshot(snapshot) as SavedRun);
    } catch (error) {
      run.dispose();
      throw error;
    }
    return run;
  }

  // --- What it is at ---------------------------------------------------------------------------------------------------

  get isDone(): boolean {
    return this.phase === 'done';
  }

  /** Whether the search is over, and only selecting or the final evaluation goes on. */
  get isEnding(): boolean {
    return this.endReason !== undefined;
  }

  /** The best program of the current experiment, with the line that led to it; of several groups of islands, of the first that has any. */
  get best(): LineageStep | undefined {
    return this.field.bests[0];
  }

  get islands(): readonly IslandStatus[] {
    return this.field.islands;
  }

  /** The fitness to reach at each hurdle; -Infinity while there is none. */
  get hurdles(): readonly number[] {
    return this.field.hurdles;
  }

  get algorithms(): number {
    return this.budget.algorithms;
  }

  /** Algorithms of the current experiment since it last found a best one. */
  get sinceBest(): number {
    return this.field.sinceBest;
  }

  get counts(): RunCounts {
    return this.budget.counts;
  }

  /** How much of the tightest limit is used up, from 0 to 1; nothing if no limit counts algorithms, steps or experiments. */
  get progress(): number | undefined {
    return this.budget.progress(this.experiment, this.phase === 'search' ? 0 : 1);
  }

  // --- Going on --------------------------------------------------------------------------------------------------------

  /** Goes on: at most so many algorithms, or a few tasks of an evaluation. Gives what happened. */
  async advance(algorithms: number): Promise<readonly RunEvent[]> {
    this.events = [];
    if (this.phase === 'search') {
      if (this.field.isOpen) await this.search(algorithms);
      else await this.beginExperiment();
    } else if (this.phase === 'select') await this.scoreSelect();
    else if (this.phase === 'final') await this.scoreFinal();
    return this.events;
  }

  /** Ends the search here; what remains is to select and the final evaluation. */
  endSearch(reason: EndReason): readonly RunEvent[] {
    this.events = [];
    if (this.phase === 'search') {
      this.endReason = reason;
      this.endExperiment(reason);
    }
    return this.events;
  }

  dispose(): void {
    this.field.dispose();
    this.selecting?.dispose();
    this.finals?.dispose();
  }

  private emit(event: RunEvent): void {
    this.events.push(event);
  }

  private get place() {
    return { experiment: this.experiment, algorithms: this.algorithms };
  }

  /** Also those of the end: that they cannot be had should be known before the search. Makes no tasks yet, unless they are soon needed. */
  private async openTaskSets(openTasks: OpenTasks): Promise<void> {
    const { seed, tasks, precision, select } = this.config;
    const selectTasks = await openTaskSet(openTasks, tasks.select, deriveSeed(seed, DRAW.selectTasks));
    const finalTasks = await openTaskSet(openTasks, tasks.final, deriveSeed(seed, DRAW.finalTasks));
    this.labels = labelKind(selectTasks.loss);
    this.selecting = new Scoring(selectTasks, tasks.select, precision);
    this.finals = new Scoring(finalTasks, tasks.final, precision);
    if (select.at === 'new-best') await this.selecting.prepare();
  }

  private async beginExperiment(): Promise<void> {
    const number = this.experiment + 1;
    await this.field.begin(number, this.budget.allowance);
    this.experiment = number;
    this.bestOfGroup = [];
    this.emit({ type: 'experiment', ...this.place });
  }

  private async search(algorithms: number): Promise<void> {
    const { field, hall, budget } = this;
    const end = field.algorithms + algorithms;
    while (this.phase === 'search' && field.isOpen && field.algorithms < end) {
      const stretch = { algorithms: end - field.algorithms, work: this.nextProgress - budget.finished.work };
      const found = field.advance(stretch, hall);
      const { bests, ended, isStopped } = found instanceof Promise ? await found : found;
      this.foundBests(bests);
      if (this.endReason !== undefined) return;
      if (isStopped) {
        this.endReason = 'stopped';
        this.endExperiment('stopped');
        return;
      }
      if (budget.finished.work + field.counts.work >= this.nextProgress) this.emitProgress();
      if (ended !== undefined) {
        this.endReason = budget.usedUp();
        this.endExperiment(this.endReason ?? ended);
      }
      // Elsewhere nothing may happen for long: whoever drives this looks at clocks and signals in between.
      if (found instanceof Promise) return;
    }
  }

  private emitProgress(): void {
    const { algorithms: _, ...counts } = this.counts;
    const { field } = this;
    const hurdles = field.hurdles.map((hurdle) => (hurdle === Number.NEGATIVE_INFINITY ? null : hurdle));
    const best = this.best?.fitness ?? 0;
    this.nextProgress = counts.work + Math.max(PROGRESS_WORK, PROGRESS_PART * counts.work);
    this.emit({ type: 'progress', ...this.place, best, mean: field.mean, hurdles, ...counts });
    this.emitIslands();
  }

  private emitIslands(): void {
    if (islandCount(this.config) === 1) return;
    for (const { island, algorithms, best, mean, migration } of this.field.islands) {
      const { experiment } = this;
      this.emit({ type: 'migration', experiment, island: island + 1, algorithms, best, mean, ...migration });
    }
  }

  /** Several, from islands that went on at the same time: only the last of each group can be the one to select. */
  private foundBests(bests: readonly NewBest[]): void {
    const last = new Map<number, NewBest>();
    for (const best of bests) {
      const { group, line } = best;
      if (line.fitness <= (this.bestOfGroup[group] ?? Number.NEGATIVE_INFINITY)) continue;
      this.bestOfGroup[group] = line.fitness;
      last.set(group, best);
      const where = islandCount(this.config) > 1 && { island: best.island + 1 };
      this.emit({ type: 'best', ...this.place, ...where, ...printBest(best, this.labels) });
    }
    if (this.config.select.at !== 'new-best') return;
    for (const { line } of last.values()) {
      if (this.endReason === undefined) this.select(line, this.selecting!.scoreAtOnce(line.program));
    }
  }

  /** What a program's fitnesses on the tasks to select on mean. */
  private select(line: LineageStep, fitnesses: ArrayLike<number>): void {
    const { evaluation, stop } = this.config;
    const selectFitness = combine(evaluation.fitness, fitnesses);
    const isBest = this.selected === undefined || selectFitness > this.selected.selectFitness;
    if (isBest) this.selected = { line, experiment: this.experiment, selectFitness };
    this.emit({ type: 'select', ...this.place, id: line.id, searchFitness: line.fitness, selectFitness, isBest });
    if (stop.fitness === null || selectFitness < stop.fitness) return;
    this.endReason = 'fitness';
    if (this.field.isOpen) this.endExperiment('fitness');
  }

  private endExperiment(reason: EndReason): void {
    const { field, config } = this;
    const lines = field.bests;
    if (field.isOpen) {
      this.emitIslands();
      this.emit({ type: 'experiment-end', ...this.place, reason, best: lines[0]?.fitness ?? 0 });
      this.budget.endExperiment();
      field.end(this.endReason !== undefined);
    }
    this.toScore = config.select.at === 'end' ? [...lines] : [];
    this.scoreNext();
  }

  /** The next program that is to be tried on the tasks to select on; what comes after all of them, if there is none. */
  private scoreNext(): void {
    const line = this.toScore.shift();
    if (line === undefined) {
      this.afterExperiment();
      return;
    }
    this.scored = { line, scores: { program: line.program, fitnesses: [] } };
    this.phase = 'select';
  }

  private async scoreSelect(): Promise<void> {
    const { line, scores } = this.scored!;
    const more = await this.selecting!.scoreMore(scores);
    this.scored = { line, scores: more };
    if (more.fitnesses.length < this.selecting!.count) return;
    this.scored = undefined;
    this.select(line, more.fitnesses);
    this.scoreNext();
  }

  /** The next experiment, or the final evaluation. */
  private afterExperiment(): void {
    const { experiments } = this.config.stop;
    if (experiments !== null && this.experiment >= experiments) this.endReason ??= 'experiments';
    if (this.endReason === undefined) {
      this.phase = 'search';
      return;
    }
    if (this.selected === undefined) {
      this.end();
      return;
    }
    const { line } = this.selected;
    this.scored = { line, scores: { program: line.program, fitnesses: [] } };
    this.phase = 'final';
  }

  private async scoreFinal(): Promise<void> {
    const { line, scores } = this.scored!;
    const more = await this.finals!.scoreMore(scores);
    this.scored = { line, scores: more };
    if (more.fitnesses.length < this.finals!.count) return;
    const { fitnesses } = more;
    this.scored = undefined;
    this.finalFitness = combine(this.config.evaluation.fitness, fitnesses);
    this.emit({ type: 'final', ...this.place, finalFitness: this.finalFitness, fitnesses });
    this.end();
  }

  private end(): void {
    this.phase = 'done';
    this.emit({ type: 'end', ...this.place, reason: this.endReason!, result: this.result() });
  }

  // --- What came of it -------------------------------------------------------------------------------------------------

  /** What the run has found so far. */
  result(): RunResult {
    const { config, selected, counts, labels } = this;
    const sufficient = config.stop.fitness;
    return {
      preset: config.name,
      seed: config.seed,
      success: sufficient === null ? null : selected !== undefined && selected.selectFitness >= sufficient,
      reason: this.endReason ?? 'stopped',
      searchFitness: selected?.line.fitness ?? null,
      selectFitness: selected?.selectFitness ?? null,
      finalFitness: this.finalFitness ?? null,
      experiments: this.experiment,
      algorithms: counts.algorithms,
      trainSteps: counts.trainSteps,
      counts,
      rescued: this.budget.rescued,
      ...printFound(selected?.line, labels),
    };
  }

  // --- Saving ----------------------------------------------------------------------------------------------------------

  /** Everything that is needed to go on from here, to the same end. */
  async snapshot(): Promise<Snapshot> {
    const { selected, scored, toScore } = this;
    const saveLine = (line: LineageStep) => saveLines([line]).saved;
    const saved: SavedRun = {
      phase: this.phase,
      experiment: this.experiment,
      finished: this.budget.finished,
      nextProgress: this.nextProgress,
      bestOfGroup: Float64Array.from(this.bestOfGroup, (best) => best ?? Number.NaN),
      endReason: this.endReason ?? null,
      hall: this.hall.save(),
      field: await this.field.save(),
      selected: selected === undefined ? null : { ...selected, line: saveLine(selected.line) },
      scored:
        scored === undefined
          ? null
          : { line: saveLine(scored.line), fitnesses: Float64Array.from(scored.scores.fitnesses) },
      toScore: toScore.map(saveLine),
      finalFitness: this.finalFitness ?? null,
    };
    return takeSnapshot(saved);
  }

  private async restore(saved: SavedRun): Promise<void> {
    const { selected, scored, field } = saved;
    const readLine = (line: SavedLines) => restoreLines(line).at(-1)!;
    this.phase = saved.phase;
    this.experiment = saved.experiment;
    this.budget.finished = saved.finished;
    this.nextProgress = saved.nextProgress;
    this.bestOfGroup = Array.from(saved.bestOfGroup, (best) => (Number.isNaN(best) ? Number.NEGATIVE_INFINITY : best));
    this.toScore = saved.toScore.map(readLine);
    this.endReason = saved.endReason ?? undefined;
    this.hall.restore(saved.hall);
    this.finalFitness = saved.finalFitness ?? undefined;
    if (selected !== null) this.selected = { ...selected, line: readLine(selected.line) };
    if (scored !== null) {
      const line = readLine(scored.line);
      this.scored = { line, scores: { program: line.program, fitnesses: [...scored.fitnesses] } };
    }
    if (field !== null) await this.field.restore(field, this.experiment, this.budget.allowance);
  }
}
