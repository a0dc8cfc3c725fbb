// Islands handed to workers by a real Redis server: each is run by one worker at a time, and goes on elsewhere when its worker is
// killed, leaves or loses it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Experiment, type IslandJob, RedisOutage, type ServeOptions } from '../../src/islands/redis.js';
import { compiled, ROOT } from '../support/cli.js';
import { serveRedis } from '../support/served-redis.js';

const TIMING = { lock: 1000, stalled: 500, retry: 10 };
const SAVE = { checkpoint: Buffer.from('checkpoint'), reports: [], counts: { algorithms: 1, best: null } };

const { redis, server } = await serveRedis();

let count = 0;
let experiment: Experiment;
async function create(islands: number, format = 1, evozero = '0.1.0'): Promise<Experiment> {
  const name = `test-${++count}`;
  experiment = await server.createExperiment({ name, config: '{}', islands, format, evozero });
  await experiment.enqueue();
  return experiment;
}

afterEach(() => experiment.remove());

/** A worker in this process. */
function serve(
  run: ServeOptions['run'],
  settings: Partial<ServeOptions> = {},
): { stop: () => Promise<void>; warnings: string[] } {
  const controller = new AbortController();
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const served = server.serve({
    format: 1,
    evozero: '0.1.0',
    slots: 2,
    timing: TIMING,
    signal: controller.signal,
    warn,
    run,
    ...settings,
  });
  const stop = () => {
    controller.abort();
    return served;
  };
  onTestFinished(stop);
  return { stop, warnings };
}

async function finish({ experiment: name, island }: IslandJob): Promise<void> {
  const claim = await (await server.openExperiment(name)).claim(island);
  await claim.save({ ...SAVE, isDone: true });
}

async function until(isTrue: () => boolean | Promise<boolean>, seconds = 10): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('waited in vain');
    await setTimeout(20);
  }
}

const isDone = async (islands: number) => (await experiment.status()).islands.done === islands;
const aborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort');
};

