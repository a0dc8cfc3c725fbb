// One experiment: a search on one draw of tasks, program by program. The one place that joins proposing with judging. Pure: a
// function of (configuration, tasks, number of the experiment and of the island); it reads no clock.

import { labelKind, type Task } from '../engine/engine.js';
import { CandidateEvaluator, type Evaluation, type SavedEvaluator } from '../evaluate/candidate-evaluator.js';
import { percentileOfUnique } from '../evaluate/hurdles.js';
import type { InitialProgram } from '../evolve/initial.js';
import { type LineageStep, restoreLines, type SavedLines, saveLines } from '../evolve/lineage.js';
import { RandomSearch } from '../evolve/random-search.js';
import { RegularizedEvolution } from '../evolve/regularized-evolution.js';
import type { Numbering, SavedSearch, SearchMethod } from '../evolve/search-method.js';
import { SearchSpace } from '../evolve/search-space.js';
import { SpeciesEvolution } from '../evolve/species-evolution.js';
import { opByName } from '../ops/ops.js';
import { forFunctions, type LabelKind, type Program } from '../program/program.js';
import type { Config } from './config.js';
import { islandCount } from './groups.js';
import { readProgram } from './program-references.js';
import { DRAW } from './search-tasks.js';

const NOTHING: Program = { setup: [], predict: [], learn: [] };

/** Hurdles follow the population: they are found anew when this part of it has been replaced. */
const HURDLE_REFRESH = 0.1;

function makeSpace({ space }: Config, features: number, labels: LabelKind): SearchSpace {
  return new SearchSpace({
    memory: space.memory,
    features,
    labels,
    functions: forFunctions((name) => {
      const { ops, min, max, frozen } = space[name];
      return frozen ? undefined : { ops: ops.map((op) => opByName(op).id), min, max };
    }),
    base: space.base === undefined ? NOTHING : readProgram(space.base, space.memory, labels),
  });
}

/** Which experiment this is, from 1 on, and of its islands which, from 0 on. */
export interface ExperimentNumbers {
  readonly experiment: number;
  readonly island: number;
}

function numberingOf(config: Config, island: number): Numbering {
  return { first: island, step: islandCount(config) };
}

function makeMethod(
  config: Config,
  { experiment, island }: ExperimentNumbers,
  features: number,
  labels: LabelKind,
): SearchMethod {
  const { method, initial, population, tournament, mutationProbability, mutations, without } = config.search;
  const space = makeSpace(config, features, labels);
  const seed = [config.seed, DRAW.search, experiment, ...(island === 0 ? [] : [island])];
  const numbering = numberingOf(config, island);
  if (method === 'random') return new RandomSearch({ space, seed, numbering });
  const isKind = (text: string): text is 'empty' | 'random' => text === 'empty' || text === 'random';
  const common = {
    ...{ space, population, tournament, seed, numbering },
    initial: initial.map(
      (text): InitialProgram => (isKind(text) ? text : readProgram(text, config.space.memory, labels)),
    ),
    hurdles: config.evaluation.hurdles?.stages.length ?? 0,
  };
  if (method === 'evozero') return new SpeciesEvolution({ ...common, mutations, without });
  return new RegularizedEvolution({ ...common, mutationProbability, mutations });
}

export interface SavedExperiment {
  readonly method: SavedSearch;
  readonly evaluator: SavedEvaluator;
  readonly bestLine: SavedLines;
  readonly bestHash: string;
  readonly rescued: number;
  readonly hurdles: Float64Array;
}

export class Experiment {
  readonly evaluator: CandidateEvaluator;
  readonly method: SearchMethod;
  private readonly numbering: Numbering;
  private readonly percentile: number;
  private readonly population: number;
  private readonly refreshEvery: number;
  /** The fitness to reach at each hurdle; -Infinity while there is none. */
  readonly hurdles: number[];
  /** The last step of the line of the best program. */
  best: LineageStep | undefined;
  bestHash = '';
  /** Whether the last program was it. */
  isNewBest = false;
  /** Programs that a hurdle had cut, and that a full evaluation found to be the best. */
  rescued = 0;

