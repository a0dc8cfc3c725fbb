// How long it takes to discover known algorithms, by the paper's method and by ours: the families of docs/discovery.md. A search that
// does not succeed within its limit is counted as such. Must not know commands or files.
import { explain } from '../analysis/explain/explain.js';
import { combine } from '../evaluate/summary.js';
import { METHOD_PARTS } from '../evolve/species-evolution.js';
import { type Config, parseConfig } from '../experiment/config.js';
import type { RunEvent } from '../experiment/events.js';
import { groupConfigs } from '../experiment/groups.js';
import { findPreset, type PresetName } from '../experiment/presets.js';
import { Run, type Selected } from '../experiment/run.js';
import { openTaskSet, Scoring } from '../experiment/scoring.js';
import { DRAW } from '../experiment/search-tasks.js';
import { opByName } from '../ops/ops.js';
import { builtin } from '../program/builtin.js';
import { parseSource } from '../program/parse.js';
import { printProgram } from '../program/print.js';
import { type OpenTasks, openBuiltinTasks } from '../tasks/open-tasks.js';
import { deriveSeed } from '../util/random.js';
import { quantile } from '../util/stats.js';
import { cpuSeconds } from './clock.js';
import type { Measurement, Workload } from './workloads.js';

/** The paper's method, ours, and ours without each of its parts. */
export const DISCOVERY_METHODS = [
  'evolution',
  'evozero',
  ...METHOD_PARTS.map((part) => `evozero-without-${part}` as const),
] as const;
export type DiscoveryMethod = (typeof DISCOVERY_METHODS)[number];

/** What each comparison has; the others are for the ablation. */
export const COMPARED_METHODS: readonly DiscoveryMethod[] = ['evolution', 'evozero'];

export interface Family {
  readonly name: string;
  readonly preset: PresetName;
  /** What our method searches with, in the same space, if not that. */
  readonly own?: PresetName;
  /** Processor time after which a search is given up, in seconds. */
  readonly limit: number;
  /** As good as the known network on the tasks to select on, and `explain` finds backpropagation. */
  readonly needsBackprop?: true;
  /** What is searched is one group of islands of the preset, and what is the best there in equal time. */
  readonly isImages?: true;
}

/** From the easiest to the hardest. */
export const DISCOVERY_FAMILIES: readonly Family[] = [
  { name: 'linear-learn', preset: 'linear-learn', limit: 120 },
  { name: 'linear', preset: 'linear', own: 'linear-evozero', limit: 300 },
  { name: 'affine-learn', preset: 'affine-learn', limit: 600 },
  { name: 'affine', preset: 'affine', limit: 1200 },
  { name: 'network-learn', preset: 'network-learn', own: 'network-evozero', limit: 1800, needsBackprop: true },
  { name: 'network', preset: 'network', own: 'network-evozero', limit: 3600, needsBackprop: true },
];

/** From empty programs on real images: what both methods reach within the limit. */
export const IMAGE_FAMILY: Family = {
  name: 'main',
  preset: 'main',
  own: 'main-evozero',
  limit: 120,
  isImages: true,
};

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

/** How our method searches a family that has no preset for it: as it searches linear tasks. */
function withOwnSettings({ search, ...rest }: Config): Config {
  const { search: own, experiment, select } = findPreset('linear-evozero');
  const { method, population, tournament } = own;
  return { ...rest, search: { ...search, method, population, tournament }, experiment, select };
}

/** One island of one group of `main`, which learns quickly; with as many tasks to select on as tell good from bad. */
function imageConfig({ tasks, ...rest }: Config, seed: number): Config {
  const search = { ...tasks.search, set: 'cifar10-binary-search', train: 800, valid: 500 };
  return parseConfig({
    ...rest,
    ...{ seed, precision: 'f32', islands: { count: 1 }, select: { at: 'new-best' }, stop: { algorithms: 1e12 } },
    tasks: { search, select: { ...tasks.select, count: 30 }, final: { ...tasks.final, count: 1 } },
  });
}

/** The configuration of a family's search: an island of each group, and as little as possible besides the search. */
export function discoveryConfig(family: Family, method: DiscoveryMethod, seed: number): Config {
  const preset = searchedBy(method, family);
  const without = METHOD_PARTS.filter(
    (part) => method === `evozero-without-${part}` || preset.search.without.includes(part),
  );
  if (family.isImages) return imageConfig({ ...preset, search: { ...preset.search, without } }, seed);
  const { search, tasks, ...rest } = preset;
  return parseConfig({
    ...rest,
    seed,
    islands: { ...rest.islands, count: groupConfigs(parseConfig(preset)).length },
    search: { ...search, without },
    tasks: { ...tasks, final: { ...tasks.final, count: 1 } },
    stop: { fitness: family.needsBackprop ? null : rest.stop.fitness, algorithms: 1e12 },
  });
}