describe('a worker', () => {
  it('runs every island once, as many at a time as it has slots', async () => {
    const { name } = await create(6);
    await experiment.enqueue();
    const runs: string[] = [];
    let running = 0;
    let most = 0;
    const { warnings } = serve(async (job) => {
      runs.push(`${job.experiment} ${job.island}`);
      most = Math.max(most, ++running);
      await setTimeout(50);
      running--;
      await finish(job);
    });
    await until(() => isDone(6));
    expect(runs.sort()).toEqual([0, 1, 2, 3, 4, 5].map((island) => `${name} ${island}`));
    expect(most).toBe(2);
    await experiment.enqueue();
    expect(await experiment.status()).toMatchObject({ islands: { waiting: 0, active: 0, done: 6, failed: 0 } });
    expect(warnings).toEqual([]);
  });

  it('serves several experiments, and those of its own format only', async () => {
    const other = await create(1, 2);
    const names = [(await create(1)).name, (await create(1)).name];
    const runs: string[] = [];
    const { warnings } = serve(async (job) => {
      runs.push(job.experiment);
      await finish(job);
    });
    await until(() => runs.length === 2 && warnings.length > 0);
    expect(runs.sort()).toEqual(names);
    expect(warnings).toEqual([
      `the experiment ${other.name} has program format 2, this worker has format 1: its islands are left to others`,
    ]);
    expect((await other.status()).islands).toEqual({ waiting: 1, active: 0, done: 0, failed: 0 });
    // Somebody put its island into the wrong queue.
    await redis.client.rpush('evozero:queue:{format-1}:wait', `${other.name}/0`);
    await redis.client.zadd('evozero:queue:{format-1}:marker', 0, '0');
    await until(() => warnings.length > 1);
    expect(runs).toHaveLength(2);
    for (const name of [other.name, ...names]) await server.removeExperiment(name);
  });

  it('leaves islands of another version to others, who get them when they are queued again', async () => {
    const { name } = await create(2, 1, '0.2.0');
    const { warnings, stop } = serve(async () => expect.unreachable('another version'));
    await until(() => warnings.length === 2);
    expect(new Set(warnings)).toEqual(
      new Set([`the experiment ${name} is of evozero 0.2.0, this worker is of 0.1.0: its islands are left to others`]),
    );
    expect((await experiment.status()).islands).toEqual({ waiting: 2, active: 0, done: 0, failed: 0 });
    await stop();
    // As the coordinator does now and then.
    await experiment.enqueue();
    serve(finish, { evozero: '0.2.0' });
    await until(() => isDone(2));
  });

  it('gives a failing island up after several runs', async () => {
    await create(2);
    const runs: number[] = [];
    const { warnings } = serve(async (job) => {
      runs.push(job.island);
      if (job.island === 1) throw new Error('no luck');
      await finish(job);
    });
    await until(async () => (await experiment.status()).islands.failed === 1);
    expect(runs.filter((island) => island === 1)).toHaveLength(5);
    expect(warnings[0]).toBe(`island 2 of ${experiment.name} failed: no luck`);
    await experiment.enqueue();
    expect(await experiment.status()).toMatchObject({
      islands: { waiting: 0, active: 0, done: 1, failed: 1 },
      failures: [{ island: 1, reason: 'no luck' }],
    });
  });

  it('does not count outages as failures', async () => {
    await create(1);
    let runs = 0;
    serve(async (job) => {
      if (++runs < 3) throw new RedisOutage('gone');
      await finish(job);
    });
    await until(() => isDone(1));
    expect(runs).toBe(3);
  });

  it('gives its islands back when it leaves, once they have saved', async () => {
    await create(3);
    const saved: number[] = [];
    let begun = 0;
    const first = serve(async ({ island }, signal) => {
      const claim = await experiment.claim(island);
      begun++;
      await aborted(signal);
      await setTimeout(100);
      await claim.save(SAVE);
      saved.push(island);
    });
    await until(() => begun === 2);
    await first.stop();
    expect(saved).toHaveLength(2);
    expect((await experiment.status()).islands).toEqual({ waiting: 3, active: 0, done: 0, failed: 0 });
    // Often enough for attempts to be used up, if leaving cost any.
    for (let k = 0; k < 6; k++) {
      let active = 0;
      const next = serve(async (_, signal) => {
        active++;
        await aborted(signal);
      });
      await until(() => active === 2);
      await next.stop();
    }
    serve(finish);
    await until(() => isDone(3));
  });

  it('takes nothing of an experiment that was cancelled or removed', async () => {
    await create(4);
    const runs: number[] = [];
    const { stop } = serve(async ({ island }, signal) => {
      runs.push(island);
      const claim = await experiment.claim(island);
      for (let round = 1; ; round++) {
        const { stop, owned } = await claim.exchange({ upload: [], wanted: 0, round });
        if (stop !== null || !owned || signal.aborted) return;
        await setTimeout(20);
      }
    });
    await until(() => runs.length === 2);
    await experiment.cancel('enough');
    await until(async () => (await experiment.status()).islands.active === 0);
    await setTimeout(200);
    expect(runs).toHaveLength(2);
    await experiment.enqueue();
    await experiment.remove();
    await create(4);
    await until(() => runs.length === 4);
    await experiment.remove();
    await setTimeout(300);
    expect(runs).toHaveLength(4);
    await stop();
    expect(await redis.client.keys('*')).toEqual([]);
  });

  it('has islands queued again that fell out of the queue', async () => {
    await create(3);
    await redis.client.del('evozero:queue:{format-1}:wait');
    await redis.client.del(`evozero:queue:{format-1}:${experiment.name}/2`);
    await experiment.enqueue();
    serve(finish);
    await until(() => isDone(3));
  });

  it.each<[string, (key: string) => Promise<unknown>]>([
    ['texts', (key) => redis.client.set(key, 'garbage')],
    ['hashes', (key) => redis.client.hset(key, { data: '{', opts: '[', ats: 'x', 'opts.maxLenEvents': 'x' })],
  ])('goes on after somebody wrote %s over the whole queue', async (_, vandalize) => {
    await create(4);
    let isVandalized = false;
    serve(async (job, signal) => {
      while (!isVandalized && !signal.aborted) await setTimeout(20);
      await finish(job);
    });
    await until(async () => (await experiment.status()).islands.active === 2);
    const parts = ['wait', 'active', 'failed', 'completed', 'delayed', 'prioritized', 'meta', 'id', 'events', 'marker'];
    const keys = [...parts, 'stalled', 'stalled-check', 'tidied'].map((part) => `evozero:queue:{format-1}:${part}`);
    for (const key of new Set([...keys, ...(await redis.client.keys('evozero:queue:*'))])) {
      await redis.client.del(key);
      await vandalize(key);
    }
    // Jobs that BullMQ would stumble over at every try.
    await redis.client.del('evozero:queue:{format-1}:active');
    await redis.client.rpush('evozero:queue:{format-1}:active', `${experiment.name}/0`, `${experiment.name}/1`);
    isVandalized = true;
    await until(async () => {
      await experiment.enqueue();
      return isDone(4);
    });
  });

  it('is not kept from islands by locks that nobody holds, and neither is who removes them', async () => {
    await create(3);
    const lock = (island: number) => `evozero:queue:{format-1}:${experiment.name}/${island}:lock`;
    const lists = ['wait', 'active'].map((part) => `evozero:queue:{format-1}:${part}`);
    // An island seems to be run, as after the death of its worker, one waits and one is in no list.
    await redis.client.lmove(lists[0]!, lists[1]!, 'RIGHT', 'LEFT');
    await redis.client.lrem(lists[0]!, 0, `${experiment.name}/2`);
    for (let island = 0; island < 3; island++) await redis.client.set(lock(island), 'garbage');
    await experiment.enqueue();
    const { stop } = serve(finish);
    await until(() => isDone(3));
    for (let island = 0; island < 3; island++) await redis.client.set(lock(island), 'garbage');
    await stop();
    await experiment.remove();
    expect(await redis.client.keys('*')).toEqual([]);
  });

  it('goes on after Redis was frozen for longer than locks last', async () => {
    await create(2);
    const { stop } = serve(async (job) => {
      await setTimeout(200);
      await finish(job);
    });
    await until(async () => (await experiment.status()).islands.active === 2);
    redis.freeze();
    await setTimeout(2500);
    redis.thaw();
    await until(() => isDone(2));
    await experiment.enqueue();
    await until(async () => (await experiment.status()).islands.waiting === 0);
    await stop();
  });
});

