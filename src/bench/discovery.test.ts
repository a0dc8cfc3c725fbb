import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../experiment/events.js';
import {
  COMPARED_METHODS,
  DISCOVERY_FAMILIES,
  DISCOVERY_METHODS,
  type Discovery,
  type DiscoveryMethod,
  discover,
  discoveryConfig,
  findSuccess,
  knownNetworkFitness,
  quartilesOf,
} from './discovery.js';

describe.each(DISCOVERY_FAMILIES.map((family) => [family.name, family] as const))('%s', (_, family) => {
  it('is searched by each method, on one island of each group, with the tasks to select on of the paper', () => {
    const [paper, own] = COMPARED_METHODS.map((method) => discoveryConfig(family, method, 7));
    expect([paper!.search.method, own!.search.method]).toEqual(['evolution', 'evozero']);
    for (const config of [paper!, own!]) {
      const count = config === own && family.own === 'network-evozero' ? 3 : 1;
      expect(config).toMatchObject({ seed: 7, islands: { count }, stop: { minutes: null, experiments: null } });
    }
    // What counts as a success is the same for both, and so is what may be found.
    expect(own!.tasks.select).toEqual(paper!.tasks.select);
    expect(own!.stop).toEqual(paper!.stop);
    expect(own!.space).toEqual(paper!.space);
  });
});

it('each part of our method can be left out', () => {
  const parts = DISCOVERY_METHODS.map((method) => discoveryConfig(DISCOVERY_FAMILIES[1]!, method, 0).search.without);
  expect(parts).toEqual([[], [], ['learnability'], ['connection'], ['species'], ['feedback']]);
});

it('what a preset leaves out stays left out', () => {
  const network = DISCOVERY_FAMILIES.find(({ name }) => name === 'network')!;
  const partsOf = (method: DiscoveryMethod) => discoveryConfig(network, method, 0).search.without;
  expect(partsOf('evozero')).toEqual(['feedback']);
  expect(partsOf('evozero-without-species')).toEqual(['species', 'feedback']);
});

it('a search that takes too long is given up', async () => {
  const { success, algorithms, cpuSeconds, ...rest } = await discover(DISCOVERY_FAMILIES[0]!, 'evozero', 3, 0);
  expect({ success, algorithms }).toEqual({ success: false, algorithms: 0 });
  expect(cpuSeconds).toBeGreaterThan(0);
  expect(rest).toMatchObject({ family: 'linear-learn', method: 'evozero', seed: 3, program: null });
});

it('a network must be as good as the known one, with constants that suit the tasks', async () => {
  const network = DISCOVERY_FAMILIES.find(({ name }) => name === 'network')!;
  const config = discoveryConfig(network, 'evozero', 0);
  const small = { ...config, tasks: { ...config.tasks, select: { ...config.tasks.select, count: 3, train: 2000 } } };
  const fitness = await knownNetworkFitness(small);
  expect(fitness).toBeGreaterThan(0.4);
  expect(fitness).toBeLessThan(1);
});

it('searches that were given up count as longer than any', () => {
  const of = (cpuSeconds: number, success = true) => ({ cpuSeconds, success }) as Discovery;
  const seconds = (list: readonly Discovery[]) => quartilesOf(list, (one) => one.cpuSeconds);
  expect(seconds([of(4), of(1), of(2), of(3), of(5)])).toEqual([2, 3, 4]);
  expect(seconds([of(4), of(1), of(2, false), of(3, false), of(5)])).toEqual([4, 5, Number.POSITIVE_INFINITY]);
});

describe('a success', () => {
  const place = { experiment: 1, algorithms: 9 };
  const best = (id: number, program: string): RunEvent => {
    const rest = { fitness: 0.5, origin: 'connect', parent: null, ancestor: null, hash: '' } as const;
    return { type: 'best', ...place, ...rest, id, program };
  };
  const select = (id: number, selectFitness: number, isBest = true): RunEvent => {
    return { type: 'select', ...place, id, searchFitness: 0.5, selectFitness, isBest };
  };

  it('is the first program that is good enough and what is looked for, even if another is better', () => {
    const events = [best(1, 'a'), select(1, 0.9), best(2, 'b'), select(2, 0.8, false), best(3, 'b'), select(3, 0.85)];
    expect(findSuccess(events, 0.7, (text) => text === 'b')).toEqual({ selectFitness: 0.8, program: 'b' });
    expect(findSuccess(events, 0.82, (text) => text === 'b')).toEqual({ selectFitness: 0.85, program: 'b' });
    expect(findSuccess(events, 0.95, () => true)).toBe(undefined);
    expect(findSuccess(events, 0.7, () => false)).toBe(undefined);
  });

  it('needs no text where any program will do', () => {
    expect(findSuccess([select(7, 0.9)], 0.7, () => true)).toEqual({ selectFitness: 0.9, program: null });
  });
});
