import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Archipelago } from '../../src/experiment/archipelago.js';
import { type Config, type ConfigInput, parseConfig } from '../../src/experiment/config.js';
import type { MigrationEvent, RunEvent } from '../../src/experiment/events.js';
import { type Host, type HostReply, type HostRequest, IslandHost } from '../../src/experiment/island-host.js';
import { findPreset } from '../../src/experiment/presets.js';
import { Run } from '../../src/experiment/run.js';
import type { Snapshot } from '../../src/experiment/snapshot.js';
import { openBuiltinTasks } from '../../src/tasks/open-tasks.js';
import { RandomStream } from '../../src/util/random.js';
import { countRuns, pickCases } from '../support/amount.js';

// Islands find the same, however many hosts they are on, however slow these are, and however often all of it is stopped.

/** Answers later, after a time that nobody knows; what it is asked and what it answers are copied, as between threads. */
class SlowHost implements Host {
  private readonly host = new IslandHost();
  private readonly random: RandomStream;

  constructor(seed: number) {
    this.random = new RandomStream(seed);
  }

  async call(request: HostRequest): Promise<HostReply> {
    const copy = structuredClone(request);
    await new Promise((resolve) => setTimeout(resolve, 3 * this.random.uniform()));
    return structuredClone(this.host.call(copy));
  }

  dispose(): void {
    this.host.dispose();
  }
}

interface Small {
  readonly preset?: string;
  readonly islands: ConfigInput['islands'];
  readonly algorithms?: number;
  readonly at?: 'new-best' | 'end';
  readonly experiments?: number;
}

function small({ preset = 'linear', islands, algorithms = 600, at = 'end', experiments = 2 }: Small): Config {
  const config = findPreset(preset);
  return parseConfig({
    ...config,
    search: { ...config.search, population: 30, tournament: 5 },
    tasks: {
      search: { ...config.tasks.search, count: 3 },
      select: { ...config.tasks.select, count: 4 },
      final: { ...config.tasks.final, count: 4 },
    },
    evaluation: { ...config.evaluation, hurdles: null },
    islands,
    select: { at },
    experiment: { algorithms },
    stop: { experiments, fitness: 0.99999 },
  } as ConfigInput);
}

const MIGRATION = { every: [20, 90] as [number, number] };
const CONFIGS = {
  two: small({ islands: { count: 2, migration: MIGRATION } }),
  'five, select at once': small({ islands: { count: 5, migration: MIGRATION }, at: 'new-best' }),
  'four in groups': small({
    islands: {
      count: 4,
      migration: MIGRATION,
      vary: [
        [{ features: 4 }, { features: 6 }],
        [{ count: 2 }, { count: 3, population: 20 }],
      ],
    },
  }),
  'three of full-space': small({ preset: 'full-space', islands: { count: 3, migration: MIGRATION }, algorithms: 300 }),
  'three without migration': small({ islands: { count: 3, migration: null } }),
};

const EPOCH_WORK = 3e5;

function start(config: Config, hosts: readonly Host[], snapshot?: Snapshot): Promise<Run> {
  const field = new Archipelago(config, openBuiltinTasks, hosts, { epochWork: EPOCH_WORK });
  return Run.start(config, openBuiltinTasks, snapshot, field);
}

async function runOn(
  config: Config,
  makeHosts: (part: number) => readonly Host[],
  piece = Infinity,
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  let run = await start(config, makeHosts(0));
  for (let k = 1; !run.isDone; k++) {
    events.push(...(await run.advance(1)));
    if (run.isDone || k % piece !== 0) continue;
    const { state, arrays } = await run.snapshot();
    const copy = { state: JSON.parse(JSON.stringify(state)), arrays: structuredClone(arrays) };
    run.dispose();
    run = await start(config, makeHosts(k), copy);
  }
  run.dispose();
  return events;
}

const oneHost = () => [new IslandHost()];
const slowHosts = (count: number, seed: number) => Array.from({ length: count }, (_, k) => new SlowHost(seed + k));

const onOneHost = new Map<Config, Promise<readonly RunEvent[]>>();

/** What a run on one host tells; several tests look at the same runs. */
function runOnOneHost(config: Config): Promise<readonly RunEvent[]> {
  const known = onOneHost.get(config) ?? runOn(config, oneHost);
  onOneHost.set(config, known);
  return known;
}

