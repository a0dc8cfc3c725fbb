// Fits a table: searches, selects, tunes and trains on most of the rows, and scores once on those that nothing has seen, beside a
// linear model and a network that were treated alike. Pure but for its services. Must not know files, threads or clocks.

import { type Examples, labelKind } from '../../engine/engine.js';
import type { Setting } from '../../engine/reference-machine.js';
import { combine } from '../../evaluate/summary.js';
import { opById } from '../../ops/ops.js';
import { canonicalHash } from '../../program/canonical.js';
import { simplify } from '../../program/liveness.js';
import { forFunctions, type LabelKind, type Program } from '../../program/program.js';
import { DataError } from '../../tasks/data-error.js';
import type { OpenedTasks } from '../../tasks/open-tasks.js';
import type { Table } from '../../tasks/tabular/table.js';
import { type ReadTable, splitTable, type TableOptions, type TableReport } from '../../tasks/tabular/tabular.js';
import { LOSS_OF_KIND } from '../../tasks/task-kind.js';
import { deriveSeed } from '../../util/random.js';
import { fitnessesOf, type Judge } from '../judge.js';
import { tune } from '../tune/tune.js';
import { baselinesFor } from './baselines.js';
import { makePredictor, trainProgram } from './execute.js';
import { epochSizes, type Sizes, SPLITS, searchSizes, tuneSizes, tuneTrials } from './fit-sizes.js';
import { holdOut } from './held-out.js';
import { type Model, predictTable, readTruth } from './model.js';
import { compareAnswers, type Difference, pairAnswers, type Score, scoreAnswers } from './score.js';
import { type SearchServices, searchTable } from './search-table.js';
import { type AllRows, encodeAll, openSplits } from './splits.js';

export interface FitRequest {
  readonly table: Table;
  /** `validFraction` is the part that is held out. */
  readonly options: TableOptions;
  readonly seed: number;
  readonly islands: number;
  readonly maxAlgorithms: number | undefined;
  /** Whether the search begins with empty programs. */
  readonly fromScratch: boolean;
}

export interface FitServices extends SearchServices {
  readonly makeJudge: (tasks: OpenedTasks) => Judge;
  /** Told what begins. */
  readonly onStage: (stage: string) => void;
}

export interface FittedProgram {
  readonly name: string;
  /** Without what has no effect. */
  readonly program: Program;
  readonly epochs: number;
  /** The mean fitness on the splits that epochs were chosen by. */
  readonly crossValidation: number;
  /** Nothing if training on all rows ended in NaN or an error above 100. */
  readonly model: Model | undefined;
  /** On the rows that were held out. */
  readonly score: Score | undefined;
}

export interface Fit {
  /** Its training rows are all that were not held out, its validation rows those that were. */
  readonly report: TableReport;
  readonly labels: LabelKind;
  readonly algorithms: number;
  /** The budget for tuning each program, in full evaluations, not what tuning took. */
  readonly trials: number;
  readonly evolved: FittedProgram & { readonly model: Model };
  /** The baseline that the evolved program is, but for its constants. */
  readonly sameAs: string | undefined;
  /** The linear model first; the difference is how much better the evolved program is. */
  readonly baselines: readonly (FittedProgram & { readonly difference: Difference | undefined })[];
}

type Unscored = Omit<FittedProgram, 'score'>;

/** How the program that was found is called, beside the names of the baselines. */
const EVOLVED = 'evolved';

/** What a seed draws, each from a stream of its own. */
const DRAW = { heldOut: 1, search: 2, select: 3, tune: 4, epochs: 5, train: 6 };

/** Programs that are tried if the best one cannot be trained on all rows. */
const SUBSTITUTES = 5;

/** A program whose cross-validation says how many epochs are best. */
interface Planned {
  readonly name: string;
  readonly program: Program;
  /** From the best number of epochs to the worst. */
  readonly plans: readonly { readonly epochs: number; readonly fitness: number }[];
}

const everyTask = ({ count }: Judge) => Array.from({ length: count }, (_, k) => k);

/** The programs, the best first. */
async function rankPrograms(programs: readonly Program[], judge: Judge): Promise<Program[]> {
  const verdicts = await judge.judge(programs.map((program) => ({ program, tasks: everyTask(judge) })));
  const fitnesses = verdicts.map((verdict) => combine('mean', fitnessesOf(verdict)));
  return programs
    .map((program, k) => ({ program, fitness: fitnesses[k]! }))
    .sort((a, b) => b.fitness - a.fitness)
    .map(({ program }) => program);
}

