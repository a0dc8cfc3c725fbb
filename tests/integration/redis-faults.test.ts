// A Redis server that is frozen, killed, full, guarded or full of garbage: calls reject in time with an error that says what is
// the matter, and work again afterwards.
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectRedis, type Experiment, RedisMistake, RedisOutage, type RedisServer } from '../../src/islands/redis.js';
import { type RedisSettings, startRedis, type TestRedis } from '../support/redis.js';

const COUNTS = { algorithms: 10, best: 0.5 };
const CHECKPOINT = Buffer.from('checkpoint');

async function start(settings: RedisSettings = {}): Promise<TestRedis> {
  const redis = await startRedis(settings);
  onTestFinished(() => redis.stop());
  return redis;
}

async function connect(url: string): Promise<RedisServer> {
  const server = await connectRedis(url);
  onTestFinished(() => server.close());
  return server;
}

function create(server: RedisServer, islands = 3): Promise<Experiment> {
  return server.createExperiment({ name: 'test', config: '{}', islands, format: 1, evozero: '0.1.0' });
}

async function mistake(url: string): Promise<string> {
  const error = await connectRedis(url).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(RedisMistake);
  return (error as Error).message;
}

describe('a server that cannot be used', () => {
  it('is refused with the reason, and without the password', async () => {
    expect(await mistake('http://user:secret@host')).toMatch(/^\.\.\.@host: neither redis:\/\/ nor rediss:\/\//);
    expect(await mistake('redis://:secret@127.0.0.1:1')).toBe(
      'redis://127.0.0.1:1: connection refused: is Redis running there?',
    );
    expect(await mistake('redis://:secret@no-such-host.invalid')).toMatch(
      /^redis:\/\/no-such-host.invalid:6379: unknown host/,
    );
  });

  it('asks for the right password', async () => {
    const redis = await start({ password: 'p@ss%word' });
    const shown = `redis://127.0.0.1:${redis.port}`;
    expect(await mistake(`redis://:secret@127.0.0.1:${redis.port}`)).toBe(`${shown}: wrong user name or password`);
    expect(await mistake(shown)).toBe(`${shown}: it asks for a password: redis://:PASSWORD@HOST`);
    const server = await connect(redis.url);
    expect(server.url).toBe(shown);
    await create(server);
  });

  it('speaks TLS with a certificate that is trusted', async () => {
    const redis = await start({ isEncrypted: true });
    expect(await mistake(redis.url)).toMatch(/its certificate is not trusted; EVOZERO_REDIS_CA/);
    expect(await mistake(redis.url.replace('rediss:', 'redis:'))).toMatch(/does it expect TLS/);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('EVOZERO_REDIS_CA', '/no/such/file.pem');
    expect(await mistake(redis.url)).toMatch(/^EVOZERO_REDIS_CA: ENOENT/);
    vi.stubEnv('EVOZERO_REDIS_CA', redis.certificate);
    const experiment = await create(await connect(redis.url));
    await experiment.enqueue();
    expect((await experiment.status()).islands.waiting).toBe(3);
    const plain = await start();
    expect(await mistake(plain.url.replace('redis:', 'rediss:'))).toMatch(/no answer in TLS: is it redis:/);
  });
});

describe('a user with few rights', () => {
  const ALL = 'user default on nopass ~* &* +@all';
  const user = (name: string, rights: string) => `user ${name} on >secret ${rights}`;
  const login = (redis: TestRedis, name: string) => redis.url.replace('//', `//${name}:secret@`);

  it('does everything below the prefix', async () => {
    const rights = '~evozero:* resetchannels +@all -@admin -@dangerous +info';
    const redis = await start({ acl: [ALL, user('evozero', rights)] });
    const server = await connect(login(redis, 'evozero'));
    const experiment = await create(server, 2);
    await experiment.enqueue();
    const finished: number[] = [];
    const controller = new AbortController();
    await server.serve({
      format: 1,
      evozero: '0.1.0',
      slots: 2,
      signal: controller.signal,
      warn: (text) => expect.unreachable(text),
      run: async ({ island }) => {
        const claim = await experiment.claim(island);
        await claim.exchange({ upload: [CHECKPOINT], wanted: 1, round: 1 });
        await claim.save({ checkpoint: CHECKPOINT, reports: ['done'], isDone: true, counts: COUNTS });
        if (finished.push(island) === 2) controller.abort();
      },
    });
    const { next, reports } = await experiment.readReports('0', { wait: 0, count: 10 });
    expect(reports).toHaveLength(2);
    await experiment.trimReports(next);
    await experiment.cancel('enough');
    expect((await server.listExperiments()).experiments).toHaveLength(1);
    await experiment.remove();
    expect(await redis.client.keys('*')).toEqual([]);
  });

  it('is told so at once if there are too few', async () => {
    const acl = [
      ALL,
      user('other', '~other:* +@all'),
      user('reader', '~evozero:* +@read +@connection +info +@scripting'),
    ];
    const redis = await start({ acl });
    for (const name of ['other', 'reader']) {
      expect(await mistake(login(redis, name))).toMatch(/the user may not do what evozero needs/);
    }
  });
});

describe('an outage', () => {
  it('of a frozen server ends calls in time, and passes', async () => {
    const redis = await start();
    const experiment = await create(await connect(redis.url));
    const claim = await experiment.claim(0);
    redis.freeze();
    const began = performance.now();
    const patience = { timeout: 300 };
    const calls = [
      claim.save({ checkpoint: CHECKPOINT, reports: ['1'], counts: COUNTS }, patience),
      claim.exchange({ upload: [CHECKPOINT], wanted: 1, round: 1 }, patience),
      experiment.status(patience),
      experiment.enqueue(patience),
      experiment.readReports('0', { wait: 10_000, count: 1, ...patience }),
    ];
    const outcomes = await Promise.allSettled(calls);
    expect(performance.now() - began).toBeLessThan(1500);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(RedisOutage) });
    const controller = new AbortController();
    const aborted = claim.exchange({ upload: [], wanted: 0, round: 2 }, { signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toThrow(RedisOutage);
    await setTimeout(2000);
    redis.thaw();
    expect(await claim.save({ checkpoint: CHECKPOINT, reports: ['1', '2'], counts: COUNTS })).toEqual({ owned: true });
    const { reports } = await experiment.readReports('0', { wait: 0, count: 10 });
    expect(reports.map(({ text }) => text)).toEqual(['1', '2']);
  });

  it('of a killed server loses nothing that was acknowledged', async () => {
    const redis = await start({ appendOnly: 'always' });
    const experiment = await create(await connect(redis.url));
    await experiment.enqueue();
    const claim = await experiment.claim(0);
    const reports: string[] = [];
    for (let k = 0; k < 20; k++) {
      const report = `report ${k}`;
      const save = { checkpoint: Buffer.from(report), reports: [report], counts: COUNTS };
      if (k % 5 === 0) {
        await redis.kill();
        await expect(claim.save(save, { timeout: 100 })).rejects.toThrow(RedisOutage);
        const waiting = claim.save(save);
        await redis.restart();
        expect(await waiting).toEqual({ owned: true });
      } else await claim.save(save);
      reports.push(report);
    }
    expect((await experiment.status()).islands).toEqual({ waiting: 3, active: 0, done: 0, failed: 0 });
    const found = await experiment.readReports('0', { wait: 0, count: 100 });
    expect(found.reports.map(({ text }) => text)).toEqual(reports);
    expect((await experiment.claim(0)).checkpoint).toEqual(Buffer.from('report 19'));
  });

  it('of memory can be survived, and stopping needs none', async () => {
    const redis = await start({ maxMemory: '8mb' });
    const experiment = await create(await connect(redis.url));
    const claim = await experiment.claim(0);
    await claim.save({ checkpoint: CHECKPOINT, reports: ['1'], counts: COUNTS });
    await redis.client.eval(
      `#!lua flags=allow-oom
      for k = 1, 1000 do redis.call('SET', 'fill:' .. k, string.rep('x', 10000)) end`,
      0,
    );
    const full = { checkpoint: Buffer.from('new'), reports: ['2'], counts: COUNTS };
    await expect(claim.save(full)).rejects.toThrow(RedisOutage);
    await expect(claim.exchange({ upload: [CHECKPOINT], wanted: 1, round: 1 })).rejects.toThrow(RedisOutage);
    await experiment.setStop('no memory');
    expect(await experiment.status()).toMatchObject({ stop: 'no memory', algorithms: 10 });
    expect((await experiment.readReports('0', { wait: 0, count: 9 })).reports).toHaveLength(1);
    await redis.client.del(...(await redis.client.keys('fill:*')));
    expect(await claim.save(full)).toEqual({ owned: true });
    expect((await experiment.readReports('0', { wait: 0, count: 9 })).reports.map(({ text }) => text)).toEqual([
      '1',
      '2',
    ]);
  });
});

describe('garbage', () => {
  type Vandal = (client: TestRedis['client'], key: string) => Promise<unknown>;
  const vandals: Readonly<Record<string, Vandal>> = {
    'a text': (client, key) => client.set(key, 'garbage'),
    'a long text': (client, key) => client.setrange(key, key.includes('checkpoint') ? 70 << 20 : 1 << 20, 'x'),
    'a list': (client, key) => client.rpush(key, 'garbage', ''),
    'a hash': (client, key) => client.hset(key, { '0': 'garbage', '0:0': Buffer.alloc(70_000), id: '7', config: '{' }),
    'a set': (client, key) => client.sadd(key, 'garbage', '0'),
    'a sorted set': (client, key) => client.zadd(key, 1e9, '0', -1, '1', 0.5, '2', 3, 'garbage'),
    'a stream': (client, key) => client.xadd(key, '18446744073709551615-18446744073709551615', 'garbage', '1'),
  };

  it.each(Object.entries(vandals))('of any kind in every key is survived: %s', async (_, vandalize) => {
    const redis = await start();
    const server = await connect(redis.url);
    const experiment = await create(server);
    await experiment.enqueue();
    const claim = await experiment.claim(0);
    await claim.save({ checkpoint: CHECKPOINT, reports: ['1'], counts: COUNTS });
    await claim.exchange({ upload: [CHECKPOINT], wanted: 1, round: 1 });
    await experiment.setStop('enough');
    const keys = (await redis.client.keys('evozero:*')).filter((key) => !key.endsWith(':tidied'));
    expect(keys.length).toBeGreaterThan(13);
    for (const key of keys) {
      await redis.client.del(key);
      await vandalize(redis.client, key);
    }
    // Reading shows nothing of it, and does not fail.
    expect((await experiment.readReports('0', { wait: 0, count: 9 })).reports).toEqual([]);
    expect(await server.listExperiments()).toEqual({ experiments: [], damaged: ['test'] });
    await expect(server.openExperiment('test')).rejects.toThrow('is damaged');
    const { algorithms, best } = await experiment.status();
    expect({ algorithms, best }).toEqual({ algorithms: 0, best: null });
    // Islands go on, and what they write heals.
    expect(await claim.save({ checkpoint: CHECKPOINT, reports: ['2'], counts: COUNTS })).toEqual({ owned: true });
    const { owned, programs } = await claim.exchange({ upload: [CHECKPOINT], wanted: 3, round: 2 });
    expect(owned).toBe(true);
    expect(programs.map(String)).toEqual(['checkpoint', 'checkpoint', 'checkpoint']);
    expect((await experiment.readReports('0', { wait: 0, count: 9 })).reports).toEqual([{ island: 0, text: '2' }]);
    expect((await experiment.claim(1)).checkpoint?.length ?? 0).toBeLessThan(10);
    expect(server.rubbish).toBeGreaterThan(3);
    // The coordinator mends the rest.
    await redis.client.del('evozero:{test}:stop');
    await experiment.enqueue();
    expect((await server.openExperiment('test')).islands).toBe(3);
    const finished = new Set<number>();
    const controller = new AbortController();
    await server.serve({
      format: 1,
      evozero: '0.1.0',
      slots: 3,
      signal: controller.signal,
      warn: () => {},
      timing: { lock: 1000, stalled: 200, retry: 10 },
      run: async ({ island }) => {
        const taken = await experiment.claim(island);
        await taken.save({ checkpoint: CHECKPOINT, reports: [], isDone: true, counts: COUNTS });
        if (finished.add(island).size === 3) controller.abort();
      },
    });
    expect((await experiment.status()).islands.done).toBe(3);
    await experiment.remove();
    const left = await redis.client.keys('*');
    expect(left).toEqual([]);
  });
});
