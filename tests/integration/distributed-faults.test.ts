// Experiments on several processes by a real Redis to which everything happens: workers and Redis are killed and frozen, memory is
// full, islands are claimed twice, clocks are wrong, and others write what they like. They end right, with every algorithm counted once.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectRedis, type Experiment } from '../../src/islands/redis.js';
import { RandomStream } from '../../src/util/random.js';
import { compiled } from '../support/cli.js';
import {
  expectExact,
  expectSound,
  expectSuccess,
  type Fleet,
  ISLANDS,
  leftovers,
  runFolder,
  type Started,
  startFleet,
  until,
} from '../support/fleet.js';
import { emptyFolder } from '../support/folders.js';

// No process of a test has to compile anything first.
beforeAll(() => void compiled('cli/main.js'));

const BEGUN = /island \d (begins|goes on)/;

/** A run that searches by now, its workers, and the experiment as Redis has it. */
async function startSearch(fleet: Fleet, name: string, algorithms: number, ...more: readonly string[]) {
  const directory = runFolder();
  const workers = [fleet.startWorker(), fleet.startWorker()];
  const run = fleet.startRun(name, directory, algorithms, ...more);
  await Promise.all(workers.map((worker) => worker.saying(BEGUN)));
  const server = await connectRedis(fleet.url);
  onTestFinished(() => server.close());
  return { directory, workers, run, experiment: await server.openExperiment(name) };
}

async function algorithmsOf(experiment: Experiment): Promise<number> {
  return (await experiment.status()).algorithms;
}

/** Every island has saved something. */
async function untilSaved(experiment: Experiment, algorithms = 1): Promise<void> {
  await until(async () => (await algorithmsOf(experiment)) >= algorithms, 'islands save');
}

const LONG = ['--set', 'experiment.algorithms=400000'];

describe('workers', () => {
  it('that are killed 20 times cost time, and nothing else', async () => {
    const fleet = await startFleet();
    const algorithms = 2_000_000;
    const { directory, workers, run, experiment } = await startSearch(fleet, 'killed', algorithms, ...LONG);
    const random = new RandomStream(20);
    for (let k = 0; k < 20; k++) {
      const worker = workers[k % 2]!;
      // Some as soon as they have an island, some when they have saved it; sooner if there is not much left to do.
      const isAhead = (await algorithmsOf(experiment)) > (0.7 * algorithms * k) / 20;
      await setTimeout((isAhead ? 300 : 2000) * random.uniform());
      worker.child.kill('SIGKILL');
      expect((await worker.done).status).toBeNull();
      workers[k % 2] = fleet.startWorker();
    }
    expect(run.child.exitCode).toBeNull();
    const { stderr } = await expectSuccess(run);
    expect(stderr).not.toContain('evozero:');
    expectExact(directory, algorithms);
    expect(await leftovers(fleet)).toEqual([]);
  });

  it('that are given the same island agree on who has it', async () => {
    const fleet = await startFleet();
    const algorithms = 1_500_000;
    const { directory, workers, run, experiment } = await startSearch(fleet, 'double', algorithms, ...LONG);
    const [third, fourth] = [fleet.startWorker(), fleet.startWorker()];
    await until(() => [third, fourth].some((worker) => BEGUN.test(worker.said())), 'the third island begins');
    const idle = BEGUN.test(third.said()) ? fourth : third;
    await idle.saying(/waiting for islands/);
    await untilSaved(experiment);
    // Another job for an island that is being searched, and a claim that nobody uses.
    const island = Number(/island (\d)/.exec(workers[0]!.said())![1]) - 1;
    await fleet.redis.client.rpush('evozero:queue:{format-1}:wait', `double/${island}`);
    await fleet.redis.client.zadd('evozero:queue:{format-1}:marker', 0, '0');
    await idle.saying(new RegExp(`island ${island + 1} goes on`));
    await workers[0]!.saying(new RegExp(`island ${island + 1} is no longer ours`));
    await experiment.claim((island + 1) % ISLANDS);
    await expectSuccess(run);
    expectExact(directory, algorithms);
    expect(await leftovers(fleet)).toEqual([]);
  });

  it('whose clocks are wrong by days take part', async () => {
    const fleet = await startFleet();
    const directory = runFolder();
    const algorithms = 300_000;
    // Only the clock that can be wrong: the one that measures time from the start of a process never jumps.
    const folder = emptyFolder();
    const skew = (days: number) => {
      const file = join(folder, `skew${days}.mjs`);
      const shift = days * 24 * 3600 * 1000;
      writeFileSync(file, `const now = Date.now; Date.now = () => now() + ${shift};`);
      return { NODE_OPTIONS: `--import=${file}` };
    };
    const workers = [fleet.startWorker(skew(-3)), fleet.startWorker(skew(3))];
    const run = fleet.startRun('skewed', directory, algorithms, '--set', 'experiment.algorithms=50000');
    await Promise.all(workers.map((worker) => worker.saying(BEGUN)));
    workers[1]!.child.kill('SIGKILL');
    await expectSuccess(run);
    expectExact(directory, algorithms);
    expect(await leftovers(fleet)).toEqual([]);
  });
});

