// The demonstrations of the tour, by the real engine: a population that evolves, fingerprints and hurdles. Answers requests that can be sent as messages. Must not know pages.
import { chooseEngine } from '../../../src/engine/choose-engine.js';
import type { Task } from '../../../src/engine/engine.js';
import { interpreter } from '../../../src/engine/interpreter.js';
import type { EvaluationCounts } from '../../../src/evaluate/candidate-evaluator.js';
import { shortenTask } from '../../../src/evaluate/fingerprint.js';
import type { Origin } from '../../../src/evolve/lineage.js';
import type { Config } from '../../../src/experiment/config.js';
import { Experiment } from '../../../src/experiment/experiment.js';
import { presets } from '../../../src/experiment/presets.js';
import { openSearchTasks } from '../../../src/experiment/search-tasks.js';
import { canonicalHash } from '../../../src/program/canonical.js';
import { parseSource } from '../../../src/program/parse.js';
import { printProgram } from '../../../src/program/print.js';
import type { Program } from '../../../src/program/program.js';
import { openBuiltinTasks } from '../../../src/tasks/open-tasks.js';
import { mean } from '../../../src/util/stats.js';
import { takeTurns } from '../connection/take-turns.js';
import { openChoice } from '../program/lab.js';
import { mutateProgram } from '../program/mutate-program.js';
import { DISGUISES, LINEAR, SLOW_LINEAR } from './tour-programs.js';
import { EARLY, type TriedTwice, WHOLE } from './tried-twice.js';

// --- Mutation ----------------------------------------------------------------------------------------------------------

/** What became of many mutants of one program. */
export interface MutantTally {
  readonly better: number;
  readonly same: number;
  readonly worse: number;
}

// --- Evolution ---------------------------------------------------------------------------------------------------------

/** Small enough to be seen whole. */
const SHOWN_POPULATION = 100;

export interface PopulationState {
  readonly algorithms: number;
  /** From the oldest to the newest. */
  readonly fitnesses: readonly number[];
  readonly best: { readonly fitness: number; readonly origin: Origin; readonly text: string } | null;
}

let evolution: { experiment: Experiment; seed: number } | undefined;

async function openExperiment(config: Config): Promise<Experiment> {
  const tasks = await openSearchTasks(config, openBuiltinTasks, 1, 0);
  return new Experiment(config, tasks, { experiment: 1, island: 0 });
}

function populationState({ algorithms, method, best }: Experiment): PopulationState {
  return {
    algorithms,
    fitnesses: [...method.fitnesses()],
    best: best === undefined ? null : { fitness: best.fitness, origin: best.origin, text: printProgram(best.program) },
  };
}

// --- Fingerprints ------------------------------------------------------------------------------------------------------

export interface ComparedPrograms {
  /** Canonical hashes of both. */
  readonly hashes: readonly [string, string];
  /** The first predictions of both, in training and validation. */
  readonly predictions: readonly [readonly number[], readonly number[]];
  readonly isSameForm: boolean;
  readonly isSameFingerprint: boolean;
}

const FINGERPRINT = { train: 10, valid: 10 };

function predictionsOf(text: string, task: Task): readonly number[] {
  const { program } = parseSource(text);
  const [outcome] = interpreter.prepare([shortenTask(task, FINGERPRINT)], { trace: true }).evaluate(program);
  return outcome!.trace!.predictions;
}

// --- Searches ----------------------------------------------------------------------------------------------------------

export interface SearchTally {
  readonly algorithms: number;
  readonly counts: EvaluationCounts;
}

const SLICE = 250;

// --- Hurdles -----------------------------------------------------------------------------------------------------------

/** Programs that learn slowly, well and fast: their mutants differ in what becomes of them. */
const PARENTS = [SLOW_LINEAR, DISGUISES.reference, LINEAR];

function drawMutants(count: number, features: number, seed: number): Program[] {
  return Array.from({ length: count }, (_, k) => {
    const { program, labels } = parseSource(PARENTS[k % PARENTS.length]!);
    const first = mutateProgram(program, labels, { features, seed: seed + 2 * k }).program;
    return k % 2 === 0 ? first : mutateProgram(first, labels, { features, seed: seed + 2 * k + 1 }).program;
  });
}

