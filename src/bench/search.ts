// How fast whole searches are: algorithms per second beside the C++ original, the processor time until linear regression is
// discovered, and what fingerprints and hurdles save. The work is exactly that of the original's figures. Must not know commands.
import type { Task } from '../engine/engine.js';
import type { Config } from '../experiment/config.js';
import { Experiment } from '../experiment/experiment.js';
import { findPreset } from '../experiment/presets.js';
import type { Run } from '../experiment/run.js';
import { openTaskSet } from '../experiment/scoring.js';
import { openBuiltinTasks } from '../tasks/open-tasks.js';
import { mean, median } from '../util/stats.js';
import { bestYardstick, measureYardstick } from './clock.js';
import { isSufficient, searchUntil } from './discovery.js';
import { type Measurement, ORIGINAL, ratioToOriginal, type Workload } from './workloads.js';

async function searchTasks({ tasks }: Config, seed: number): Promise<Task[]> {
  const opened = await openTaskSet(openBuiltinTasks, tasks.search, seed);
  return Promise.all(Array.from({ length: opened.count }, (_, k) => opened.at(k)));
}

interface Searched {
  /** Nanoseconds of each part of the search. */
  readonly parts: readonly number[];
  readonly best: number;
  readonly canonicalHits: number;
  readonly fingerprintHits: number;
}

/** Searches for so many algorithms, in parts. Between them the yardstick is measured. */
function searchInParts(config: Config, tasks: readonly Task[], algorithms: number, parts: number): Searched {
  const experiment = new Experiment(config, tasks, { experiment: 1, island: 0 });
  const times: number[] = [];
  try {
    for (let part = 1; part <= parts; part++) {
      measureYardstick();
      const end = Math.round((algorithms * part) / parts);
      const startedAt = performance.now();
      while (experiment.algorithms < end) experiment.step();
      times.push((performance.now() - startedAt) * 1e6);
    }
    const { canonicalHits, fingerprintHits } = experiment.evaluator.counts;
    return { parts: times, best: experiment.best?.fitness ?? 0, canonicalHits, fingerprintHits };
  } finally {
    experiment.dispose();
  }
}

/** The time of a search whose every part was as fast as in the best of several runs of the same search. */
function bestTime(runs: readonly Searched[]): number {
  return runs[0]!.parts.reduce((total, _, k) => total + Math.min(...runs.map(({ parts }) => parts[k]!)), 0);
}

interface SpeedOptions {
  readonly preset: string;
  readonly algorithms: number;
  readonly runs: number;
  readonly seeds: readonly number[];
  /** What the original needs for one algorithm, in units of the yardstick. */
  readonly original: number;
}

async function measureSpeed(name: string, options: SpeedOptions): Promise<Measurement[]> {
  const { preset, algorithms, runs, seeds, original } = options;
  const config = findPreset(preset);
  const all: Searched[][] = [];
  for (const seed of seeds) {
    const tasks = await searchTasks(config, seed);
    all.push(Array.from({ length: runs }, () => searchInParts({ ...config, seed }, tasks, algorithms, 40)));
  }
  const ns = mean(all.map((searched) => bestTime(searched))) / algorithms;
  const part = (count: (searched: Searched) => number) => mean(all.map(([first]) => count(first!))) / algorithms;
  return [
    {
      name,
      metric: 'algorithms/s',
      value: 1e9 / ns,
      vsOriginal: ratioToOriginal(original, { ns, yardstick: bestYardstick() }),
    },
    share(
      `${name}/canonical-hits`,
      part(({ canonicalHits }) => canonicalHits),
    ),
    share(
      `${name}/fingerprint-hits`,
      part(({ fingerprintHits }) => fingerprintHits),
    ),
  ];
}

function share(name: string, value: number): Measurement {
  return { name, metric: 'of all algorithms', value, vsOriginal: null };
}

// --- Discovery ---------------------------------------------------------------------------------------------------------

async function discoverLinear(seed: number): Promise<{ seconds: number; algorithms: number }> {
  const config = { ...findPreset('linear'), seed };
  const isFound = ({ selected }: Run) => isSufficient(selected, config.stop.fitness!);
  const { run, seconds } = await searchUntil(config, isFound);
  const { algorithms } = run;
  run.dispose();
  if (!isFound(run)) throw new Error(`seed ${seed} discovered nothing`);
  return { seconds, algorithms };
}