describe.each(pickCases(Object.entries(CONFIGS), 2))('%s', (_, config) => {
  it('find the same on any number of hosts, of any speed, stopped or not', async () => {
    const expected = await runOnOneHost(config);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.nat(1000),
        fc.integer({ min: 1, max: 5 }),
        async (hosts, seed, piece) => {
          expect(await runOn(config, () => slowHosts(hosts, seed), piece)).toEqual(expected);
        },
      ),
      { numRuns: countRuns(4) },
    );
  });
});

/** The last word of every island on its experiment, and the counts of the run. */
async function totals(config: Config) {
  const events = await runOnOneHost(config);
  const islands = new Map<string, MigrationEvent>();
  for (const event of events) {
    if (event.type === 'migration') islands.set(`${event.experiment} ${event.island}`, event);
  }
  const end = events.at(-1)!;
  if (end.type !== 'end') throw new Error('the run did not end');
  const sum = (name: 'algorithms' | 'migrations' | 'sent' | 'received' | 'judged') =>
    [...islands.values()].reduce((total, event) => total + event[name], 0);
  return { events, sum, islands: islands.size, counts: end.result.counts };
}

describe('what islands count', () => {
  it.each(Object.entries(CONFIGS))('adds up: %s', async (_, config) => {
    const { sum, islands, counts } = await totals(config);
    const { overBudget, canonicalHits, fingerprintHits, cut, audited, evaluated, algorithms } = counts;
    expect(islands).toBe(2 * config.islands.count!);
    expect(sum('algorithms')).toBe(algorithms);
    // Every program that was proposed was judged once, and so was every one from a group with other tasks.
    const judged = overBudget + canonicalHits + fingerprintHits + (cut - audited) + evaluated;
    expect(judged).toBe(algorithms + sum('judged'));
    if (config.islands.migration === null) expect(sum('migrations')).toBe(0);
    else {
      expect(sum('migrations')).toBeGreaterThan(4);
      expect(sum('received')).toBeGreaterThan(0);
      expect(sum('received')).toBeLessThanOrEqual(sum('sent'));
      expect(sum('judged') > 0).toBe(config.islands.vary.length > 0);
    }
  });

  it('is limited for all of them together', async () => {
    const config = CONFIGS.two;
    const { counts } = await totals(
      parseConfig({ ...config, stop: { ...config.stop, algorithms: 2001 } } as ConfigInput),
    );
    expect(counts.algorithms).toBe(2001);
  });
});

it('numbers the programs of all islands differently', async () => {
  const { events } = await totals(CONFIGS['five, select at once']);
  const bests = events.filter((event) => event.type === 'best');
  expect(bests.length).toBeGreaterThan(3);
  for (const { id, island, origin } of bests) if (origin !== 'migration') expect(id % 5).toBe(island! - 1);
});

it('knows where programs come from, from island to island', async () => {
  const { events } = await totals(CONFIGS['four in groups']);
  const bests = events.filter((event) => event.type === 'best');
  const end = events.at(-1)!;
  if (end.type !== 'end') throw new Error('the run did not end');
  expect(bests.some(({ origin }) => origin === 'migration')).toBe(true);
  const { lineage } = end.result;
  expect(lineage[0]!.origin).toBe('initial');
  expect(lineage.length).toBeGreaterThan(1);
});

it('finds a linear model without any order among the hosts, and with nothing lost', async () => {
  const config = small({ islands: { count: 3, migration: MIGRATION, async: true }, algorithms: 2000 });
  const field = new Archipelago(config, openBuiltinTasks, slowHosts(3, 7), { epochWork: EPOCH_WORK });
  let run = await Run.start(config, openBuiltinTasks, undefined, field);
  const events: RunEvent[] = [];
  for (let k = 1; !run.isDone; k++) {
    events.push(...(await run.advance(1)));
    if (run.isDone || k % 3 !== 0) continue;
    const { state, arrays } = await run.snapshot();
    const copy = { state: JSON.parse(JSON.stringify(state)), arrays: structuredClone(arrays) };
    run.dispose();
    const again = new Archipelago(config, openBuiltinTasks, slowHosts(3, k), { epochWork: EPOCH_WORK });
    run = await Run.start(config, openBuiltinTasks, copy, again);
  }
  run.dispose();
  const end = events.at(-1)!;
  if (end.type !== 'end') throw new Error('the run did not end');
  expect(end.result.algorithms).toBe(2 * 3 * 2000);
  expect(end.result.selectFitness).toBeGreaterThan(0);
});
