// How a search judges a program, in order of cost: by its static cost, by its canonical form, by its fingerprint, at hurdles, and
// only then in full (paper, "Search Method"). Pure: the same programs in the same order give the same answers. Must not know where
// programs come from.
import { CostModel, networkCost } from '../engine/cost.js';
import { labelKind, type Task } from '../engine/engine.js';
import { type WasmEngine, wasmEngine } from '../engine/wasm/engine.js';
import type { WasmEvaluator } from '../engine/wasm/evaluator.js';
import type { Precision } from '../ops/semantics.js';
import { CodeAnalyser } from '../program/flat/code-analyser.js';
import type { CodeStore } from '../program/flat/code-store.js';
import { hashToHex } from '../util/hash.js';
import { Fingerprinter, type FingerprintOptions, shortenTask } from './fingerprint.js';
import { FitnessCache, type SavedCache } from './fitness-cache.js';
import { combine, type FitnessKind } from './summary.js';

/** Examples of each task that a hurdle looks at, and how often. */
export interface HurdleStage {
  readonly train: number;
  readonly valid: number;
  readonly epochs: number;
}

/** How programs are judged; a configuration's `evaluation` says the same. */
export interface EvaluationOptions {
  readonly precision: Precision;
  readonly epochs: number;
  readonly fitness: FitnessKind;
  /** Programs that cost more than so many plain networks are not run. */
  readonly budget: number | null;
  readonly fingerprint: (FingerprintOptions & { readonly cache: number }) | null;
  /** One in `audit` programs that fail a hurdle is evaluated in full all the same. */
  readonly hurdles: { readonly stages: readonly HurdleStage[]; readonly audit: number } | null;
}

/** How a fitness was found. */
export type Judgement = 'over-budget' | 'canonical' | 'fingerprint' | 'cut' | 'audited' | 'evaluated';

/** How a program was judged. */
export interface Evaluation {
  readonly fitness: number;
  readonly judgement: Judgement;
  /** The fitness at each hurdle that the program came to. */
  readonly atHurdles: readonly number[];
  /** It failed a hurdle: the fitness is what it had there, not that of a full evaluation. */
  readonly isCut: boolean;
}

/** What evaluating took so far. */
export interface EvaluationCounts {
  /** Programs that cost more than the budget, and were not run. */
  overBudget: number;
  /** Programs that needed no look: their canonical form was known, they are unchanged copies, or they cannot learn. */
  canonicalHits: number;
  /** Of the others, those whose fingerprint was known. */
  fingerprintHits: number;
  /** Programs that failed a hurdle. */
  cut: number;
  /** Of these, those that were evaluated in full all the same. */
  audited: number;
  /** Programs that were evaluated in full. */
  evaluated: number;
  /** Training steps of all of these, over all tasks. */
  trainSteps: number;
  /** What all of it costs by the cost model: much like time, but the same on every machine. */
  work: number;
}

export function noCounts(): EvaluationCounts {
  return {
    overBudget: 0,
    canonicalHits: 0,
    fingerprintHits: 0,
    cut: 0,
    audited: 0,
    evaluated: 0,
    trainSteps: 0,
    work: 0,
  };
}

export interface SavedEvaluator {
  readonly counts: EvaluationCounts;
  readonly canonical: SavedCache;
  readonly fingerprints: SavedCache;
}

const NO_HURDLES: readonly number[] = [];
/** What a program that is never run gets. */
const MIN_FITNESS = 0;
/** What it costs to propose a program, as a cost of the model: about a microsecond. */
const PROPOSAL_WORK = 2000;

// What a cache holds of a program.
const FITNESS = 0;
const IS_CUT = 1;
const AT_HURDLES = 2;

