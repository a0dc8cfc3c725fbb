// A run: experiments with fresh tasks until a program suffices on the tasks to select on, or the budget ends; then the final
// evaluation of the best one on unseen tasks (paper, "Algorithm Selection and Evaluation"). It goes on in pieces and can be saved
// between any two. A pure function of the configuration: it reads no clock and draws nothing but from the seed.
import { labelKind, type Task } from '../engine/engine.js';
import { type EvaluationCounts, noCounts } from '../evaluate/candidate-evaluator.js';
import { combine } from '../evaluate/summary.js';
import { type Famous, HallOfFame } from '../evolve/hall-of-fame.js';
import { type LineageStep, restoreLines, type SavedLines, saveLines } from '../evolve/lineage.js';

import { printProgram } from '../program/print.js';
import type { LabelKind } from '../program/program.js';
import { type OpenTasks, openBuiltinTasks } from '../tasks/open-tasks.js';
import { deriveSeed } from '../util/random.js';
import type { Config } from './config.js';
import type { EndReason, RunCounts, RunEvent, RunResult } from './events.js';
import { Experiment } from './experiment.js';
import { printFound, printParent } from './found.js';
import type { Phase, SavedRun } from './saved-run.js';
import { openTaskSet, type Scores, Scoring } from './scoring.js';
import { readSnapshot, type Snapshot, takeSnapshot } from './snapshot.js';

/** What a seed draws, each from a stream of its own. The search itself draws from another (experiment.ts). */
const DRAW = { searchTasks: 2, selectTasks: 3, finalTasks: 4 };

export const HALL_SIZE = 20;

/** Work between two progress events: this much at least, a fraction of a second, and a hundredth of all done so far. */
const PROGRESS_WORK = 3e8;
const PROGRESS_PART = 0.01;

/** The best program so far on the tasks to select on. */
export interface Selected {
  readonly line: LineageStep;
  readonly experiment: number;
  readonly selectFitness: number;
}

const EMPTY_COUNTS = { ...noCounts(), algorithms: 0, rescued: 0 };

/** How much of each limit is used. */
function usedParts(...limits: readonly (readonly [number, number | null])[]): number[] {
  return limits.flatMap(([used, limit]) => (limit === null ? [] : [used / limit]));
}

export class Run {
  readonly config: Config;
  phase: Phase = 'search';
  /** From 1 on; 0 before the first. */
  experiment = 0;
  selected: Selected | undefined;
  readonly hall = new HallOfFame(HALL_SIZE);
  labels: LabelKind = 'scalar';
  private readonly openTasks: OpenTasks;
  private current: Experiment | undefined;
  private selecting: Scoring | undefined;
  private finals: Scoring | undefined;
  /** What experiments before the current one took. */
  private finished = EMPTY_COUNTS;
  private nextProgress = PROGRESS_WORK;
  /** Algorithms of the current experiment when it last found a best one. */
  private lastBestAt = 0;
  private endReason: EndReason | undefined;
  /** What is being scored, and how far that is. */
  private scored: { readonly line: LineageStep; readonly scores: Scores } | undefined;
  private finalFitness: number | undefined;
  private events: RunEvent[] = [];

  private constructor(config: Config, openTasks: OpenTasks) {
    this.config = config;
    this.openTasks = openTasks;
  }