/** What a method searches a family with: our own with settings of its own, in the same space. */
function searchedBy(method: DiscoveryMethod, { preset, own }: Family): Config {
  const config = findPreset(preset);
  if (method === 'evolution') return config;
  return own === undefined ? withOwnSettings(config) : { ...findPreset(own), space: config.space };
}

/** Algorithms between two looks at the clock; of those that take long, fewer. */
const SLICE = 20_000;
const IMAGE_SLICE = 1000;

/** Whether what is looked for is there, by the run and by what has just happened. */
type IsFound = (run: Run, events: readonly RunEvent[]) => boolean;

/** Searches until something is found, or for so many seconds of processor time. The run is to be disposed of. */
export async function searchUntil(
  config: Config,
  isFound: IsFound,
  limit = Number.POSITIVE_INFINITY,
  { openTasks = openBuiltinTasks, slice = SLICE }: { openTasks?: OpenTasks; slice?: number } = {},
) {
  const startedAt = cpuSeconds();
  const run = await Run.start(config, openTasks);
  const seconds = () => cpuSeconds() - startedAt;
  let events: readonly RunEvent[] = [];
  while (!isFound(run, events) && !run.isDone && seconds() < limit) events = await run.advance(slice);
  return { run, seconds: seconds() };
}

export function isSufficient(selected: Selected | undefined, fitness: number): boolean {
  return selected !== undefined && selected.selectFitness >= fitness;
}

// Constants that the known network is tried with.
const RATES = [0.003, 0.005, 0.006, 0.008, 0.01];
const WEIGHTS = [0.1, 0.3, 0.6];

/** What the known network reaches on the tasks to select on, with the best of some constants. */
export async function knownNetworkFitness({ tasks, evaluation, precision, seed }: Config): Promise<number> {
  const known = builtin('paper/neural-net-no-bias')!.program;
  const { id: constant } = opByName('scalar-constant');
  const opened = await openTaskSet(openBuiltinTasks, tasks.select, deriveSeed(seed, DRAW.selectTasks));
  const scoring = new Scoring(opened, tasks.select, precision);
  try {
    await scoring.prepare();
    const fitnesses = RATES.flatMap((rate) =>
      WEIGHTS.map((deviation) => {
        const setup = known.setup.map((one) =>
          one.op === constant ? { ...one, const1: rate } : { ...one, const2: deviation },
        );
        return combine(evaluation.fitness, scoring.scoreAtOnce({ ...known, setup }));
      }),
    );
    return Math.max(...fitnesses);
  } finally {
    scoring.dispose();
  }
}

function hasBackprop(text: string | null): boolean {
  if (text === null) return false;
  return explain(parseSource(text).program, 'scalar').techniques.some(({ name }) => name === 'backprop');
}

/** The first program that reaches a fitness on the tasks to select on and is what is looked for; it need not be the best there. */
export function findSuccess(events: readonly RunEvent[], fitness: number, isIt: (text: string | null) => boolean) {
  const programs = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'best') programs.set(event.id, event.program);
    if (event.type !== 'select' || event.selectFitness < fitness) continue;
    const program = programs.get(event.id) ?? null;
    if (isIt(program)) return { selectFitness: event.selectFitness, program };
  }
  return undefined;
}

/** What must be reached on the tasks to select on. */
async function sufficientFitness(family: Family, config: Config): Promise<number> {
  if (family.isImages) return Number.POSITIVE_INFINITY;
  return config.stop.fitness ?? (await knownNetworkFitness(config));
}

/** One search, until it succeeds or for so many seconds. Images need `openTasks`. */
export async function discover(
  family: Family,
  method: DiscoveryMethod,
  seed: number,
  limit = family.limit,
  openTasks: OpenTasks = openBuiltinTasks,
) {
  const config = discoveryConfig(family, method, seed);
  const sufficient = await sufficientFitness(family, config);
  const isIt = family.needsBackprop ? hasBackprop : () => true;
  let success: ReturnType<typeof findSuccess>;
  const isFound: IsFound = (_, events) => {
    success ??= findSuccess(events, sufficient, isIt);
    return success !== undefined;
  };
  const { run, seconds } = await searchUntil(config, isFound, limit, {
    openTasks,
    slice: family.isImages ? IMAGE_SLICE : SLICE,
  });
  const { selected, algorithms, counts } = run;
  const best = selected && { selectFitness: selected.selectFitness, program: printProgram(selected.line.program) };
  const found = success?.program ? success : best;
  const discovery: Discovery = {
    ...{ family: family.name, method, seed, success: success !== undefined, algorithms },
    ...{ evaluated: counts.evaluated, trainSteps: counts.trainSteps, cpuSeconds: seconds },
    selectFitness: found?.selectFitness ?? null,
    program: found?.program ?? null,
  };
  run.dispose();
  return discovery;
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
    for (const method of COMPARED_METHODS) {
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