describe('Redis', () => {
  it('that is frozen for 30 seconds does not stop the search', async () => {
    const fleet = await startFleet();
    const flags = ['--minutes', '0.8', '--set', 'experiment.algorithms=100000000'];
    const { directory, workers, run, experiment } = await startSearch(fleet, 'frozen', 1_000_000_000, ...flags);
    await untilSaved(experiment);
    const [before, beganAt] = [await algorithmsOf(experiment), performance.now()];
    await setTimeout(4000);
    const rate = ((await algorithmsOf(experiment)) - before) / (performance.now() - beganAt);
    const atFreeze = await algorithmsOf(experiment);
    fleet.redis.freeze();
    await setTimeout(30_000);
    fleet.redis.thaw();
    const thawedAt = performance.now();
    await until(async () => (await algorithmsOf(experiment)) > atFreeze, 'islands save again');
    // Far more than can have been done since then.
    const since = rate * (performance.now() - thawedAt);
    expect((await algorithmsOf(experiment)) - atFreeze).toBeGreaterThan(1.5 * since);
    const { stderr } = await expectSuccess(run);
    expect(stderr).toMatch(/no answer within 10 s; the islands go on, and it is tried again/);
    expect(expectSound(directory).result.reason).toBe('minutes');
    expect(workers.map(({ child }) => child.exitCode)).toEqual([null, null]);
    expect(await leftovers(fleet)).toEqual([]);
  });

  it('that is killed and started again on its append-only file goes on', async () => {
    const fleet = await startFleet();
    const algorithms = 900_000;
    const { directory, run, experiment } = await startSearch(fleet, 'restarted', algorithms, ...LONG);
    for (const part of [0, 0.3]) {
      await untilSaved(experiment, Math.max(1, part * algorithms));
      await fleet.redis.kill();
      await setTimeout(2500);
      await fleet.redis.restart();
    }
    await expectSuccess(run);
    expectExact(directory, algorithms);
    expect(await leftovers(fleet)).toEqual([]);
  });

  it('whose memory is full is searched without, until there is more', async () => {
    const fleet = await startFleet({ maxMemory: '100mb' });
    const algorithms = 900_000;
    const { directory, run, experiment } = await startSearch(fleet, 'full', algorithms, ...LONG);
    await untilSaved(experiment);
    const saved = await algorithmsOf(experiment);
    await fleet.redis.client.config('SET', 'maxmemory', '1mb');
    await setTimeout(6000);
    expect(await algorithmsOf(experiment)).toBeLessThan(saved + 0.5 * algorithms);
    expect(run.child.exitCode).toBeNull();
    await fleet.redis.client.config('SET', 'maxmemory', '100mb');
    await expectSuccess(run);
    expectExact(directory, algorithms);
    expect(await leftovers(fleet)).toEqual([]);
  });
});