/** Tries numbers of epochs on splits of `rows` training rows. */
async function planEpochs(
  { name, program }: Named,
  judge: Judge,
  rows: number,
  epochs: readonly number[],
): Promise<Planned> {
  const trials = epochs.map((count) => ({ program, tasks: everyTask(judge), maxTrainSteps: rows * count }));
  const verdicts = await judge.judge(trials);
  const plans = epochs.map((count, k) => ({ epochs: count, fitness: combine('mean', fitnessesOf(verdicts[k]!)) }));
  return { name, program, plans: plans.sort((a, b) => b.fitness - a.fitness || a.epochs - b.epochs) };
}

/** Rows that a trained program is tried on before it is taken. */
const TRIED_ROWS = 1000;

function predictsNumbers({ program, trained }: Model, setting: Setting, { count, features }: Examples): boolean {
  const predict = makePredictor(program, setting, trained);
  const F = setting.features;
  for (let k = 0; k < Math.min(count, TRIED_ROWS); k++) {
    const prediction = predict(features.subarray(k * F, (k + 1) * F));
    if (prediction.some(Number.isNaN)) return false;
  }
  return true;
}

/** Trains on all rows for the best number of epochs that can be gone through. */
function trainOnAll(
  { name, program, plans }: Planned,
  all: AllRows,
  setting: Setting,
  scale: (epochs: number) => number,
): Unscored {
  for (const { epochs, fitness } of plans) {
    const examples = all.epochs(scale(epochs));
    const trained = trainProgram(program, setting, examples);
    if (trained === undefined) continue;
    const model = { program, encoding: all.encoding, trained, seed: all.seed };
    if (!predictsNumbers(model, setting, examples)) continue;
    return { name, program, epochs: scale(epochs), crossValidation: fitness, model };
  }
  const [best] = plans;
  return { name, program, epochs: scale(best!.epochs), crossValidation: best!.fitness, model: undefined };
}

/** The same for programs that differ in their constants alone. */
function shapeHash(program: Program, labels: LabelKind): string {
  const withoutConstants = forFunctions((name) =>
    program[name].map((instruction) => {
      const [first, second] = opById(instruction.op).constantSpecs;
      return { ...instruction, const1: first ? 1 : 0, const2: second ? 1 : 0 };
    }),
  );
  return canonicalHash(withoutConstants, labels);
}

type Purpose = keyof typeof SPLITS;

/** A table in the making of its models: what all parts of the work share. */
interface Work {
  readonly rest: ReadTable;
  readonly labels: LabelKind;
  readonly seed: number;
  /** That a split trains on if it uses all. */
  readonly rows: number;
  readonly services: FitServices;
}

/** Asks a judge on splits that serve one purpose. */
async function onSplits<T>(
  { rest, seed, services }: Work,
  purpose: Purpose,
  { rows, epochs }: Sizes,
  ask: (judge: Judge) => Promise<T>,
): Promise<T> {
  const request = { count: SPLITS[purpose], seed: deriveSeed(seed, DRAW[purpose]), maxRows: rows, epochs };
  const judge = services.makeJudge(openSplits(rest, request));
  try {
    return await ask(judge);
  } finally {
    judge.dispose();
  }
}

interface Named {
  readonly name: string;
  readonly program: Program;
}

/** Each with the best constants that the same number of trials finds. */
function tuneAll(work: Work, programs: readonly Named[], trials: number): Promise<Named[]> {
  const { labels, services } = work;
  const settings = { method: 'race', trials, seed: deriveSeed(work.seed, DRAW.tune), fitness: 'mean' } as const;
  return onSplits(work, 'tune', tuneSizes(work.rows), async (judge) => {
    const tuned: Named[] = [];
    for (const { name, program } of programs) {
      services.onStage(`tuning ${name}`);
      tuned.push({ name, program: (await tune(program, labels, judge, settings)).program });
    }
    return tuned;
  });
}