function fitnessesOn(tasks: readonly Task[], programs: readonly Program[]): number[] {
  const evaluator = chooseEngine('f64', tasks[0]!.features).prepare(tasks);
  try {
    return programs.map((program) => mean(evaluator.evaluate(program).map(({ fitness }) => fitness)));
  } finally {
    evaluator.dispose();
  }
}

export const demoHandlers = {
  /** Mutates a program again and again, each time from the beginning. */
  async tallyMutants({ text, count, seed }: { text: string; count: number; seed: number }): Promise<MutantTally> {
    const { program, labels } = parseSource(text);
    const { tasks, judge } = await openChoice('linear');
    const mutants = Array.from({ length: count }, (_, k) =>
      mutateProgram(program, labels, { features: tasks.features, seed: seed + k }),
    );
    const verdicts = await judge.judge(
      [program, ...mutants.map((each) => each.program)].map((each) => ({ program: each, tasks: [0] })),
    );
    const [own, ...others] = verdicts.map((verdict) => verdict[0]!.fitness);
    const better = others.filter((fitness) => fitness > own!).length;
    const same = others.filter((fitness) => fitness === own).length;
    return { better, same, worse: count - better - same };
  },

  /** Goes on with a small population, or begins with another seed. */
  async evolve({ algorithms, seed }: { algorithms: number; seed: number }): Promise<PopulationState> {
    if (evolution?.seed !== seed) {
      evolution?.experiment.dispose();
      const config = presets.linear;
      const small = { ...config, seed, search: { ...config.search, population: SHOWN_POPULATION } };
      evolution = { experiment: await openExperiment(small), seed };
    }
    const { experiment } = evolution;
    const end = experiment.algorithms + algorithms;
    while (experiment.algorithms < end) experiment.step();
    return populationState(experiment);
  },

  async compare({ texts }: { texts: readonly [string, string] }): Promise<ComparedPrograms> {
    const { tasks } = await openChoice('linear');
    const task = await tasks.at(0);
    const [a, b] = texts;
    const hashes = [canonicalHash(parseSource(a).program), canonicalHash(parseSource(b).program)] as const;
    const predictions = [predictionsOf(a, task), predictionsOf(b, task)] as const;
    const isSameFingerprint = predictions[0].every((x, k) => Object.is(x, predictions[1][k]));
    return { hashes, predictions, isSameForm: hashes[0] === hashes[1], isSameFingerprint };
  },

  /** The search for linear regression: how many programs need no evaluation. Tells how it goes. */
  async tallyFingerprints(
    { algorithms, seed }: { algorithms: number; seed: number },
    tell: (tally: SearchTally) => void,
  ): Promise<SearchTally> {
    const experiment = await openExperiment({ ...presets.linear, seed });
    const tally = () => ({ algorithms: experiment.algorithms, counts: { ...experiment.evaluator.counts } });
    try {
      while (experiment.algorithms < algorithms) {
        const end = Math.min(algorithms, experiment.algorithms + SLICE);
        while (experiment.algorithms < end) experiment.step();
        tell(tally());
        await takeTurns();
      }
      return tally();
    } finally {
      experiment.dispose();
    }
  },

  /** Mutants, each on the beginning of some tasks and on the whole. */
  async tryTwice({ count, seed }: { count: number; seed: number }): Promise<readonly TriedTwice[]> {
    const opened = await openBuiltinTasks({ name: 'linear', features: 4, count: 10, seed, ...WHOLE });
    const tasks = await Promise.all(Array.from({ length: opened.count }, (_, k) => opened.at(k)));
    const programs = drawMutants(count, opened.features, seed);
    const early = fitnessesOn(
      tasks.map((task) => shortenTask(task, EARLY)),
      programs,
    );
    const whole = fitnessesOn(tasks, programs);
    return early.map((fitness, k) => ({ early: fitness, whole: whole[k]! }));
  },
};
