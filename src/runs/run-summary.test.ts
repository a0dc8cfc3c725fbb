import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { createRun } from './run-directory.js';
import { summarizeRun } from './run-summary.js';

it('a run that goes on has tried as many programs as its islands together, not as the one that said something last', () => {
  const directory = join(emptyFolder(), 'x');
  const run = createRun(directory, { name: 'linear', seed: 3 }, '1.2.3');
  const place = { experiment: 1, algorithms: 9000 };
  run.appendEvent({ type: 'best', ...place, island: 2, id: 1, fitness: 0.5 });
  run.appendEvent({ type: 'select', ...place, id: 1, searchFitness: 0.5, selectFitness: 0.25, isBest: true });
  for (const island of [1, 2]) run.appendEvent({ type: 'migration', experiment: 1, island, algorithms: 4500 });
  run.appendProgress({ seconds: 12, algorithms: 9000 });
  run.close();
  expect(summarizeRun(directory)).toMatchObject({
    ...{ preset: 'linear', seed: 3, success: null, algorithms: 9000, seconds: 12 },
    ...{ searchFitness: 0.5, selectFitness: 0.25, finalFitness: null },
  });
});