/** Judges the programs of a search: budget, canonical form, fingerprint, hurdles, and only then a full evaluation. */
export class CandidateEvaluator {
  counts: EvaluationCounts = noCounts();
  private readonly options: EvaluationOptions;
  /** What a full evaluation, a stage and a fingerprint cost, in costs of the model, which are for one task. */
  private readonly fullWork: number;
  private readonly stageWork: readonly number[];
  private readonly fingerprintWork: number;
  private readonly analyser: CodeAnalyser;
  private readonly model: CostModel;
  private readonly maxCost: number;
  private readonly canonical: FitnessCache | undefined;
  private readonly fingerprints: FitnessCache | undefined;
  private readonly fingerprinter: Fingerprinter | undefined;
  private readonly stages: readonly WasmEvaluator[];
  private readonly full: WasmEvaluator;

  constructor(tasks: readonly Task[], options: EvaluationOptions) {
    const { features, loss, train, valid } = tasks[0]!;
    const { budget, fingerprint, hurdles, epochs } = options;
    const labels = labelKind(loss);
    const examples = { train: train.count * epochs, valid: valid.count * epochs };
    const engine: WasmEngine = wasmEngine(options.precision);
    this.options = options;
    this.analyser = new CodeAnalyser(labels);
    this.model = new CostModel(features, examples);
    this.maxCost = budget === null ? Number.POSITIVE_INFINITY : budget * networkCost(features, examples);
    const stages = hurdles?.stages ?? [];
    if (fingerprint !== null) {
      const width = stages.length === 0 ? 1 : AT_HURDLES + stages.length;
      this.canonical = new FitnessCache(fingerprint.cache, width);
      this.fingerprints = new FitnessCache(fingerprint.cache, width);
    }
    const part = (some: { train: number; valid: number }) =>
      Math.min(1, (some.train + some.valid) / (examples.train + examples.valid));
    this.fullWork = tasks.length;
    this.stageWork = stages.map(
      (stage) => part({ train: stage.train * stage.epochs, valid: stage.valid * stage.epochs }) * tasks.length,
    );
    this.fingerprintWork = fingerprint === null ? 0 : part(fingerprint) * Math.min(tasks.length, fingerprint.tasks);
    const prepared: { dispose(): void }[] = [];
    const keep = <T extends { dispose(): void }>(evaluator: T): T => {
      prepared.push(evaluator);
      return evaluator;
    };
    try {
      if (fingerprint !== null) this.fingerprinter = keep(new Fingerprinter(engine, tasks, fingerprint));
      this.stages = stages.map((stage) => {
        const shortened = tasks.map((task) => shortenTask(task, stage));
        return keep(engine.prepare(shortened, { epochs: stage.epochs }));
      });
      this.full = keep(engine.prepare(tasks, { epochs }));
    } catch (error) {
      // Memory may not suffice for all of them.
      for (const evaluator of prepared) evaluator.dispose();
      throw error;
    }
  }

  /** `hurdles`: the fitness to reach at each stage. */
  evaluate(store: CodeStore, place: number, hurdles: readonly number[]): Evaluation {
    const { counts, analyser, canonical } = this;
    analyser.run(store, place);
    const { live, high, low } = analyser;
    counts.work += PROPOSAL_WORK;
    if (this.maxCost !== Number.POSITIVE_INFINITY && this.model.cost(live) > this.maxCost) {
      counts.overBudget++;
      return { fitness: MIN_FITNESS, judgement: 'over-budget', atHurdles: NO_HURDLES, isCut: false };
    }
    if (canonical === undefined) return this.run(this.model.cost(live), hurdles);
    const known = canonical.find(high, low);
    if (known >= 0) {
      counts.canonicalHits++;
      return recall(canonical, known, 'canonical', this.stages.length);
    }
    const evaluation = this.runUnlessFingerprinted(this.model.cost(live), hurdles);
    remember(canonical, canonical.add(high, low), evaluation);
    return evaluation;
  }

  /** Counts a program that need not be judged: a copy of one whose evaluation is known, or one that cannot learn. */
  skip(): void {
    this.counts.work += PROPOSAL_WORK;
    this.counts.canonicalHits++;
  }

