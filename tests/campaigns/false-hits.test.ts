// How often a fingerprint lies. Real searches on presets; every program that a cache knows is evaluated in full as well, and
// the two fitnesses are compared. Canonical forms never lie. On failure the programs are printed.
import { afterAll, describe, expect, it } from 'vitest';
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

/** Fitnesses that differ by more are not those of equal programs. */
const TOLERANCE = 1e-6;

interface FalseHit {
  readonly cached: number;
  readonly fitness: number;
  readonly program: Program;
}

/** What a search was told by its caches, and what is true. */
interface Tally {
  canonicalHits: number;
  fingerprintHits: number;
  /** Hits on a canonical form whose fitness did not come from a fingerprint; all of these must be exact. */
  exactHits: number;
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

/** Calls `look` with every judgement of an evaluator. */
function watch(evaluator: CandidateEvaluator, look: (program: Program, evaluation: Evaluation) => void): void {
  const evaluate = evaluator.evaluate.bind(evaluator);
  evaluator.evaluate = (store, place, hurdles) => {
    const evaluation = evaluate(store, place, hurdles);
    look(store.read(place), evaluation);
    return evaluation;
  };
}

async function tallyHits(preset: string, algorithms: number, seed: number): Promise<Tally> {
  const config = { ...findPreset(preset), seed };
  const tasks = await openTasks(config, seed);
  const truth = prepareTruth(config, tasks);
  const experiment = new Experiment(config, tasks, 0);
  const tally: Tally = { canonicalHits: 0, fingerprintHits: 0, exactHits: 0, falseCanonical: [], falseFingerprints: [] };
  /** Canonical forms whose fitness is that of another program with the same fingerprint. */
  const borrowed = new Set<string>();
  watch(experiment.evaluator, (program, evaluation) => {
    const { judgement, fitness: cached } = evaluation;
    const { hash } = experiment.evaluator;
    if (judgement === 'canonical') {
      tally.canonicalHits++;
      if (borrowed.has(hash)) return;
      tally.exactHits++;
      const fitness = truth.measure(program, evaluation);
      if (fitness !== cached) tally.falseCanonical.push({ cached, fitness, program });
    } else if (judgement === 'fingerprint') {
      tally.fingerprintHits++;
      borrowed.add(hash);
      const fitness = truth.measure(program, evaluation);
      if (Math.abs(fitness - cached) > TOLERANCE) tally.falseFingerprints.push({ cached, fitness, program });
    } else {
      borrowed.delete(hash);
    }
  });
  try {
    while (experiment.algorithms < algorithms) experiment.step();
  } finally {
    experiment.dispose();
    truth.dispose();
  }
  return tally;
}

function tell(hits: readonly FalseHit[]): string {
  return hits
    .slice(0, 3)
    .map(({ cached, fitness, program }) => `${cached}, in truth ${fitness}\n${printProgram(canonicalize(program))}`)
    .join('\n');
}
