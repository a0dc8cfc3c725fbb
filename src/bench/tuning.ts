// Whether tuning by races finds better constants than the paper's random search at equal cost: no times, so that any machine answers the
// same. Must not know commands.
import { localJudge } from '../analysis/judge.js';
import { type TuningMethod, tune } from '../analysis/tune/tune.js';
import { builtin } from '../program/builtin.js';
import { openBuiltinTasks } from '../tasks/open-tasks.js';
import { mean } from '../util/stats.js';
import type { Measurement, Workload } from './workloads.js';

const PROGRAMS = ['paper/logistic', 'paper/neural-net', 'paper/evolved'];
const TRIALS = 30;
const SEEDS = 10;

async function bestFitness(method: TuningMethod): Promise<number> {
  const tasks = await openBuiltinTasks({ name: 'digits-binary-select', count: 9, seed: 0 });
  const judge = localJudge(tasks, { epochs: 1, precision: 'f64' });
  const reached: number[] = [];
  try {
    for (const name of PROGRAMS) {
      const { program, labels } = builtin(name)!;
      for (let seed = 0; seed < SEEDS; seed++) {
        const { best } = await tune(program, labels, judge, { method, trials: TRIALS, seed, fitness: 'mean' });
        reached.push(best.fitness);
      }
    }
  } finally {
    judge.dispose();
  }
  return mean(reached);
}

async function measureTuning(): Promise<Measurement[]> {
  const [race, random] = [await bestFitness('race'), await bestFitness('random')];
  const row = (name: string, metric: string, value: number) => ({ name, metric, value, vsOriginal: null });
  return [
    row('tuning', 'of the errors of random search', (1 - race) / (1 - random)),
    row('tuning/race', 'fitness', race),
    row('tuning/random', 'fitness', random),
  ];
}

export const TUNING: readonly Workload[] = [
  {
    name: 'tuning',
    about: `what is left of the errors of random search by a race of the same cost, ${PROGRAMS.length} programs, ${SEEDS} seeds`,
    run: measureTuning,
  },
];
