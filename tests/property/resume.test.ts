// A run that is saved and put together again, anywhere and often, tells and finds what one that never stopped does.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Config, parseConfig } from '../../src/experiment/config.js';
import type { RunEvent } from '../../src/experiment/events.js';
import { type PresetName, presets } from '../../src/experiment/presets.js';
import { Run } from '../../src/experiment/run.js';
import { countRuns } from '../support/amount.js';
import '../support/arbitraries.js';

/** A preset made small: two experiments of some hundred algorithms. */
function small(name: PresetName, seed: number, changes: Record<string, unknown> = {}): Config {
  const { tasks, search, evaluation, ...rest } = presets[name];
  const few = { count: 3, train: 20, valid: 10 };
  return parseConfig({
    ...rest,
    seed,
    search: { ...search, population: Math.min(search.population, 40), ...(changes.search as object) },
    tasks: {
      search: { ...tasks.search, ...few },
      select: { ...tasks.select, ...few, count: 12 },
      final: { ...tasks.final, count: 3 },
    },
    evaluation: { ...evaluation, hurdles: null, ...(changes.evaluation as object) },
    select: { at: changes.at ?? 'end' },
    experiment: { algorithms: 700 },
    stop: { experiments: 2 },
  });
}

const CONFIGS: readonly ((seed: number) => Config)[] = [
  (seed) => small('linear', seed, { at: 'new-best' }),
  (seed) => small('linear-learn', seed),
  (seed) => small('full-space', seed),
  (seed) => small('linear', seed, { search: { method: 'random' } }),
  (seed) => small('digits', seed, { evaluation: { hurdles: { stages: [{ train: 8, valid: 5 }], audit: 3 } } }),
];

/** Runs in pieces of these sizes, in turn; between two of them it is saved and put together again, if so. */
async function runInPieces(config: Config, pieces: readonly number[], isSaved: boolean): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  let run = await Run.start(config);
  for (let k = 0; !run.isDone; k++) {
    events.push(...(await run.advance(pieces[k % pieces.length]!)));
    if (!isSaved || run.isDone) continue;
    // As through a file.
    const { state, arrays } = await run.snapshot();
    const copy = { state: JSON.parse(JSON.stringify(state)), arrays: structuredClone(arrays) };
    run.dispose();
    run = await Run.start(config, undefined, copy);
  }
  run.dispose();
  return events;
}

it('tells the same events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...CONFIGS),
      fc.nat(1000),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 }),
      async (configure, seed, pieces) => {
        const config = configure(seed);
        const expected = await runInPieces(config, [250], false);
        expect(
          await runInPieces(
            config,
            pieces.map((piece) => piece + 40),
            true,
          ),
        ).toEqual(expected);
        expect(expected.filter(({ type }) => type === 'experiment')).toHaveLength(2);
        expect(expected.at(-1)!.type).toBe('end');
      },
    ),
    { numRuns: countRuns(25) },
  );
});