  save(): SavedEvaluator {
    const none = { keys: new Int32Array(0), values: new Float64Array(0) };
    return {
      counts: { ...this.counts },
      canonical: this.canonical?.save() ?? none,
      fingerprints: this.fingerprints?.save() ?? none,
    };
  }

  /** Goes on from a saved state. Nothing must have been evaluated yet. */
  restore({ counts, canonical, fingerprints }: SavedEvaluator): void {
    this.counts = { ...counts };
    this.canonical?.restore(canonical);
    this.fingerprints?.restore(fingerprints);
  }

  /** The canonical hash of the last program. */
  get hash(): string {
    return hashToHex(this.analyser.high, this.analyser.low);
  }

  dispose(): void {
    this.fingerprinter?.dispose();
    for (const stage of this.stages) stage.dispose();
    this.full.dispose();
  }

  private runUnlessFingerprinted(cost: number, hurdles: readonly number[]): Evaluation {
    const { counts } = this;
    const fingerprinter = this.fingerprinter!;
    const cache = this.fingerprints!;
    counts.work += cost * this.fingerprintWork;
    counts.trainSteps += fingerprinter.run(this.analyser.live);
    const { high, low } = fingerprinter;
    const known = cache.find(high, low);
    if (known >= 0) {
      counts.fingerprintHits++;
      return recall(cache, known, 'fingerprint', this.stages.length);
    }
    const evaluation = this.run(cost, hurdles);
    remember(cache, cache.add(high, low), evaluation);
    return evaluation;
  }

  private run(cost: number, hurdles: readonly number[]): Evaluation {
    const { counts, stages, options } = this;
    const atHurdles: number[] | readonly number[] = stages.length === 0 ? NO_HURDLES : [];
    let judgement: Judgement = 'evaluated';
    for (let k = 0; k < stages.length && judgement === 'evaluated'; k++) {
      counts.work += cost * this.stageWork[k]!;
      const fitness = this.measure(stages[k]!);
      (atHurdles as number[]).push(fitness);
      if (fitness >= (hurdles[k] ?? Number.NEGATIVE_INFINITY)) continue;
      counts.cut++;
      if (counts.cut % options.hurdles!.audit !== 0) return { fitness, judgement: 'cut', atHurdles, isCut: true };
      counts.audited++;
      judgement = 'audited';
    }
    counts.evaluated++;
    counts.work += cost * this.fullWork;
    return { fitness: this.measure(this.full), judgement, atHurdles, isCut: false };
  }

  private measure(evaluator: WasmEvaluator): number {
    evaluator.runLive(this.analyser.live);
    this.counts.trainSteps += evaluator.countTrainSteps();
    return combine(this.options.fitness, evaluator.readFitnesses());
  }
}

function remember(cache: FitnessCache, entry: number, { fitness, isCut, atHurdles }: Evaluation): void {
  cache.setValue(entry, FITNESS, fitness);
  if (cache.width === 1) return;
  cache.setValue(entry, IS_CUT, Number(isCut));
  for (let k = 0; k < cache.width - AT_HURDLES; k++) cache.setValue(entry, AT_HURDLES + k, atHurdles[k] ?? Number.NaN);
}

function recall(cache: FitnessCache, entry: number, judgement: Judgement, stages: number): Evaluation {
  const fitness = cache.value(entry, FITNESS);
  if (stages === 0) return { fitness, judgement, atHurdles: NO_HURDLES, isCut: false };
  const atHurdles: number[] = [];
  for (let k = 0; k < stages; k++) {
    const value = cache.value(entry, AT_HURDLES + k);
    if (Number.isNaN(value)) break;
    atHurdles.push(value);
  }
  return { fitness, judgement, atHurdles, isCut: cache.value(entry, IS_CUT) === 1 };
}
