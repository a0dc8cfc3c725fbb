// `evozero decouple`: finds scalars that a program computes but that act as hyperparameters, and sets them to constants that can be
// tuned (paper, supplement "Algorithm Selection and Evaluation": hyperparameter coupling, which the authors undid by hand). Pure but
// for asking the judge. Must not know what the tasks are.
import type { Task } from '../../engine/engine.js';
import { simplify } from '../../program/liveness.js';
import { printInstruction } from '../../program/print.js';
import { countInstructions, type LabelKind, type Program } from '../../program/program.js';
import { mean, median, standardDeviation } from '../../util/stats.js';
import { instructionAt } from '../ablate/knock-out.js';
import { comparePaired, type Difference, SIGNIFICANT } from '../ablate/paired.js';
import type { Place } from '../explain/explanation.js';
import type { Judge } from '../judge.js';
import { type Tuned, tune } from '../tune/tune.js';
import { findCandidates } from './candidates.js';
import { recordScalars } from './record-scalars.js';
import { replaceScalars } from './replace-scalar.js';

/** A scalar that may be a hyperparameter, as it was in training. */
export interface Scalar {
  /** In the program without dead code. */
  readonly place: Place;
  /** `s4 = std(m0)` */
  readonly text: string;
  /** Over training, on all tasks that were looked at. */
  readonly value: number;
  /** Standard deviation over mean within a task, on average over the tasks. */
  readonly variation: number;
  readonly isNearlyConstant: boolean;
}

/** Variation below which a scalar is as good as a constant. */
export const NEARLY_CONSTANT = 0.05;
/** What the first steps do, while weights are still near zero, does not count. */
const SKIPPED_PART = 0.1;
const MAX_STEPS = 500;
const MIN_STEPS = 20;
/** Elements of matrices that recording may compute, or it would take minutes. */
const MAX_ELEMENTS = 2e8;

function variationOf(values: readonly number[]): number {
  const centre = Math.abs(mean(values));
  const spread = standardDeviation(values);
  if (spread === 0) return 0;
  return centre === 0 ? Number.POSITIVE_INFINITY : spread / centre;
}

/** Scalars that may be hyperparameters, those that vary least first; of nearly constant ones what is computed last first. */
export function measureScalars(program: Program, labels: LabelKind, tasks: readonly Task[]): Scalar[] {
  const places = findCandidates(program, labels);
  const features = tasks[0]?.features ?? 1;
  const affordable = MAX_ELEMENTS / (features * features * Math.max(1, countInstructions(program)) * tasks.length);
  const steps = Math.round(Math.max(MIN_STEPS, Math.min(MAX_STEPS, affordable)));
  const records = tasks.map((task) => recordScalars(program, task, steps));
  const scalars = places.flatMap((place): Scalar[] => {
    const perTask = records
      .map((record) => record[place.function][place.index]!)
      .map((values) => values.slice(Math.floor(values.length * SKIPPED_PART)))
      .filter((values) => values.length > 0 && values.every(Number.isFinite));
    const value = Number(median(perTask.flat()).toPrecision(4));
    if (perTask.length === 0 || value === 0) return [];
    const variation = mean(perTask.map(variationOf));
    const text = printInstruction(instructionAt(program, place));
    return [{ place, text, value, variation, isNearlyConstant: variation <= NEARLY_CONSTANT }];
  });
  const rank = ({ isNearlyConstant, variation }: Scalar) => (isNearlyConstant ? 0 : variation);
  return scalars.reverse().sort((a, b) => rank(a) - rank(b));
}

/** What came of setting a scalar to a constant. */
export interface Tried extends Scalar {
  readonly isReplaced: boolean;
  /** Of the fitness, both programs tuned alike, with what was replaced before; nothing if an earlier replacement has made the scalar useless. */
  readonly loss?: Difference;
}

export interface Decoupled {
  /** Without dead code. */
  readonly before: Program;
  readonly after: Program;
  readonly scalars: readonly Tried[];
  readonly tunedBefore: Tuned;
  readonly tunedAfter: Tuned;
}

export interface DecoupleSettings {
  /** The budget of each program, in full evaluations. */
  readonly trials: number;
  readonly seed: number;
  /** The loss of fitness that is accepted. */
  readonly tolerance: number;
}

/** Scalars that are tried, at most: those that vary least. */
export const MAX_TRIED = 12;

export async function decouple(
  program: Program,
  labels: LabelKind,
  measured: readonly Scalar[],
  judge: Judge,
  { trials, seed, tolerance }: DecoupleSettings,
  onProgress?: (progress: { readonly done: number; readonly total: number }) => void,
): Promise<Decoupled> {
  const before = simplify(program, labels);
  const settings = { method: 'race', trials, seed, fitness: 'mean' } as const;
  const tunedBefore = await tune(before, labels, judge, settings);
  // A program that is stopped on every task has nothing to lose, and so nothing to tell.
  const chosen = tunedBefore.best.fitness === 0 ? [] : measured.slice(0, MAX_TRIED);
  const total = chosen.length + 1;
  onProgress?.({ done: 1, total });
  let tunedAfter = tunedBefore;
  const replaced: Scalar[] = [];
  const scalars: Tried[] = [];
  for (const [k, scalar] of chosen.entries()) {
    if (!replaceScalars(before, labels, replaced).isLive(scalar.place)) {
      scalars.push({ ...scalar, isReplaced: false });
    } else {
      const variant = replaceScalars(before, labels, [...replaced, scalar]).program;
      const tuned = await tune(variant, labels, judge, settings);
      const loss = comparePaired(tuned.best.fitnesses, tunedBefore.best.fitnesses);
      const isSignificant = loss.mean > 0 && (loss.pValue ?? 1) < SIGNIFICANT;
      const isSmall = loss.mean <= tolerance;
      const isReplaced = scalar.isNearlyConstant ? isSmall || !isSignificant : isSmall && !isSignificant;
      if (isReplaced) {
        replaced.push(scalar);
        tunedAfter = tuned;
      }
      scalars.push({ ...scalar, isReplaced, loss });
    }
    onProgress?.({ done: k + 2, total });
  }
  return { before, after: replaceScalars(before, labels, replaced).program, scalars, tunedBefore, tunedAfter };
}
