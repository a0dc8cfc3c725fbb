// Tunes the constants of a program: what all methods share, and the choice of the best. Costs are counted in full evaluations, so that
// methods compare at equal cost. Pure but for asking the judge. Must not know what the tasks are.
import { combine, type FitnessKind } from '../../evaluate/summary.js';
import type { LabelKind, Program } from '../../program/program.js';
import { fitnessesOf, type Judge, type Trial } from '../judge.js';
import { type Constant, scaleConstants, tunableConstants } from './constants.js';
import type { Measure } from './measure.js';
import { raceFactors } from './race.js';
import { drawFactors } from './random-factors.js';

/** 'random' is the paper's: joint random search. 'race' tries more on fewer tasks and examples, then near the best. */
export const TUNING_METHODS = ['race', 'random'] as const;
/** `random` as in the paper, or `race`: many candidates on few examples, the better ones on more. */
export type TuningMethod = (typeof TUNING_METHODS)[number];

/** How constants are tuned. */
export interface TuneSettings {
  readonly method: TuningMethod;
  /** The budget, in full evaluations, that of the program as it is included. */
  readonly trials: number;
  readonly seed: number;
  readonly fitness: FitnessKind;
}

/** How far a tuning is. */
export interface TuneProgress {
  /** Full evaluations spent. */
  readonly spent: number;
  /** The best fitness by full evaluation so far. */
  readonly best: number;
}

/** Constants that were tried, as they are scaled, and what the program reaches with them on each task. */
export interface Candidate {
  /** Powers of ten, one for each constant. */
  readonly exponents: readonly number[];
  readonly fitnesses: readonly number[];
  readonly fitness: number;
}

/** What tuning found. */
export interface Tuned {
  readonly constants: readonly Constant[];
  /** The program as it was, and the best found, which may be the same. */
  readonly before: Candidate;
  readonly best: Candidate;
  readonly program: Program;
  /** Everything that was evaluated in full, the program as it was first. */
  readonly candidates: readonly Candidate[];
  /** In full evaluations. */
  readonly spent: number;
}

/** Part of a full evaluation: rather fewer tasks than fewer examples, which change what constants are good. */
function shrink(judge: Judge, part: number): { tasks: number[]; maxTrainSteps?: number; cost: number } {
  const count = Math.max(1, Math.min(judge.count, Math.round(judge.count * part)));
  const tasks = Array.from({ length: count }, (_, k) => k);
  const share = (part * judge.count) / count;
  if (part === 1 || share >= 1) return { tasks, cost: count / judge.count };
  const maxTrainSteps = Math.max(1, Math.round(judge.trainSteps * share));
  return { tasks, maxTrainSteps, cost: (count * maxTrainSteps) / (judge.count * judge.trainSteps) };
}

/** Training steps on all tasks together below which evaluations say too little. */
const LEAST_STEPS = 500;
const REDUCTION = 4;

function partsOf(judge: Judge): number[] {
  const parts = [1];
  while (parts[0]! * judge.count * judge.trainSteps > REDUCTION * LEAST_STEPS && parts.length < 3) {
    parts.unshift(parts[0]! / REDUCTION);
  }
  return parts;
}

/** Of equals the one nearer to the program as it was. */
function isBetter(a: Candidate, b: Candidate): boolean {
  const distance = ({ exponents }: Candidate) => exponents.reduce((sum, x) => sum + x * x, 0);
  return a.fitness > b.fitness || (a.fitness === b.fitness && distance(a) < distance(b));
}

/** Scales the constants of a program for the tasks of a judge, within a budget of full evaluations. The same settings find the same. */
export async function tune(
  program: Program,
  labels: LabelKind,
  judge: Judge,
  { method, trials, seed, fitness }: TuneSettings,
  onProgress?: (progress: TuneProgress) => void,
): Promise<Tuned> {
  const constants = tunableConstants(program, labels);
  const candidates: Candidate[] = [];
  let best: Candidate | undefined;
  let spent = 0;
  let reached = 0;
  const toProgram = (exponents: readonly number[]) =>
    scaleConstants(
      program,
      constants,
      exponents.map((x) => 10 ** x),
    );
  const measure = async (exponents: readonly (readonly number[])[], part: number): Promise<number[]> => {
    const { cost, ...where } = shrink(judge, part);
    const wanted: Trial[] = exponents.map((each) => ({ program: toProgram(each), ...where }));
    const found = await judge.judge(wanted, (_, verdict) => {
      spent += cost;
      if (part === 1) reached = Math.max(reached, combine(fitness, fitnessesOf(verdict)));
      onProgress?.({ spent, best: reached });
    });
    return found.map((verdict, k) => {
      const fitnesses = fitnessesOf(verdict);
      const candidate = { exponents: exponents[k]!, fitnesses, fitness: combine(fitness, fitnesses) };
      if (part === 1) {
        candidates.push(candidate);
        if (best === undefined || isBetter(candidate, best)) best = candidate;
      }
      return candidate.fitness;
    });
  };
  await measure([constants.map(() => 0)], 1);
  if (constants.length > 0) {
    const methods: Record<TuningMethod, (measure: Measure) => Promise<void>> = {
      random: drawFactors,
      race: raceFactors,
    };
    await methods[method]({
      dimensions: constants.length,
      before: candidates[0]!.fitness,
      seed,
      left: () => trials - spent,
      parts: partsOf(judge),
      measure,
    });
  }
  return { constants, before: candidates[0]!, best: best!, program: toProgram(best!.exponents), candidates, spent };
}
