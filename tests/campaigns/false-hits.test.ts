// How often a fingerprint lies. Real searches on presets; every program that a cache knows is evaluated as well, and the two
// fitnesses are compared. Canonical forms never lie. Fingerprints do, because they see ten training steps: programs whose numbers
// overflow later, or that meet a rare label later, look like harmless ones until then. On failure programs are printed.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../src/engine/engine.js';
import { wasmEngine } from '../../src/engine/wasm/engine.js';
import type { WasmEvaluator } from '../../src/engine/wasm/evaluator.js';
import type { CandidateEvaluator, Evaluation } from '../../src/evaluate/candidate-evaluator.js';
import { shortenTask } from '../../src/evaluate/fingerprint.js';
import { combine } from '../../src/evaluate/summary.js';
import type { Config } from '../../src/experiment/config.js';
import { Experiment } from '../../src/experiment/experiment.js';
import { findPreset } from '../../src/experiment/presets.js';
import { canonicalize } from '../../src/program/canonical.js';
import { printProgram } from '../../src/program/print.js';
import type { Program } from '../../src/program/program.js';
import { openBuiltinTasks } from '../../src/tasks/open-tasks.js';
import { Hasher, hashToHex } from '../../src/util/hash.js';

/** Fitnesses that differ by more are not those of equal programs. */
const TOLERANCE = 1e-6;

interface FalseHit {
  readonly cached: number;
  readonly fitness: number;
  readonly program: Program;
}

/** What a search was told by its caches, and what is true. */
interface Tally {
  /** Hits on a canonical form whose fitness did not come from a fingerprint: these must be exact. */
  canonicalHits: number;
  fingerprintHits: number;
  /** Programs with a fingerprint of others that do not predict the same, but for the last digits. */
  collisions: number;
  /** False hits of programs that were better than the best so far. */
  lostBest: number;
  readonly falseCanonical: FalseHit[];
  readonly falseFingerprints: FalseHit[];
}

async function openTasks({ tasks }: Config, seed: number): Promise<Task[]> {
  const { set, count, features, train, valid } = tasks.search;
  const opened = await openBuiltinTasks({ name: set, count, seed, features, train, valid, split: 'released' });
  return Promise.all(Array.from({ length: count }, (_, k) => opened.at(k)));
}

/** Plain evaluations: in full, and as far as each hurdle. */
function prepareTruth({ precision, tasks: sets, evaluation }: Config, tasks: readonly Task[]) {
  const engine = wasmEngine(precision);
  const full = engine.prepare(tasks, { epochs: sets.search.epochs });
  const stages = (evaluation.hurdles?.stages ?? []).map((stage) =>
    engine.prepare(tasks.map((task) => shortenTask(task, stage))),
  );
  const fitnessOn = (evaluator: WasmEvaluator, program: Program): number => {
    evaluator.run(program);
    return combine(evaluation.fitness, evaluator.readFitnesses());
  };
  return {
    /** The fitness that a judgement stands for. */
    measure: (program: Program, { isCut, atHurdles }: Evaluation): number =>
      fitnessOn(isCut ? stages[atHurdles.length - 1]! : full, program),
    dispose: () => [full, ...stages].forEach((evaluator) => void evaluator.dispose()),
  };
}

const number = new Float64Array(1);
const words = new Int32Array(number.buffer);
/** The last digits, which a fingerprint leaves out. */
const DROPPED = 2 ** 20 - 1;

/** Tells fingerprints of programs that do not predict the same: by another hash of the predictions. */
function prepareComparison({ precision, evaluation }: Config, tasks: readonly Task[]) {
  const { fingerprint } = evaluation;
  const some = tasks.slice(0, fingerprint!.tasks).map((task) => shortenTask(task, fingerprint!));
  const evaluator = wasmEngine(precision).prepare(some, { trace: true });
  const hasher = new Hasher();
  const known = new Map<string, string>();
  return {
    isCollision: (program: Program): boolean => {
      evaluator.run(program);
      const [low, high] = evaluator.readDigest();
      hasher.reset();
      for (const prediction of evaluator.readPredictions()) {
        number[0] = Number.isNaN(prediction) ? Number.NaN : prediction + 0;
        hasher.word(words[0]! & ~DROPPED).word(words[1]!);
      }
      const digest = hashToHex(high!, low!);
      const hash = hasher.hex();
      const first = known.get(digest) ?? hash;
      known.set(digest, first);
      return first !== hash;
    },
    dispose: () => evaluator.dispose(),
  };
}