async function measureDiscovery(): Promise<Measurement[]> {
  const found = [];
  for (let seed = 0; seed < 10; seed++) {
    measureYardstick();
    found.push(await discoverLinear(seed));
  }
  const seconds = median(found.map((each) => each.seconds));
  const vsOriginal = ratioToOriginal(ORIGINAL.discoveryLinear, { ns: seconds * 1e9, yardstick: bestYardstick() });
  const name = 'discovery-linear';
  return [
    { name, metric: 'CPU s, median', value: seconds, vsOriginal },
    {
      name: `${name}/algorithms`,
      metric: 'median',
      value: median(found.map(({ algorithms }) => algorithms)),
      vsOriginal: null,
    },
    {
      name: `${name}/slowest`,
      metric: 'CPU s',
      value: Math.max(...found.map((each) => each.seconds)),
      vsOriginal: null,
    },
  ];
}

// --- What saves time ---------------------------------------------------------------------------------------------------

interface Comparison {
  readonly config: Config;
  readonly without: Config;
  readonly algorithms: number;
  readonly seeds: number;
}

/** The same searches with something and without it. */
async function compare(name: string, { config, without, algorithms, seeds }: Comparison): Promise<Measurement[]> {
  const [fast, slow]: [Searched[], Searched[]] = [[], []];
  for (let seed = 0; seed < seeds; seed++) {
    const tasks = await searchTasks(config, seed);
    fast.push(searchInParts({ ...config, seed }, tasks, algorithms, 1));
    slow.push(searchInParts({ ...without, seed }, tasks, algorithms, 1));
  }
  const total = (searched: readonly Searched[]) => mean(searched.map(({ parts }) => parts[0]!));
  const best = (searched: readonly Searched[]) => mean(searched.map((each) => each.best));
  const fitness = { metric: 'best fitness', vsOriginal: null };
  return [
    { name, metric: 'times as fast', value: total(slow) / total(fast), vsOriginal: null },
    { name: `${name}/with`, value: best(fast), ...fitness },
    { name: `${name}/without`, value: best(slow), ...fitness },
  ];
}

function measureFingerprints(): Promise<Measurement[]> {
  const config = findPreset('full-space');
  const without = { ...config, evaluation: { ...config.evaluation, fingerprint: null } };
  return compare('fingerprint-speedup', { config, without, algorithms: 20_000, seeds: 3 });
}

function measureHurdles(): Promise<Measurement[]> {
  const config = findPreset('digits');
  const without = { ...config, evaluation: { ...config.evaluation, hurdles: null } };
  return compare('hurdle-speedup', { config, without, algorithms: 150_000, seeds: 5 });
}

export const SEARCHES: readonly Workload[] = [
  {
    name: 'demo-search',
    about: 'the demo of the original: 1,000,000 algorithms on 10 linear tasks, the best of 6 runs in each fortieth',
    run: () =>
      measureSpeed('demo-search', {
        preset: 'linear',
        algorithms: 1_000_000,
        runs: 6,
        seeds: [1],
        original: ORIGINAL.demoSearch,
      }),
  },
  {
    name: 'full-space-search',
    about: 'nearly all ops from empty programs on 10 teacher tasks, 16 features: 120,000 algorithms, 3 seeds',
    run: () =>
      measureSpeed('full-space-search', {
        preset: 'full-space',
        algorithms: 120_000,
        runs: 1,
        seeds: [1, 2, 3],
        original: ORIGINAL.fullSpaceSearch,
      }),
  },
  {
    name: 'discovery-linear',
    about: 'processor time until linear regression is discovered, 10 seeds',
    run: measureDiscovery,
  },
  {
    name: 'fingerprint-speedup',
    about: 'full-space-search with known programs recognised, and with every program evaluated, 3 seeds',
    run: measureFingerprints,
  },
  {
    name: 'hurdle-speedup',
    about: 'the preset digits with hurdles and without, and the best fitness of both, 5 seeds',
    run: measureHurdles,
  },
];
