// How many migrations a Redis on this machine carries: a load generator that behaves like many islands, each of which sends 50 programs
// and gets 50, at a steady pace and as fast as it can. Starts a redis-server of its own. Must not know commands.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { RedisServer } from '../islands/redis-api.js';
import { quantile } from '../util/stats.js';
import type { LoadAnswer, LoadData, LoadRequest } from './exchange-load.js';
import { CannotMeasure, type Measurement, type Workload } from './workloads.js';

const PROGRAMS = 50;
const PROGRAM_BYTES = 400;
const ISLANDS = [100, 1000, 10_000] as const;
/** Migrations a second that must be possible. */
const PACE = 2000;
const SECONDS = 5;
/** Of which the best counts: other work on a machine shows in the latest migrations first. */
const TRIES = 3;
/** Migrations of each thread that are under way at once where it is as fast as it can be. */
const AT_ONCE = 32;
/** Threads of the generator, which has more to do than Redis. */
const THREADS = 2;

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
    child.on('error', () => reject(new CannotMeasure('there is no redis-server here: install Redis 7 or later')));
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

// --- The load ----------------------------------------------------------------------------------------------------------

/** A thread of the generator, which answers one request after the other. */
class Load {
  private readonly worker: Worker;

  constructor(data: LoadData) {
    this.worker = new Worker(new URL('./exchange-load.js', import.meta.url), { workerData: data });
  }

  /** Resolves when its islands have exchanged once, and the pool is full. */
  async ready(): Promise<void> {
    await this.answer();
  }

  ask(request: LoadRequest): Promise<LoadAnswer> {
    const answer = this.answer();
    this.worker.postMessage(request);
    return answer as Promise<LoadAnswer>;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private answer(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.worker.once('message', resolve).once('error', reject);
    });
  }
}

async function measureExchange(islands: number): Promise<Measurement[]> {
  const { port, stop } = await startServer();
  const server = await connect(port);
  const part = islands / THREADS;
  let loads: Load[] = [];
  try {
    const experiment = 'load';
    await server.createExperiment({ name: experiment, config: '{}', islands, format: 1, evozero: 'bench' });
    const common = { port, experiment, programs: PROGRAMS, bytes: PROGRAM_BYTES, atOnce: AT_ONCE };
    loads = Array.from({ length: THREADS }, (_, k) => new Load({ ...common, first: k * part, count: part }));
    await Promise.all(loads.map((load) => load.ready()));
    const loadAll = (pace: number) =>
      Promise.all(loads.map((load) => load.ask({ pace: pace / THREADS, seconds: SECONDS })));
    const rateOf = (answers: readonly LoadAnswer[]) => answers.reduce((sum, { rate }) => sum + rate, 0);
    const tries: LoadAnswer[][] = [];
    for (let k = 0; k < TRIES; k++) tries.push(await loadAll(PACE));
    const p99s = tries.map((answers) =>
      quantile(
        answers.flatMap(({ latencies }) => latencies),
        0.99,
      ),
    );
    const p99 = Math.min(...p99s);
    const paced = tries[p99s.indexOf(p99)]!;
    const megabytes = usedMegabytes(port);
    const most = await loadAll(Number.POSITIVE_INFINITY);
    const name = `exchange-${islands}`;
    return [
      {
        name,
        metric: 'migrations/s',
        value: rateOf(paced),
        vsOriginal: null,
        note: `of ${PACE} a second that were due`,
      },
      { name: `${name}/p99`, metric: 'ms', value: p99, vsOriginal: null },
      { name: `${name}/most`, metric: 'migrations/s', value: rateOf(most), vsOriginal: null },
      { name: `${name}/memory`, metric: 'MB', value: megabytes, vsOriginal: null },
    ];
  } finally {
    await Promise.all(loads.map((load) => load.end()));
    await server.close();
    stop();
  }
}

export const EXCHANGE: readonly Workload[] = ISLANDS.map((islands) => ({
  name: `exchange-${islands}`,
  about: `${islands.toLocaleString('en-US')} islands exchange ${PROGRAMS} programs of ${PROGRAM_BYTES} bytes through Redis, ${PACE.toLocaleString('en-US')} times a second`,
  run: () => measureExchange(islands),
}));
