// How many migrations a Redis on this machine carries: a load generator that behaves like many islands, each of which sends 50 programs
// and gets 50, at a steady pace and as fast as it can. Starts a redis-server of its own. Must not know commands.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Claim, Experiment, RedisServer } from '../islands/redis-api.js';
import { RandomStream } from '../util/random.js';
import type { Measurement, Workload } from './workloads.js';

const PROGRAMS = 50;
const PROGRAM_BYTES = 400;
const ISLANDS = [100, 1000, 10_000] as const;
/** Migrations a second that must be possible. */
const PACE = 2000;
const SECONDS = 5;
/** Migrations that are under way at once where it is as fast as it can be. */
const AT_ONCE = 64;

/** Redis clients take their time to load, and most benchmarks need none. */
async function connect(port: number): Promise<RedisServer> {
  const { connectRedis } = await import('../islands/redis.js');
  return connectRedis(`redis://127.0.0.1:${port}`);
}

// --- A server ----------------------------------------------------------------------------------------------------------

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

interface Server {
  readonly port: number;
  readonly stop: () => void;
}

async function startServer(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'evozero-bench-'));
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const child: ChildProcess = spawn('redis-server', flags, { stdio: 'ignore' });
  const stop = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  const failed = new Promise<never>((_, reject) => {
    child.on('error', () => reject(new Error('there is no redis-server here: install Redis 7 or later')));
  });
  for (let tries = 0; ; tries++) {
    try {
      const server = await Promise.race([connect(port), failed]);
      await server.close();
      return { port, stop };
    } catch (error) {
      if (tries === 50 || child.exitCode !== null || child.pid === undefined) {
        stop();
        throw error;
      }
      await setTimeout(100);
    }
  }
}

function usedMegabytes(port: number): number {
  const info = execFileSync('redis-cli', ['-p', String(port), 'info', 'memory'], { encoding: 'utf8' });
  return Number(/^used_memory:(\d+)/m.exec(info)![1]) / 1e6;
}

// --- Islands -----------------------------------------------------------------------------------------------------------

class Fleet {
  readonly latencies: number[] = [];
  private readonly claims: readonly Claim[];
  private readonly rounds: number[];
  private readonly uploads: readonly Uint8Array[];

  constructor(claims: readonly Claim[], random: RandomStream) {
    this.claims = claims;
    this.rounds = claims.map(() => 0);
    const program = () => Uint8Array.from({ length: PROGRAM_BYTES }, () => Math.floor(256 * random.uniform()));
    this.uploads = Array.from({ length: PROGRAMS }, program);
  }

  /** One migration of an island, which was due at a moment. */
  async migrate(island: number, due: number): Promise<void> {
    const round = ++this.rounds[island]!;
    const exchange = { upload: this.uploads, wanted: PROGRAMS, round };
    const { programs, owned } = await this.claims[island]!.exchange(exchange, { timeout: 60_000 });
    if (!owned || programs.length !== PROGRAMS) throw new Error(`island ${island} got ${programs.length} programs`);
    this.latencies.push(performance.now() - due);
  }

  /** Every island once, so that the pool is full. */
  async fill(): Promise<void> {
    let next = 0;
    const fillOne = async () => {
      while (next < this.claims.length) await this.migrate(next++, performance.now());
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fillOne));
    this.latencies.length = 0;
  }
}

async function claimAll(experiment: Experiment): Promise<Claim[]> {
  const claims: Claim[] = [];
  let next = 0;
  const claimOne = async () => {
    while (next < experiment.islands) {
      const island = next++;
      claims[island] = await experiment.claim(island);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, claimOne));
  return claims;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
}

/** Migrations at a steady pace, of islands in turn: how many a second came back, and how late the latest were. */
async function pacedLoad(fleet: Fleet, islands: number): Promise<{ rate: number; p99: number }> {
  const total = PACE * SECONDS;
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let started = 0; started < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * PACE));
    for (; started < due; started++) {
      running.push(fleet.migrate(started % islands, startedAt + (1000 * started) / PACE));
    }
    await setTimeout(1);
  }
  await Promise.all(running);
  const rate = (1000 * total) / (performance.now() - startedAt);
  return { rate, p99: percentile(fleet.latencies, 0.99) };
}

/** Migrations a second, with some under way all the time. */
async function fullLoad(fleet: Fleet, islands: number): Promise<number> {
  const startedAt = performance.now();
  const end = startedAt + 1000 * SECONDS;
  let done = 0;
  const load = async (first: number) => {
    for (let island = first; performance.now() < end; island = (island + AT_ONCE) % islands) {
      await fleet.migrate(island, performance.now());
      done++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => load(k)));
  return (1000 * done) / (performance.now() - startedAt);
}

async function measureExchange(islands: number): Promise<Measurement[]> {
  const { port, stop } = await startServer();
  const server = await connect(port);
  try {
    const settings = { name: 'load', config: '{}', islands, format: 1, evozero: 'bench' };
    const experiment = await server.createExperiment(settings);
    const fleet = new Fleet(await claimAll(experiment), new RandomStream(islands));
    await fleet.fill();
    const { rate, p99 } = await pacedLoad(fleet, islands);
    const megabytes = usedMegabytes(port);
    const most = await fullLoad(fleet, islands);
    const name = `exchange-${islands}`;
    return [
      { name, metric: 'migrations/s', value: rate, vsOriginal: null, note: `of ${PACE} a second that were due` },
      { name: `${name}/p99`, metric: 'ms', value: p99, vsOriginal: null },
      { name: `${name}/most`, metric: 'migrations/s', value: most, vsOriginal: null },
      { name: `${name}/memory`, metric: 'MB', value: megabytes, vsOriginal: null },
    ];
  } finally {
    await server.close();
    stop();
  }
}

export const EXCHANGE: readonly Workload[] = ISLANDS.map((islands) => ({
  name: `exchange-${islands}`,
  about: `${islands.toLocaleString('en-US')} islands exchange ${PROGRAMS} programs of ${PROGRAM_BYTES} bytes through Redis, ${PACE.toLocaleString('en-US')} times a second`,
  run: () => measureExchange(islands),
}));