  /** A new run, or one that goes on from a snapshot. The programs of the configuration must be resolved. */
  static async start(config: Config, openTasks: OpenTasks = openBuiltinTasks, snapshot?: Snapshot): Promise<Run> {
    const run = new Run(config, openTasks);
    try {
      await run.openSelect();
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

  /** The best program of the current experiment, with the line that led to it. */
  get best(): LineageStep | undefined {
    return this.current?.best;
  }

  /** The fitness to reach at each hurdle; -Infinity while there is none. */
  get hurdles(): readonly number[] {
    return this.current?.hurdles ?? [];
  }

  get algorithms(): number {
    return this.finished.algorithms + (this.current?.algorithms ?? 0);
  }

  /** Algorithms of the current experiment since it last found a best one. */
  get sinceBest(): number {
    return (this.current?.algorithms ?? 0) - this.lastBestAt;
  }

  get counts(): RunCounts {
    const { rescued: _, algorithms: _before, ...finished } = this.finished;
    const now = this.current?.evaluator.counts ?? noCounts();
    const sum = Object.fromEntries(
      Object.keys(now).map((key) => {
        const name = key as keyof EvaluationCounts;
        return [name, finished[name] + now[name]];
      }),
    );
    return { algorithms: this.algorithms, ...(sum as unknown as EvaluationCounts) };
  }

  /** How much of the tightest limit is used up, from 0 to 1; nothing if no limit counts algorithms, steps or experiments. */
  get progress(): number | undefined {
    const { stop } = this.config;
    const parts = usedParts([this.algorithms, stop.algorithms], [this.counts.trainSteps, stop.steps]);
    if (stop.experiments !== null) parts.push((this.experiment - 1 + this.experimentProgress) / stop.experiments);
    return parts.length === 0 ? undefined : Math.min(1, Math.max(0, ...parts));
  }

  /** The same for the current experiment. */
  private get experimentProgress(): number {
    const { experiment } = this.config;
    const { current } = this;
    if (current === undefined) return this.phase === 'search' ? 0 : 1;
    const { trainSteps } = current.evaluator.counts;
    return Math.max(0, ...usedParts([current.algorithms, experiment.algorithms], [trainSteps, experiment.steps]));
  }

  // --- Going on --------------------------------------------------------------------------------------------------------

  /** Goes on: at most so many algorithms, or a few tasks of an evaluation. Gives what happened. */
  async advance(algorithms: number): Promise<readonly RunEvent[]> {
    this.events = [];
    if (this.phase === 'search') {
      if (this.current === undefined) await this.beginExperiment();
      else this.search(algorithms);
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
    this.current?.dispose();
    this.selecting?.dispose();
    this.finals?.dispose();
  }

  private emit(event: RunEvent): void {
    this.events.push(event);
  }

  private get place() {
    return { experiment: this.experiment, algorithms: this.algorithms };
  }

  private async openSearchTasks(experiment: number): Promise<Task[]> {
    const { seed, tasks } = this.config;
    const opened = await openTaskSet(this.openTasks, tasks.search, deriveSeed(seed, DRAW.searchTasks, experiment));
    this.labels = labelKind(opened.loss);
    return Promise.all(Array.from({ length: opened.count }, (_, k) => opened.at(k)));
  }

  private async openSelect(): Promise<void> {
    const { seed, tasks, precision, select } = this.config;
    const opened = await openTaskSet(this.openTasks, tasks.select, deriveSeed(seed, DRAW.selectTasks));
    this.labels = labelKind(opened.loss);
    this.selecting = new Scoring(opened, tasks.select, precision);
    if (select.at === 'new-best') await this.selecting.prepare();
  }

  private async beginExperiment(): Promise<void> {
    const number = this.experiment + 1;
    this.current = new Experiment(this.config, await this.openSearchTasks(number), number);
    this.experiment = number;
    this.lastBestAt = 0;
    this.emit({ type: 'experiment', ...this.place });
  }

  private search(algorithms: number): void {
    const experiment = this.current!;
    const { counts } = experiment.evaluator;
    const { finished, hall, config } = this;
    const limits = config.experiment;
    const most = Math.min(limits.algorithms ?? Infinity, (config.stop.algorithms ?? Infinity) - finished.algorithms);
    const mostSteps = Math.min(limits.steps ?? Infinity, (config.stop.steps ?? Infinity) - finished.trainSteps);
    const noProgress = limits.noProgress ?? Infinity;
    const end = Math.min(most, experiment.algorithms + algorithms);
    while (experiment.algorithms < end) {
      const evaluation = experiment.step();
      if (evaluation !== undefined) {
        if (hall.mayEnter(evaluation.fitness)) hall.enter(this.famous(experiment, evaluation.fitness));
        if (experiment.isNewBest) {
          this.lastBestAt = experiment.algorithms;
          this.foundBest(experiment);
          if (this.phase !== 'search' || this.current === undefined) return;
        }
      }
      if (finished.work + counts.work >= this.nextProgress) this.emitProgress(experiment);
      if (counts.trainSteps >= mostSteps || experiment.algorithms - this.lastBestAt >= noProgress) break;
    }
    const reason = this.reasonToEnd(experiment);
    if (reason !== undefined) this.endExperiment(reason);
  }

  private famous(experiment: Experiment, fitness: number): Famous {
    return {
      hash: experiment.evaluator.hash,
      fitness,
      program: experiment.lastProgram(),
      experiment: this.experiment,
      id: experiment.algorithms - 1,
    };
  }

  /** Why the experiment ends, if it does; and whether the run does too. */
  private reasonToEnd({ algorithms, evaluator }: Experiment): EndReason | undefined {
    const { experiment, stop } = this.config;
    const isUsed = (used: number, limit: number | null) => limit !== null && used >= limit;
    if (isUsed(this.algorithms, stop.algorithms)) this.endReason = 'algorithms';
    else if (isUsed(this.counts.trainSteps, stop.steps)) this.endReason = 'steps';
    if (this.endReason !== undefined) return this.endReason;
    if (isUsed(algorithms, experiment.algorithms)) return 'algorithms';
    if (isUsed(evaluator.counts.trainSteps, experiment.steps)) return 'steps';
    return isUsed(algorithms - this.lastBestAt, experiment.noProgress) ? 'no-progress' : undefined;
  }

  private emitProgress(experiment: Experiment): void {
    const { algorithms: _, ...counts } = this.counts;
    const hurdles = experiment.hurdles.map((hurdle) => (hurdle === Number.NEGATIVE_INFINITY ? null : hurdle));
    const best = experiment.best?.fitness ?? 0;
    this.nextProgress = counts.work + Math.max(PROGRESS_WORK, PROGRESS_PART * counts.work);
    this.emit({ type: 'progress', ...this.place, best, mean: experiment.meanFitness(), hurdles, ...counts });
  }

  private foundBest({ best, bestHash }: Experiment): void {
    const { id, fitness, origin, previous } = best!;
    this.emit({
      type: 'best',
      ...this.place,
      id,
      fitness,
      origin,
      parent: printParent(best!, this.labels),
      ancestor: previous?.id ?? null,
      hash: bestHash,
      program: printProgram(best!.program, this.labels),
    });
    if (this.config.select.at === 'new-best') this.select(best!, this.selecting!.scoreAtOnce(best!.program));
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
    if (this.current !== undefined) this.endExperiment('fitness');
  }

  private endExperiment(reason: EndReason): void {
    const { current, config } = this;
    if (current !== undefined) {
      this.emit({ type: 'experiment-end', ...this.place, reason, best: current.best?.fitness ?? 0 });
      const counts = this.counts;
      this.finished = { ...counts, rescued: this.finished.rescued + current.rescued };
      this.current = undefined;
      current.dispose();
    }
    const line = current?.best;
    if (config.select.at === 'end' && line !== undefined) {
      this.scored = { line, scores: { program: line.program, fitnesses: [] } };
      this.phase = 'select';
    } else {
      this.afterExperiment();
    }
  }

  private async scoreSelect(): Promise<void> {
    const { line, scores } = this.scored!;
    const more = await this.selecting!.scoreMore(scores);
    this.scored = { line, scores: more };
    if (more.fitnesses.length < this.selecting!.count) return;
    this.scored = undefined;
    this.select(line, more.fitnesses);
    this.afterExperiment();
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
    const { seed, tasks, precision, evaluation } = this.config;
    if (this.finals === undefined) {
      const opened = await openTaskSet(this.openTasks, tasks.final, deriveSeed(seed, DRAW.finalTasks));
      this.finals = new Scoring(opened, tasks.final, precision);
    }
    const { line, scores } = this.scored!;
    const more = await this.finals.scoreMore(scores);
    this.scored = { line, scores: more };
    if (more.fitnesses.length < this.finals.count) return;
    const { fitnesses } = more;
    this.scored = undefined;
    this.finalFitness = combine(evaluation.fitness, fitnesses);
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
      rescued: this.finished.rescued + (this.current?.rescued ?? 0),
      ...printFound(selected?.line, labels),
    };
  }

  // --- Saving ----------------------------------------------------------------------------------------------------------

  /** Everything that is needed to go on from here, to the same end. */
  snapshot(): Snapshot {
    const { selected, scored } = this;
    const saveLine = (line: LineageStep) => saveLines([line]).saved;
    const saved: SavedRun = {
      phase: this.phase,
      experiment: this.experiment,
      finished: this.finished,
      nextProgress: this.nextProgress,
      lastBestAt: this.lastBestAt,
      endReason: this.endReason ?? null,
      hall: this.hall.save(),
      current: this.current?.save() ?? null,
      selected: selected === undefined ? null : { ...selected, line: saveLine(selected.line) },
      scored:
        scored === undefined
          ? null
          : { line: saveLine(scored.line), fitnesses: Float64Array.from(scored.scores.fitnesses) },
      finalFitness: this.finalFitness ?? null,
    };
    return takeSnapshot(saved);
  }

  private async restore(saved: SavedRun): Promise<void> {
    const { selected, scored, current } = saved;
    const readLine = (line: SavedLines) => restoreLines(line).at(-1)!;
    this.phase = saved.phase;
    this.experiment = saved.experiment;
    this.finished = saved.finished;
    this.nextProgress = saved.nextProgress;
    this.lastBestAt = saved.lastBestAt;
    this.endReason = saved.endReason ?? undefined;
    this.hall.restore(saved.hall);
    this.finalFitness = saved.finalFitness ?? undefined;
    if (selected !== null) this.selected = { ...selected, line: readLine(selected.line) };
    if (scored !== null) {
      const line = readLine(scored.line);
      this.scored = { line, scores: { program: line.program, fitnesses: [...scored.fitnesses] } };
    }
    if (current !== null) {
      this.current = new Experiment(this.config, await this.openSearchTasks(this.experiment), this.experiment);
      this.current.restore(current);
    }
  }
}
