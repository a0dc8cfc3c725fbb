import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { RunIndex } from './run-index.js';

/** Where a chart has the bests of an experiment, by a log that says when they were told of. */
async function placesOf(...events: readonly object[]): Promise<number[]> {
  const directory = emptyFolder();
  writeFileSync(join(directory, 'events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const index = new RunIndex(directory);
  await index.catchUp(10_000);
  return index.told.bests.get(1)!.map(({ place }) => place);
}

const best = (algorithms: number, id: number, fitness: number) => ({
  ...{ type: 'best', experiment: 1, algorithms, id, fitness, origin: 'initial', program: '' },
});
const progress = (algorithms: number) => ({ type: 'progress', experiment: 1, algorithms, best: 0.1, hurdles: [] });
const begun = { type: 'experiment', experiment: 1, algorithms: 0 };

it('a best program is where its number says, within the time in which it was found', async () => {
  // Of one island; of one that is ahead of the others; of one that is far behind them.
  expect(await placesOf(begun, best(51, 50, 0.1), best(201, 200, 0.2))).toEqual([51, 201]);
  expect(await placesOf(begun, best(1000, 1500, 0.1), progress(1000))).toEqual([1000]);
  expect(await placesOf(begun, progress(9000), best(10_000, 3000, 0.1), progress(10_000))).toEqual([9000]);
});
