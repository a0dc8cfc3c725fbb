// `evozero knockin`: whether a section of one program helps another (paper, supplement "Interpreting Algorithms", d). Insertions race:
// all are evaluated once, the better ones are tuned a little, the best with the whole budget. Pure but for asking the judge. Must
// not know what the tasks are.
import type { Loss } from '../../engine/engine.js';
import { simplify } from '../../program/liveness.js';
import type { LabelKind, Program } from '../../program/program.js';
import { mean } from '../../util/stats.js';
import { comparePaired, type Difference } from '../ablate/paired.js';
import { explain } from '../explain/explain.js';
import { fitnessesOf, type Judge } from '../judge.js';
import { type Tuned, tune } from '../tune/tune.js';
import { addressesOf, type Bindings } from './bindings.js';
import type { CodeSection } from './code-section.js';
import { findInsertions, type Insertion } from './insert.js';
import { toVectors, vectorName } from './retype.js';

/** Insertions that are tuned a little, and that are tuned with the whole budget. */
const RACED = 12;
const FINALISTS = 4;
/** The part of the budget that a raced insertion gets. */
const RACE_PART = 0.2;

/** Fitnesses that differ by less are those of one program, but for rounding: noise that is added and subtracted again. */
const EQUAL = 1e-9;

/** What will be tried, known before anything is evaluated. */
export interface KnockInPlan {
  readonly program: Program;
  readonly labels: LabelKind;
  readonly insertions: readonly Insertion[];
}

/** In full evaluations, at most: each program may exceed its budget by part of one. */
export function knockInCost({ insertions }: KnockInPlan, trials: number): number {
  const raced = Math.min(RACED, insertions.length);
  const finalists = Math.min(FINALISTS, insertions.length);
  return insertions.length + 1 + raced * (raceTrials(trials) + 1) + (finalists + 1) * (trials + 1);
}

function raceTrials(trials: number): number {
  return Math.max(1, Math.round(trials * RACE_PART));
}

/** A section of matrices goes into a program without any as one of vectors. */
export function planKnockIn(
  section: CodeSection,
  program: Program,
  labels: LabelKind,
  loss: Loss,
  given: Bindings,
  limit: number,
): KnockInPlan {
  // Dead code may be what the section brings to life.
  const host = { program, labels, roles: explain(program, labels, loss).names };
  const hasMatrices = [...addressesOf(host.program)].some((address) => address.startsWith('m'));
  const vectors = hasMatrices ? undefined : toVectors(section);
  const insertions =
    vectors === undefined
      ? findInsertions(section, host, given, limit)
      : findInsertions(vectors, host, new Map([...given].map(([own, to]) => [vectorName(own), to])), limit);
  return { program: simplify(program, labels), labels, insertions };
}

export interface KnockIn {
  readonly intact: Tuned;
  /** The finalists, the best first; none if every insertion leaves all fitnesses as they are. */
  readonly best: readonly { readonly insertion: Insertion; readonly tuned: Tuned; readonly gain: Difference }[];
  /** In full evaluations. */
  readonly spent: number;
}

export async function knockIn(
  { program, labels, insertions }: KnockInPlan,
  judge: Judge,
  { trials, seed }: { readonly trials: number; readonly seed: number },
  onProgress?: (progress: { readonly done: number; readonly total: number }) => void,
): Promise<KnockIn> {
  const total = insertions.length + Math.min(RACED, insertions.length) + Math.min(FINALISTS, insertions.length) + 2;
  let [done, spent] = [0, 0];
  const step = (cost: number) => {
    spent += cost;
    onProgress?.({ done: ++done, total });
  };
  const tuneWith = async (each: Program, budget: number): Promise<Tuned> => {
    const tuned = await tune(each, labels, judge, { method: 'race', trials: budget, seed, fitness: 'mean' });
    step(tuned.spent);
    return tuned;
  };
  const tasks = Array.from({ length: judge.count }, (_, k) => k);
  const verdicts = await judge.judge(
    [program, ...insertions.map((each) => each.program)].map((each) => ({ program: each, tasks })),
    () => step(1),
  );
  const [plain, ...fitnesses] = verdicts.map(fitnessesOf);
  const order = [...insertions.keys()]
    .filter((k) => fitnesses[k]!.some((fitness, task) => Math.abs(fitness - plain![task]!) > EQUAL))
    .sort((a, b) => mean(fitnesses[b]!) - mean(fitnesses[a]!) || a - b)
    .slice(0, RACED);
  const race: { readonly k: number; readonly fitness: number }[] = [];
  for (const k of order) {
    race.push({ k, fitness: (await tuneWith(insertions[k]!.program, raceTrials(trials))).best.fitness });
  }
  race.sort((a, b) => b.fitness - a.fitness);
  const intact = await tuneWith(program, trials);
  const best: { insertion: Insertion; tuned: Tuned; gain: Difference }[] = [];
  for (const { k } of race.slice(0, FINALISTS)) {
    const insertion = insertions[k]!;
    const tuned = await tuneWith(insertion.program, trials);
    best.push({ insertion, tuned, gain: comparePaired(intact.best.fitnesses, tuned.best.fitnesses) });
  }
  best.sort((a, b) => b.tuned.best.fitness - a.tuned.best.fitness);
  return { intact, best, spent };
}
