// How long it takes to discover known algorithms, by the paper's method and by ours: the families of docs/discovery.md. A search that
// does not succeed within its limit is counted as such. Must not know commands or files.
import { explain } from '../analysis/explain/explain.js';
import { type Config, parseConfig } from '../experiment/config.js';
import { findPreset, type PresetName } from '../experiment/presets.js';
import { Run } from '../experiment/run.js';
import { printProgram } from '../program/print.js';
import { quantile } from '../util/stats.js';
import type { Measurement, Workload } from './workloads.js';

export const DISCOVERY_METHODS = ['evolution', 'evozero'] as const;
export type DiscoveryMethod = (typeof DISCOVERY_METHODS)[number];

interface Family {
  readonly name: string;
  readonly preset: PresetName;
  /** What our method searches with, if not that. */
  readonly own?: PresetName;
  /** Processor time after which a search is given up, in seconds. */
  readonly limit: number;
  /** `explain` must find backpropagation as well. */
  readonly needsBackprop?: true;
}

/** From the easiest to the hardest. */
export const DISCOVERY_FAMILIES: readonly Family[] = [
  { name: 'linear-learn', preset: 'linear-learn', limit: 120 },
  { name: 'linear', preset: 'linear', limit: 300 },
  { name: 'affine-learn', preset: 'affine-learn', limit: 600 },
  { name: 'affine', preset: 'affine', limit: 1200 },
  { name: 'network-learn', preset: 'network-learn', limit: 1800, needsBackprop: true },
  { name: 'network', preset: 'network', own: 'network-evozero', limit: 3600, needsBackprop: true },
];

/** What became of one search. */
export interface Discovery {
  readonly family: string;
  readonly method: DiscoveryMethod;
  readonly seed: number;
  readonly success: boolean;
  readonly algorithms: number;
  readonly evaluated: number;
  readonly trainSteps: number;
  readonly cpuSeconds: number;
  readonly selectFitness: number | null;
  readonly program: string | null;
}

/** What a network must reach on the tasks to select on: the known one, with tuned constants, has so much. */
const AS_GOOD_AS_KNOWN = 0.76;

/** How our method searches a family that has no preset for it: bests are tried at once, and experiments are longer. */
const OWN_SEARCH = { method: 'evozero', population: 2000, tournament: 3 } as const;
const OWN_EXPERIMENT = 300_000;

/** The configuration of a family's search: one island, and as little as possible besides the search. */
export function discoveryConfig(family: Family, method: DiscoveryMethod, seed: number): Config {
  const isOwn = method === 'evozero';
  const { search, tasks, experiment, ...rest } = findPreset(isOwn ? (family.own ?? family.preset) : family.preset);
  const isAdapted = isOwn && family.own === undefined;
  return parseConfig({
    ...rest,
    seed,
    islands: { ...rest.islands, count: 1 },
    search: { ...search, ...(isAdapted && OWN_SEARCH) },
    tasks: { ...tasks, final: { ...tasks.final, count: 1 } },
    experiment: { ...experiment, ...(isAdapted && { algorithms: OWN_EXPERIMENT }) },
    ...(isAdapted && { select: { at: 'new-best' } }),
    stop: { fitness: family.needsBackprop ? null : rest.stop.fitness, algorithms: 1e12 },
  });
}

/** Processor time of this process, in seconds; only Node can tell. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Algorithms between two looks at the clock. */
const SLICE = 2000;

export async function discover(family: Family, method: DiscoveryMethod, seed: number, limit = family.limit) {
  const config = discoveryConfig(family, method, seed);
  const startedAt = cpuSeconds();
  const run = await Run.start(config);
  const isFound = () => {
    const { selected } = run;
    if (selected === undefined || selected.selectFitness < (config.stop.fitness ?? AS_GOOD_AS_KNOWN)) return false;
    if (!family.needsBackprop) return true;
    return explain(selected.line.program, 'scalar').techniques.some(({ name }) => name === 'backprop');
  };
  try {
    while (!isFound() && !run.isDone && cpuSeconds() - startedAt < limit) await run.advance(SLICE);
    const { evaluated, trainSteps } = run.counts;
    const discovery: Discovery = {
      ...{ family: family.name, method, seed, success: isFound(), algorithms: run.algorithms, evaluated, trainSteps },
      cpuSeconds: cpuSeconds() - startedAt,
      selectFitness: run.selected?.selectFitness ?? null,
      program: run.selected === undefined ? null : printProgram(run.selected.line.program),
    };
    return discovery;
  } finally {
    run.dispose();
  }
}

/** Quartiles of what searches took; those that were given up count as longer than any. */
export function quartilesOf(discoveries: readonly Discovery[], of: (one: Discovery) => number): number[] {
  const values = discoveries.map((one) => (one.success ? of(one) : Number.POSITIVE_INFINITY));
  return [0.25, 0.5, 0.75].map((part) => quantile(values, part));
}

/** Seeds of a quick look, and how long each may take; `npm run discovery` is the long one. */
const QUICK_SEEDS = [0, 1, 2];
const QUICK_LIMIT = 60;

async function measureQuickly(): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const family of DISCOVERY_FAMILIES) {
    for (const method of DISCOVERY_METHODS) {
      const found: Discovery[] = [];
      for (const seed of QUICK_SEEDS) {
        found.push(await discover(family, method, seed, Math.min(QUICK_LIMIT, family.limit)));
      }
      const successes = found.filter(({ success }) => success).length;
      measured.push({
        name: `discovery/${family.name}-${method}`,
        metric: 'CPU s, median',
        value: quartilesOf(found, ({ cpuSeconds }) => cpuSeconds)[1]!,
        vsOriginal: null,
        note: `${successes} of ${found.length} within ${QUICK_LIMIT} s`,
      });
    }
  }
  return measured;
}

export const DISCOVERY: readonly Workload[] = [
  {
    name: 'discovery',
    about:
      "processor time until known algorithms are discovered, by the paper's method and ours, 3 seeds, a minute each",
    isLong: true,
    run: measureQuickly,
  },
];
