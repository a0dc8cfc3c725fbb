import { expect, it } from 'vitest';
import type { Discovery, DiscoveryMethod } from './discovery.js';
import { renderDiscoveries, renderImageSearches } from './discovery-table.js';

function discovery(family: string, method: DiscoveryMethod, cpuSeconds: number, success = true): Discovery {
  const counts = { algorithms: 1000 * cpuSeconds, evaluated: 10 * cpuSeconds, trainSteps: 1e6 * cpuSeconds };
  return { family, method, seed: 0, success, cpuSeconds, ...counts, selectFitness: 1, program: '' };
}

const rowsOf = (all: readonly Discovery[]) => renderDiscoveries(all).trimEnd().split('\n').slice(2);

it('has the median and the quartiles, and how many times as fast ours is', () => {
  const [paper, own, ...others] = rowsOf([
    ...[3, 1, 2, 5, 4].map((seconds) => discovery('linear', 'evolution', seconds)),
    ...[0.5, 0.5, 0.5].map((seconds) => discovery('linear', 'evozero', seconds)),
  ]);
  expect(paper).toBe(
    '| linear | evolution | 5 of 5 | 3 (2 to 4) | 3,000 (2,000 to 4,000) | 30 (20 to 40) | 3,000,000 (2,000,000 to 4,000,000) |  |',
  );
  expect(own).toBe('| linear | evozero | 3 of 3 | 0.5 | 500 | 5 | 500,000 | 6 |');
  expect(others).toEqual([]);
});

it('says that searches that were given up take longer', () => {
  const [paper, own] = rowsOf([
    ...[10, 60, 61].map((seconds) => discovery('affine', 'evolution', seconds, seconds < 60)),
    ...[10, 20, 60].map((seconds) => discovery('affine', 'evozero', seconds, seconds < 60)),
  ]);
  expect(paper).toContain('| 1 of 3 | > 61 |');
  expect(own).toContain('| 2 of 3 | 20 (15 to > 60)');
  expect(own).toMatch(/\| > 3\.05 \|$/);
  const lost = [discovery('affine', 'evolution', 5), discovery('affine', 'evozero', 9, false)];
  expect(rowsOf(lost)[1]).toMatch(/\| > 9 .* \| – \|$/);
});

it('goes from the easiest to the hardest family, and the methods in their order', () => {
  const all = [
    discovery('network', 'evozero', 1),
    discovery('linear', 'evozero-without-species', 1),
    discovery('linear', 'evozero', 1),
    discovery('linear-learn', 'evolution', 1),
  ];
  expect(rowsOf(all).map((line) => line.split(' | ').slice(0, 2).join(' '))).toEqual([
    '| linear-learn evolution',
    '| linear evozero',
    '| linear evozero-without-species',
    '| network evozero',
  ]);
});

it('says so if there is nothing yet', () => {
  expect(renderDiscoveries([])).toBe('Nothing has been measured yet.\n');
});

it('has what is reached on images, and how probable that would be by chance', () => {
  const run = (method: DiscoveryMethod, selectFitness: number | null) => ({
    ...discovery('main', method, 60, false),
    selectFitness,
  });
  const all = [
    ...[0.5, null, 0.52].map((fitness) => run('evolution', fitness)),
    ...[0.7, 0.6, 0.65].map((fitness) => run('evozero', fitness)),
    discovery('linear', 'evozero', 1),
  ];
  expect(renderImageSearches(all).split('\n').slice(2)).toEqual([
    '| evolution | 3 | 60 | 60,000 | 0.507 ± 0.007 | 0.500 | 0.520 |  |',
    '| evozero | 3 | 60 | 60,000 | 0.650 ± 0.029 | 0.600 | 0.700 | 0.050 |',
    '',
  ]);
  expect(renderDiscoveries(all)).not.toContain('main');
  expect(renderImageSearches([])).toBe('Nothing has been measured yet.\n');
});
