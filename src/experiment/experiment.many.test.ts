import { expect, it } from 'vitest';
import { countRuns } from '../../tests/support/amount.js';
import { openBuiltinTasks } from '../tasks/open-tasks.js';
import { type Config, parseConfig } from './config.js';
import { Experiment } from './experiment.js';
import { presets } from './presets.js';
import { openTaskSet } from './scoring.js';

async function start(config: Config): Promise<Experiment> {
  const opened = await openTaskSet(openBuiltinTasks, config.tasks.search, config.seed);
  const tasks = await Promise.all(Array.from({ length: opened.count }, (_, k) => opened.at(k)));
  return new Experiment(config, tasks, { experiment: 1, island: 0 });
}

/** Hurdles that look at hardly anything, so that they are often wrong. */
function noisy(seed: number): Config {
  const { tasks, search, evaluation, ...rest } = presets['linear-paper'];
  return parseConfig({
    ...rest,
    seed,
    search: { ...search, population: 100 },
    tasks: { ...tasks, search: { ...tasks.search, count: 1, train: 50, valid: 20 } },
    evaluation: { ...evaluation, hurdles: { stages: [{ train: 1, valid: 1 }], audit: 2 } },
  });
}

it('the best program is one that was evaluated in full, and better than the one before', async () => {
  let cut = 0;
  let rescued = 0;
  for (let seed = 0; seed < countRuns(6, 3); seed++) {
    const experiment = await start(noisy(seed));
    let best = -1;
    while (experiment.algorithms < 15_000) {
      const evaluation = experiment.step();
      if (experiment.algorithms <= 100) expect(experiment.evaluator.counts.cut).toBe(0);
      if (!experiment.isNewBest) continue;
      expect(evaluation!.isCut).toBe(false);
      expect(evaluation!.fitness).toBeGreaterThan(best);
      expect(experiment.best).toMatchObject({ id: experiment.algorithms - 1, fitness: evaluation!.fitness });
      expect(experiment.best!.program).toEqual(experiment.lastProgram());
      best = evaluation!.fitness;
    }
    cut += experiment.evaluator.counts.cut;
    rescued += experiment.rescued;
    experiment.dispose();
  }
  expect(cut).toBeGreaterThan(1000);
  expect(rescued).toBeGreaterThan(0);
});