describe('a worker in a process of its own', () => {
  function startWorker(module: string): ChildProcess {
    const script = join(ROOT, 'tests/support/redis-worker.js');
    const child = spawn(process.execPath, [script, module, redis.url], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  it('is replaced when it is killed, and leaves in order when it is told to', async () => {
    const module = compiled('islands/redis.js');
    await create(2);
    const texts = async () => {
      const { reports } = await experiment.readReports('0', { wait: 0, count: 100 });
      return reports.map(({ text }) => text);
    };
    const first = startWorker(module);
    await until(async () => (await texts()).length === 2);
    const second = startWorker(module);
    await once(second, 'spawn');
    first.kill('SIGKILL');
    await until(async () => (await texts()).length === 4);
    const saved = [first, first, second, second].map(({ pid }) => `saved by ${pid}`);
    expect(await texts()).toEqual(saved);
    second.kill('SIGTERM');
    const [status] = await once(second, 'exit');
    expect(status).toBe(0);
    expect(await texts()).toEqual([...saved, `left by ${second.pid}`, `left by ${second.pid}`]);
    expect((await experiment.status()).islands).toEqual({ waiting: 2, active: 0, done: 0, failed: 0 });
    expect((await experiment.claim(0)).checkpoint).toEqual(Buffer.from(String(second.pid)));
  });
});
