import { describe, it } from 'vitest';
import { countCells, evenly, expectDistribution } from '../../tests/support/chi-square.js';
import { builtin } from '../program/builtin.js';
import { CodeFlow } from '../program/flat/code-flow.js';
import { FastRandom } from '../util/fast-random.js';
import { CodeBuilder } from './code-builder.js';
import { SearchSpace } from './search-space.js';

const ANY = { ops: [1, 2, 3], min: 0, max: 9 };
const VECTOR = 1;

function makeBuilder(seed: number) {
  const space = new SearchSpace({
    memory: { scalars: 4, vectors: 8, matrices: 2 },
    features: 4,
    labels: 'scalar',
    functions: { setup: ANY, predict: ANY, learn: ANY },
    base: { setup: [], predict: [], learn: [] },
  });
  const store = space.makeStore(1);
  store.write(0, builtin('paper/linear')!.program);
  const flow = new CodeFlow(store, 'scalar');
  flow.run(0);
  return new CodeBuilder(space, store, flow, new FastRandom(seed));
}

describe('what a new instruction reads', () => {
  it('is what holds something, and one time of ten any address', () => {
    const builder = makeBuilder(1);
    const counts = countCells(8, 40_000, () => builder.drawHolding([[], [2, 2, 5], []], VECTOR));
    const share = (address: number) => [2, 2, 5].filter((one) => one === address).length / 3;
    expectDistribution(
      counts,
      [0, 1, 2, 3, 4, 5, 6, 7].map((address) => 0.1 / 8 + 0.9 * share(address)),
    );
  });

  it('is any address where nothing holds anything', () => {
    const builder = makeBuilder(2);
    expectDistribution(
      countCells(8, 20_000, () => builder.drawHolding([[], [], []], VECTOR)),
      evenly(8),
    );
  });
});