/** Calls `look` with every judgement of an evaluator. */
function watch(evaluator: CandidateEvaluator, look: (program: Program, evaluation: Evaluation) => void): void {
  const evaluate = evaluator.evaluate.bind(evaluator);
  evaluator.evaluate = (store, place, hurdles) => {
    const evaluation = evaluate(store, place, hurdles);
    look(store.read(place), evaluation);
    return evaluation;
  };
}

/** A search of so many programs. */
async function tallyHits(preset: string, algorithms: number): Promise<Tally> {
  const config = findPreset(preset);
  const tasks = await openTasks(config, config.seed);
  const truth = prepareTruth(config, tasks);
  const comparison = prepareComparison(config, tasks);
  const experiment = new Experiment(config, tasks, { experiment: 0, island: 0 });
  const tally: Tally = {
    canonicalHits: 0,
    fingerprintHits: 0,
    collisions: 0,
    lostBest: 0,
    falseCanonical: [],
    falseFingerprints: [],
  };
  /** Canonical forms whose fitness is that of another program with the same fingerprint. */
  const borrowed = new Set<string>();
  watch(experiment.evaluator, (program, evaluation) => {
    const { judgement, fitness: cached } = evaluation;
    const { hash } = experiment.evaluator;
    if (judgement === 'over-budget') return;
    if (judgement === 'canonical') {
      if (borrowed.has(hash)) return;
      tally.canonicalHits++;
      const fitness = truth.measure(program, evaluation);
      if (fitness !== cached) tally.falseCanonical.push({ cached, fitness, program });
      return;
    }
    if (comparison.isCollision(program)) tally.collisions++;
    if (judgement !== 'fingerprint') {
      borrowed.delete(hash);
      return;
    }
    tally.fingerprintHits++;
    borrowed.add(hash);
    const fitness = truth.measure(program, evaluation);
    if (Math.abs(fitness - cached) <= TOLERANCE) return;
    tally.falseFingerprints.push({ cached, fitness, program });
    if (!evaluation.isCut && fitness > experiment.best!.fitness) tally.lostBest++;
  });
  try {
    while (experiment.algorithms < algorithms) experiment.step();
  } finally {
    experiment.dispose();
    comparison.dispose();
    truth.dispose();
  }
  return tally;
}

/** The first few. */
function tell(hits: readonly FalseHit[]): string {
  return hits
    .slice(0, 3)
    .map(({ cached, fitness, program }) => `${cached}, in truth ${fitness}\n${printProgram(canonicalize(program))}`)
    .join('\n');
}

// False hits by fingerprints, measured: linear 78 among 92,318 hits of 300,000 programs (with other seeds 19 and 180), full-space
// 0 among 384 of 20,000 (1 of 1,100 and 0 of 218), digits 0 among 311 of 20,000 (0 of 78 and 0 of 268). `most` is a few times as many.
const SEARCHES = [
  { preset: 'linear', algorithms: 300_000, leastHits: 20_000, most: 300 },
  { preset: 'full-space', algorithms: 20_000, leastHits: 100, most: 6 },
  { preset: 'digits', algorithms: 20_000, leastHits: 50, most: 6 },
] as const;

describe.each(SEARCHES)('a search on $preset', ({ preset, algorithms, leastHits, most }) => {
  let tally: Tally;
  beforeAll(async () => {
    tally = await tallyHits(preset, algorithms);
  }, 300_000);

  it('is never misled by canonical forms', () => {
    const { canonicalHits, falseCanonical } = tally;
    expect(canonicalHits).toBeGreaterThan(algorithms / 20);
    expect(falseCanonical.length, tell(falseCanonical)).toBe(0);
  });

  it('is rarely misled by fingerprints, and never misses its best program', () => {
    const { fingerprintHits, falseFingerprints, lostBest } = tally;
    expect(fingerprintHits).toBeGreaterThan(leastHits);
    expect(falseFingerprints.length, tell(falseFingerprints)).toBeLessThanOrEqual(most);
    expect(lostBest).toBe(0);
  });

  it('gives different fingerprints to different predictions', () => {
    expect(tally.collisions).toBe(0);
  });
});