/** Trains programs on all rows. Those of one list stand in for each other: the first that can be trained is taken. */
async function trainAll(work: Work, lists: readonly (readonly Named[])[]): Promise<Unscored[]> {
  const { rest, seed, rows, services } = work;
  const grid = epochSizes(rows, rest.features);
  const all = encodeAll(rest, deriveSeed(seed, DRAW.train));
  const setting: Setting = { features: rest.features, loss: LOSS_OF_KIND[rest.target.kind], seed: all.seed };
  // Splits of a large table train on fewer rows than there are: on all of them, as many examples in fewer epochs.
  const scale = (epochs: number) => Math.max(1, Math.round((epochs * grid.rows) / rows));
  return onSplits(work, 'epochs', { rows: grid.rows, epochs: grid.epochs.at(-1)! }, async (judge) => {
    const trained: Unscored[] = [];
    for (const list of lists) {
      let fitted: Unscored | undefined;
      for (const candidate of list) {
        if (fitted?.model !== undefined) break;
        services.onStage(`training ${candidate.name}`);
        fitted = trainOnAll(await planEpochs(candidate, judge, grid.rows, grid.epochs), all, setting, scale);
      }
      trained.push(fitted!);
    }
    return trained;
  });
}

/** Scores the evolved program, which comes first, and the baselines on the rows that nothing has seen. */
function scoreAll([evolved, ...others]: readonly Unscored[], heldOut: Table): Pick<Fit, 'evolved' | 'baselines'> {
  const model = evolved?.model;
  if (model === undefined) {
    throw new DataError(
      `${heldOut.name}: every program that was found ends in NaN or an error above 100 on all rows: try another seed or more time`,
    );
  }
  const areClasses = model.encoding.target.kind !== 'regression';
  const truth = readTruth(model.encoding, heldOut);
  const answer = (each: Model) => pairAnswers(truth, predictTable(each, heldOut));
  const own = answer(model);
  return {
    evolved: { ...evolved!, model, score: scoreAnswers(own, areClasses) },
    baselines: others.map((other) => {
      if (other.model === undefined) return { ...other, score: undefined, difference: undefined };
      const scored = answer(other.model);
      const score = scoreAnswers(scored, areClasses);
      return { ...other, score, difference: compareAnswers(own, scored, areClasses) };
    }),
  };
}

/** The best programs of a search, by other splits than those it searched on. */
async function findPrograms(work: Work, request: FitRequest, baselines: readonly Named[]) {
  const { rest, labels, seed, rows, services } = work;
  services.onStage('searching');
  const { rows: maxRows, epochs } = searchSizes(rows);
  const { algorithms, hall } = await searchTable(
    rest,
    {
      labels,
      splits: { count: SPLITS.search, seed: deriveSeed(seed, DRAW.search), maxRows, epochs },
      seed,
      islands: request.islands,
      initial: request.fromScratch ? [] : baselines,
      maxAlgorithms: request.maxAlgorithms,
    },
    services,
  );
  services.onStage('selecting');
  const programs = hall.map(({ program }) => simplify(program, labels));
  const ranked = await onSplits(work, 'select', tuneSizes(rows), (judge) => rankPrograms(programs, judge));
  if (ranked.length === 0) throw new DataError('the search ended before it had found any program: give it more time');
  return { algorithms, ranked: ranked.map((program) => ({ name: EVOLVED, program })) };
}

/** Fits a table. Throws DataError. */
export async function fitTable(request: FitRequest, services: FitServices): Promise<Fit> {
  const { seed } = request;
  const { rest, heldOut, report } = holdOut(request.table, request.options, deriveSeed(seed, DRAW.heldOut));
  const { kind } = rest.target;
  const labels = labelKind(LOSS_OF_KIND[kind]);
  const work: Work = { rest, labels, seed, rows: splitTable(rest, seed).task.train.count, services };
  const baselines = baselinesFor(kind);
  const { algorithms, ranked } = await findPrograms(work, request, baselines);
  const trials = tuneTrials(tuneSizes(work.rows), rest.features);
  const [winner, ...others] = await tuneAll(work, [ranked[0]!, ...baselines], trials);
  const lists = [[winner!, ...ranked.slice(0, SUBSTITUTES)], ...others.map((other) => [other])];
  const scored = scoreAll(await trainAll(work, lists), heldOut);
  const shape = shapeHash(scored.evolved.program, labels);
  const sameAs = baselines.find(({ program }) => shapeHash(program, labels) === shape)?.name;
  return { report, labels, algorithms, trials, sameAs, ...scored };
}