  constructor(config: Config, tasks: readonly Task[], numbers: ExperimentNumbers) {
    const { features, loss } = tasks[0]!;
    const { precision, evaluation, tasks: sets } = config;
    this.method = makeMethod(config, numbers, features, labelKind(loss));
    this.evaluator = new CandidateEvaluator(tasks, { ...evaluation, precision, epochs: sets.search.epochs });
    this.numbering = numberingOf(config, numbers.island);
    this.percentile = evaluation.hurdles?.percentile ?? 0;
    this.population = config.search.population;
    this.refreshEvery = Math.max(1, Math.round(HURDLE_REFRESH * config.search.population));
    this.hurdles = (evaluation.hurdles?.stages ?? []).map(() => Number.NEGATIVE_INFINITY);
  }

  /** How many programs were proposed. */
  get algorithms(): number {
    return this.method.proposed;
  }

  /** The number of the last program that was proposed. */
  get lastId(): number {
    return this.numbering.first + this.numbering.step * (this.method.proposed - 1);
  }

  /** Judges a program that lies in the method's store, without proposing it. */
  judge(place: number): Evaluation {
    return this.evaluator.evaluate(this.method.store, place, this.currentHurdles());
  }

  /** What the last program must reach: the method's own hurdles, or those of the population. */
  private currentHurdles(): readonly number[] {
    return this.hurdles.length === 0 ? this.hurdles : (this.method.hurdles?.() ?? this.hurdles);
  }

  /** Proposes and judges one program. Gives its evaluation if that was in full. */
  step(): Evaluation | undefined {
    const { method, evaluator } = this;
    const { place } = method.ask();
    this.isNewBest = false;
    const known = method.known();
    if (known !== undefined) {
      evaluator.skip();
      method.tell(known);
      if (this.hurdles.length > 0) this.refreshHurdles();
      return undefined;
    }
    const evaluation = evaluator.evaluate(method.store, place, this.currentHurdles());
    method.tell(evaluation);
    if (this.hurdles.length > 0) this.refreshHurdles();
    const { judgement } = evaluation;
    if (judgement !== 'evaluated' && judgement !== 'audited') return undefined;
    if (this.isBetter(evaluation.fitness)) {
      if (judgement === 'audited') this.rescued++;
      this.setBest(method.lastLine());
      this.isNewBest = true;
    }
    return evaluation;
  }

  /** Whether a program of this fitness is better than all before. */
  isBetter(fitness: number): boolean {
    return this.best === undefined || fitness > this.best.fitness;
  }

  /** Makes the last program that was judged the best. */
  setBest(line: LineageStep): void {
    this.best = line;
    this.bestHash = this.evaluator.hash;
  }

  /** The last program that was proposed, until the next `step`. */
  lastProgram(): Program {
    return this.method.lastProgram();
  }

  /** Over the population; nothing if there is none. */
  meanFitness(): number | null {
    let [total, count] = [0, 0];
    for (const fitness of this.method.fitnesses()) {
      total += fitness;
      count++;
    }
    return count === 0 ? null : total / count;
  }

  save(): SavedExperiment {
    const { method, evaluator, best, bestHash, rescued } = this;
    const { saved: bestLine } = saveLines(best === undefined ? [] : [best]);
    const hurdles = Float64Array.from(this.hurdles);
    return { method: method.save(), evaluator: evaluator.save(), bestLine, bestHash, rescued, hurdles };
  }

  /** Goes on from a saved state. Nothing must have been proposed yet. */
  restore({ method, evaluator, bestLine, bestHash, rescued, hurdles }: SavedExperiment): void {
    this.method.restore(method);
    this.evaluator.restore(evaluator);
    this.best = restoreLines(bestLine).at(-1);
    this.bestHash = bestHash;
    this.rescued = rescued;
    hurdles.forEach((hurdle, k) => {
      this.hurdles[k] = hurdle;
    });
  }

  dispose(): void {
    this.evaluator.dispose();
  }

  private refreshHurdles(): void {
    const { method, hurdles } = this;
    // While the population fills, nothing is cut: the first programs are what hurdles are made of.
    if (method.proposed < this.population || method.proposed % this.refreshEvery !== 0) return;
    for (let k = 0; k < hurdles.length; k++) {
      hurdles[k] = percentileOfUnique(method.atHurdle(k), this.percentile) ?? Number.NEGATIVE_INFINITY;
    }
  }
}
