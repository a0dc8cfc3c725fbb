// A thread of the load generator of exchange.ts: a part of the islands, which exchange programs when they are told to. One thread would be
// busier than Redis.
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Claim, Experiment } from '../islands/redis-api.js';
import { RandomStream } from '../util/random.js';

export interface LoadData {
  readonly port: number;
  readonly experiment: string;
  /** Its islands. */
  readonly first: number;
  readonly count: number;
  /** Programs up and down, and bytes of each. */
  readonly programs: number;
  readonly bytes: number;
  /** Migrations that are under way at once where it is as fast as it can be. */
  readonly atOnce: number;
}

/** At so many a second for so long, or as fast as it can. */
export interface LoadRequest {
  readonly pace: number;
  readonly seconds: number;
}

export interface LoadAnswer {
  readonly rate: number;
  /** In milliseconds, of every migration, from when it was due. */
  readonly latencies: readonly number[];
}

const data = workerData as LoadData;
const port = parentPort!;

class Fleet {
  readonly latencies: number[] = [];
  private readonly claims: readonly Claim[];
  private readonly rounds: number[];
  private readonly uploads: readonly Uint8Array[];

  constructor(claims: readonly Claim[], random: RandomStream) {
    this.claims = claims;
    this.rounds = claims.map(() => 0);
    const program = () => Uint8Array.from({ length: data.bytes }, () => Math.floor(256 * random.uniform()));
    this.uploads = Array.from({ length: data.programs }, program);
  }

  /** One migration of an island, which was due at a moment. */
  async migrate(island: number, due: number): Promise<void> {
    const round = ++this.rounds[island]!;
    const exchange = { upload: this.uploads, wanted: data.programs, round };
    const { programs, owned } = await this.claims[island]!.exchange(exchange, { timeout: 60_000 });
    if (!owned || programs.length !== data.programs)
      throw new Error(`island ${island} got ${programs.length} programs`);
    this.latencies.push(performance.now() - due);
  }

  /** Every island once, so that the pool is full. */
  async fill(): Promise<void> {
    let next = 0;
    const fillOne = async () => {
      while (next < this.claims.length) await this.migrate(next++, performance.now());
    };
    await Promise.all(Array.from({ length: data.atOnce }, fillOne));
    this.latencies.length = 0;
  }
}

async function claimAll(experiment: Experiment): Promise<Claim[]> {
  const claims: Claim[] = [];
  let next = 0;
  const claimOne = async () => {
    while (next < data.count) {
      const island = next++;
      claims[island] = await experiment.claim(data.first + island);
    }
  };
  await Promise.all(Array.from({ length: data.atOnce }, claimOne));
  return claims;
}

/** Migrations at a steady pace, of islands in turn. */
async function pacedLoad(fleet: Fleet, { pace, seconds }: LoadRequest): Promise<number> {
  const total = Math.round(pace * seconds);
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let started = 0; started < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * pace));
    for (; started < due; started++) {
      running.push(fleet.migrate(started % data.count, startedAt + (1000 * started) / pace));
    }
    await setTimeout(1);
  }
  await Promise.all(running);
  return (1000 * total) / (performance.now() - startedAt);
}

/** Migrations with some under way all the time. */
async function fullLoad(fleet: Fleet, { seconds }: LoadRequest): Promise<number> {
  const startedAt = performance.now();
  const end = startedAt + 1000 * seconds;
  let done = 0;
  const load = async (first: number) => {
    for (let island = first; performance.now() < end; island = (island + data.atOnce) % data.count) {
      await fleet.migrate(island, performance.now());
      done++;
    }
  };
  await Promise.all(Array.from({ length: data.atOnce }, (_, k) => load(k)));
  return (1000 * done) / (performance.now() - startedAt);
}

const { connectRedis } = await import('../islands/redis.js');
const server = await connectRedis(`redis://127.0.0.1:${data.port}`);
const experiment = await server.openExperiment(data.experiment);
const fleet = new Fleet(await claimAll(experiment), new RandomStream(data.first));
await fleet.fill();
port.on('message', async (request: LoadRequest) => {
  fleet.latencies.length = 0;
  const rate = await (Number.isFinite(request.pace) ? pacedLoad(fleet, request) : fullLoad(fleet, request));
  const answer: LoadAnswer = { rate, latencies: fleet.latencies };
  port.postMessage(answer);
});
port.postMessage('ready');
