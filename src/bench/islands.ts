// What islands are worth on one machine: threads, what migration costs, and how much sooner several find something. Must not know
// commands.

import { HallOfFame } from '../evolve/hall-of-fame.js';
import { Archipelago } from '../experiment/archipelago.js';
import { type Config, parseConfig } from '../experiment/config.js';
import type { Field } from '../experiment/field.js';
import { HALL_SIZE } from '../experiment/hall-size.js';
import { defaultPeriods, Island } from '../experiment/island.js';
import { findPreset } from '../experiment/presets.js';
import { Run } from '../experiment/run.js';
import { openSearchTasks } from '../experiment/search-tasks.js';
import { ThreadHost } from '../islands/thread-host.js';
import { openBuiltinTasks } from '../tasks/open-tasks.js';
import { mean } from '../util/stats.js';
import { measureYardstick } from './clock.js';
import type { Measurement, Workload } from './workloads.js';

const UNLIMITED = { algorithms: Number.POSITIVE_INFINITY, trainSteps: Number.POSITIVE_INFINITY };

function withIslands(config: Config, islands: object, more: object = {}): Config {
  return parseConfig({ ...config, ...more, islands: { ...config.islands, ...islands } });
}

// --- Threads -----------------------------------------------------------------------------------------------------------

const ALGORITHMS = 1_500_000;

/** Algorithms a second of two islands, on so many threads: the same work on any number. */
async function threadSpeed(threads: number): Promise<number> {
  const config = withIslands(findPreset('linear'), { count: 2 }, { experiment: { algorithms: ALGORITHMS } });
  const hosts = Array.from({ length: threads }, () => new ThreadHost());
  const field: Field = new Archipelago(config, openBuiltinTasks, hosts);
  try {
    await field.begin(1, UNLIMITED);
    const hall = new HallOfFame(HALL_SIZE);
    const startedAt = performance.now();
    for (;;) {
      const { ended } = await field.advance({ algorithms: Infinity, work: Infinity }, hall);
      if (ended !== undefined) break;
    }
    return (1000 * field.algorithms) / (performance.now() - startedAt);
  } finally {
    field.dispose();
  }
}

const ROUNDS = 4;

async function measureThreads(): Promise<Measurement[]> {
  const best = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    for (const k of best.keys()) best[k] = Math.max(best[k]!, await threadSpeed(k + 1));
  }
  const rate = (name: string, value: number) => ({ name, metric: 'algorithms/s', value, vsOriginal: null });
  return [
    { name: 'threads-speedup', metric: 'times one thread', value: best[1]! / best[0]!, vsOriginal: null },
    rate('threads-speedup/one', best[0]!),
    rate('threads-speedup/two', best[1]!),
  ];
}

// --- Migration ---------------------------------------------------------------------------------------------------------

async function islandOf(every: number | null): Promise<Island> {
  const migration = every === null ? null : { every: [every, every] };
  const config = withIslands(findPreset('linear'), { count: 2, migration }, { experiment: {} });
  const tasks = await openSearchTasks(config, openBuiltinTasks, 1, 0);
  return new Island({ config, tasks, numbers: { experiment: 1, island: 0 }, group: 0, allowance: UNLIMITED });
}

/** Milliseconds of so many algorithms, the best of several pieces. */
function pieceTime(island: Island, algorithms: number, pieces: number): number {
  const hall = new HallOfFame(HALL_SIZE);
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < pieces; k++) {
    measureYardstick();
    const startedAt = performance.now();
    island.advance({ algorithms, work: Infinity }, hall, false);
    best = Math.min(best, performance.now() - startedAt);
    if (island.upload !== undefined) island.receive([island.upload, island.upload]);
  }
  return best;
}

/** What a migration takes, and how much of the time that is, on the average over the range of periods. */
async function measureMigration(): Promise<Measurement[]> {
  const [quiet, busy] = [await islandOf(null), await islandOf(EVERY)];
  try {
    pieceTime(quiet, 20_000, 10);
    const alone = pieceTime(quiet, 20_000, 20) / 20_000;
    pieceTime(busy, 20 * EVERY, 10);
    const migration = pieceTime(busy, 20 * EVERY, 20) / 20 - alone * EVERY;
    const { population } = findPreset('linear').search;
    const [least, most] = defaultPeriods(population);
    const perAlgorithm = (1 / least - 1 / most) / Math.log(most / least);
    const share = (migration * perAlgorithm) / (alone + migration * perAlgorithm);
    return [
      { name: 'migration', metric: 'of the time', value: share, vsOriginal: null },
      { name: 'migration/each', metric: 'ms', value: migration, vsOriginal: null },
    ];
  } finally {
    quiet.dispose();
    busy.dispose();
  }
}

/** Algorithms between two migrations where they are measured. */
const EVERY = 100;

// --- Discovery ---------------------------------------------------------------------------------------------------------

async function discover(count: number, seed: number): Promise<number> {
  const config = withIslands({ ...findPreset('linear'), seed }, { count });
  const hosts = Array.from({ length: count }, () => new ThreadHost());
  const startedAt = performance.now();
  const field = new Archipelago(config, openBuiltinTasks, hosts);
  const run = await Run.start(config, openBuiltinTasks, undefined, field);
  try {
    while (run.selected === undefined || run.selected.selectFitness < config.stop.fitness!) await run.advance(1);
    return (performance.now() - startedAt) / 1000;
  } finally {
    run.dispose();
  }
}

const SEEDS = 24;

async function measureDiscovery(): Promise<Measurement[]> {
  const times: [number[], number[]] = [[], []];
  for (let seed = 0; seed < SEEDS; seed++) {
    for (const [k, list] of times.entries()) list.push(await discover(k + 1, seed));
  }
  // Not the medians: what islands save is above all the long waits.
  const [one, two] = times.map((list) => mean(list)) as [number, number];
  const figure = (name: string, value: number) => ({ name, metric: 's, mean', value, vsOriginal: null });
  return [
    { name: 'discovery-islands', metric: 'times as soon', value: one / two, vsOriginal: null },
    figure('discovery-islands/one', one),
    figure('discovery-islands/two', two),
  ];
}

export const ISLANDS: readonly Workload[] = [
  {
    name: 'threads-speedup',
    about: `the same two islands of demo-search on two threads against one, ${ALGORITHMS.toLocaleString('en-US')} algorithms each, the best of ${ROUNDS} runs`,
    run: measureThreads,
  },
  {
    name: 'migration',
    about: 'what it takes that half of a population of 1,000 goes and comes',
    run: measureMigration,
  },
  {
    name: 'discovery-islands',
    about: `seconds until linear regression is discovered, by one island and by two, ${SEEDS} seeds`,
    run: measureDiscovery,
  },
];