describe('what others write into Redis', () => {
  const NAME = 'target';
  const key = (part: string) => `evozero:{${NAME}}:${part}`;
  const reports = (client: Fleet['redis']['client'], text: string | Buffer, island = '0') =>
    client.xadd(key('reports'), '*', 'island', island, 'text', text);

  /** Programs that an island must not take: none of them is one of this search. */
  function hostilePrograms(sound: Buffer): Buffer[] {
    const changed = (change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(sound);
      change(bytes);
      return bytes;
    };
    return [
      randomBytes(200),
      Buffer.from('x'),
      sound.subarray(0, -1),
      Buffer.concat([sound, Buffer.alloc(8)]),
      changed((bytes) => bytes.writeUInt32LE(7, 0)),
      changed((bytes) => bytes.writeDoubleLE(Number.NaN, 4)),
      changed((bytes) => bytes.writeUInt16LE(65_535, 12)),
      // Instructions begin after the head: an op that does not exist, and addresses beyond the memory.
      changed((bytes) => bytes.writeUInt32LE(0xffff_ffff, 20)),
      changed((bytes) => bytes.writeUInt32LE((bytes.readUInt32LE(20) | 0xffff_ff00) >>> 0, 20)),
    ];
  }

  /** A report that islands wrote, as something to change. */
  async function soundReport(client: Fleet['redis']['client']) {
    let found: Record<string, unknown> | undefined;
    await until(async () => {
      const entries = await client.xrange(key('reports'), '-', '+');
      const texts = entries.map(([, fields]) => JSON.parse(fields[3]!));
      found = texts.find(({ bests, steps }) => bests.length > 0 && steps.length > 0);
      return found !== undefined;
    }, 'a report');
    return found!;
  }

  it('is refused, counted and ignored: programs and reports', async () => {
    const fleet = await startFleet();
    const { client } = fleet.redis;
    const algorithms = 800_000;
    const { directory, workers, run } = await startSearch(fleet, NAME, algorithms, ...LONG);
    const report = await soundReport(client);
    const [first] = report.steps as Record<string, unknown>[];
    const forged: Record<string, unknown>[] = [
      { ...report, best: 2 },
      { ...report, search: 'another' },
      { ...report, algorithms: 1e15 },
      { ...report, algorithms: '7' },
      { ...report, island: 99 },
      { ...report, experiment: 0 },
      { ...report, counts: {} },
      { ...report, more: 1 },
      { ...report, bests: [{ hash: '<script>', step: 0 }] },
      { ...report, bests: [{ hash: 'ab', step: 1e6 }] },
      { ...report, steps: [{ ...first, previous: 0 }] },
      { ...report, steps: [{ ...first, fitness: 2 }] },
      { ...report, steps: [{ ...first, program: '<script>alert(1)</script>' }] },
      { ...report, steps: [{ ...first, program: 'def Setup():\n  s99 = 1\ndef Predict():\ndef Learn():\n' }] },
      { ...report, famous: [{ hash: 'ab', fitness: 1, id: 1, program: 'require("fs")' }] },
    ];
    const texts = ['', '{', 'null', '[]', '7', '"x"', 'x'.repeat(500_000), '['.repeat(100_000)];
    for (const text of [...texts, ...forged.map((each) => JSON.stringify(each))]) await reports(client, text);
    await reports(client, randomBytes(1000));
    await reports(client, JSON.stringify(report), '99');
    await client.xadd(key('reports'), '*', 'garbage', '1');

    // Islands replace their programs again and again, and so does who harms them; but not when the run is over and has cleaned up.
    const replace = "if redis.call('exists', KEYS[1]) == 1 then redis.call('hset', KEYS[1], ARGV[1], ARGV[2]) end";
    await until(async () => (await client.hlen(key('pool'))) > 0, 'programs');
    const [sound] = Object.values(await client.hgetallBuffer(key('pool')));
    const programs = hostilePrograms(sound!);
    for (let k = 0; k < 100; k++) {
      for (const [n, program] of programs.entries()) {
        await client.eval(replace, 1, key('pool'), `${k % ISLANDS}:${n}`, program);
      }
      await setTimeout(20);
    }
    const { stderr } = await expectSuccess(run);
    const [, counted] = /([\d,]+) values in Redis that no island of this experiment wrote: ignored/.exec(stderr)!;
    expect(Number(counted)).toBeGreaterThan(texts.length + forged.length);
    const { sum } = expectExact(directory, algorithms);
    expect(sum('refused')).toBeGreaterThan(0);
    for (const worker of workers) expect(worker.child.exitCode).toBeNull();
    expect(await leftovers(fleet)).toEqual([]);
  });

  type Vandal = (client: ReturnType<Fleet['redis']['client']['multi']>, key: string) => unknown;
  const vandals: Readonly<Record<string, Vandal>> = {
    texts: (client, key) => client.set(key, 'garbage'),
    'random bytes': (client, key) => client.set(key, randomBytes(5_000_000)),
    lists: (client, key) => client.rpush(key, 'garbage', ''),
    hashes: (client, key) => client.hset(key, { '0': 'garbage', '0:0': randomBytes(70_000), id: '7', config: '{' }),
    'sorted sets': (client, key) => client.zadd(key, 1e9, '0', -1, '1', 0.5, '2', 3, 'garbage'),
    streams: (client, key) => client.xadd(key, '18446744073709551615-18446744073709551615', 'garbage', '1'),
  };

  it('over every key of a running experiment ends neither it nor a worker', async () => {
    const fleet = await startFleet();
    const { client } = fleet.redis;
    const algorithms = 1_500_000;
    const { directory, workers, run, experiment } = await startSearch(fleet, NAME, algorithms, ...LONG);
    await untilSaved(experiment);
    for (const vandalize of Object.values(vandals)) {
      for (const name of await client.keys('evozero:*')) {
        // Whoever writes a reason to stop there has stopped it.
        if (name === key('stop') || name.endsWith(':tidied')) continue;
        const both = client.multi().del(name);
        vandalize(both, name);
        await both.exec();
      }
      await setTimeout(1000);
    }
    const { stderr } = await expectSuccess(run);
    expect(stderr).toMatch(/values in Redis that no island of this experiment wrote: ignored/);
    const { result } = expectSound(directory);
    expect(result.algorithms).toBeLessThanOrEqual(algorithms);
    expect(result.algorithms).toBeGreaterThan(0.3 * algorithms);
    for (const worker of workers) expect(worker.child.exitCode).toBeNull();
    await end(workers);
    expect(await leftovers(fleet)).toEqual([]);
  });

  it('instead of a checkpoint makes an island begin again', async () => {
    const fleet = await startFleet();
    const { client } = fleet.redis;
    const algorithms = 600_000;
    const { directory, workers, run, experiment } = await startSearch(fleet, NAME, algorithms, ...LONG);
    await untilSaved(experiment);
    await end(workers);
    const [first, second] = [await client.getBuffer(key('checkpoint:0')), await client.getBuffer(key('checkpoint:1'))];
    // Valid bytes of another island, and random ones.
    await client.set(key('checkpoint:0'), second!);
    await client.set(key('checkpoint:1'), Buffer.concat([first!.subarray(0, 60), randomBytes(5000)]));
    const more = [fleet.startWorker(), fleet.startWorker()];
    // One worker may have taken both, one after the other.
    const saidOf = (island: number) =>
      more.some((worker) =>
        worker.said().includes(`island ${island}: its checkpoint is unreadable, so that it begins`),
      );
    await until(() => saidOf(1) && saidOf(2), 'two islands that begin again', 240);
    await expectSuccess(run);
    expectExact(directory, algorithms);
    expect(await leftovers(fleet)).toEqual([]);
  });

  async function end(workers: readonly Started[]): Promise<void> {
    for (const { child } of workers) child.kill('SIGTERM');
    for (const { done } of workers) expect((await done).status).toBe(0);
  }
});
