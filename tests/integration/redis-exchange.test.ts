// Experiments, claims, saves and the exchange of programs on a real Redis server, with no harm done to it.
import { describe, expect, it } from 'vitest';
import { type Claim, type Experiment, RedisMistake } from '../../src/islands/redis.js';
import { countCells, evenly, expectDistribution } from '../support/chi-square.js';
import { serveRedis } from '../support/served-redis.js';

const { redis, server } = await serveRedis();

let count = 0;
/** An experiment that no other test knows. */
function create(islands = 3, settings: { name?: string; format?: number } = {}): Promise<Experiment> {
  return server.createExperiment({
    name: `test-${++count}`,
    config: '{"preset":"linear"}',
    islands,
    format: 1,
    evozero: '0.1.0',
    ...settings,
  });
}

const bytes = (text: string) => Buffer.from(text);
const texts = (programs: readonly Uint8Array[]) => programs.map((program) => Buffer.from(program).toString());
const COUNTS = { algorithms: 10, best: 0.5 };

function programs(island: number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, k) => bytes(`${island}:${k}`));
}

async function scan(): Promise<string[]> {
  const keys: string[] = [];
  for await (const some of redis.client.scanStream()) keys.push(...(some as string[]));
  return keys;
}

async function allReports(experiment: Experiment): Promise<string[]> {
  const { reports } = await experiment.readReports('0', { wait: 0, count: 1000 });
  return reports.map(({ island, text }) => `${island} ${text}`);
}

describe('experiments', () => {
  it('are opened with what they were made of', async () => {
    const { name, created } = await create(7, { format: 4 });
    const opened = await server.openExperiment(name);
    expect(opened).toMatchObject({
      name,
      created,
      config: '{"preset":"linear"}',
      islands: 7,
      format: 4,
      evozero: '0.1.0',
    });
    expect(Math.abs(created - Date.now())).toBeLessThan(60_000);
  });

  it('have names of their own', async () => {
    const { name } = await create();
    await expect(create(1, { name })).rejects.toThrow(RedisMistake);
    await expect(create(1, { name })).rejects.toThrow(`there is an experiment ${name} already`);
    await expect(server.openExperiment('nobody')).rejects.toThrow('there is no experiment nobody');
    await expect(create(1, { name: 'a{b}' })).rejects.toThrow('"a{b}": a name has');
  });

  it('are listed with what their islands have done', async () => {
    const experiment = await create(4);
    await experiment.enqueue();
    for (const [island, best] of [0.25, 0.75, null].entries()) {
      const claim = await experiment.claim(island);
      await claim.save({ checkpoint: bytes('c'), reports: [], isDone: island === 1, counts: { algorithms: 5, best } });
    }
    await experiment.setStop('enough');
    await experiment.setStop('too late');
    const { experiments } = await server.listExperiments();
    expect(experiments.find(({ name }) => name === experiment.name)).toEqual({
      name: experiment.name,
      created: experiment.created,
      format: 1,
      islands: { waiting: 3, active: 0, done: 1, failed: 0 },
      algorithms: 15,
      best: 0.75,
      stop: 'enough',
      failures: [],
    });
  });

  it('leave nothing behind', async () => {
    await redis.client.flushall();
    const experiment = await create(3);
    await experiment.enqueue();
    const claim = await experiment.claim(1);
    await claim.save({ checkpoint: bytes('c'), reports: ['r'], counts: COUNTS });
    await claim.exchange({ upload: programs(1, 3), wanted: 1, round: 1 });
    await experiment.setStop('enough');
    expect((await scan()).length).toBeGreaterThan(14);
    await experiment.remove();
    expect(await scan()).toEqual([]);
    expect(await claim.save({ checkpoint: bytes('d'), reports: ['r'], counts: COUNTS })).toEqual({ owned: false });
    expect(await claim.exchange({ upload: programs(1, 3), wanted: 1, round: 2 })).toEqual({
      owned: false,
      programs: [],
      stop: null,
    });
    await expect(experiment.claim(1)).rejects.toThrow('is gone');
    await expect(experiment.enqueue()).rejects.toThrow('is gone');
    expect(await scan()).toEqual([]);
    expect(await server.removeExperiment(experiment.name)).toBe(false);
  });

  it('are not disturbed by islands of an earlier one of the same name', async () => {
    const first = await create();
    const old = await first.claim(0);
    await first.remove();
    const second = await create(3, { name: first.name });
    expect(await old.save({ checkpoint: bytes('old'), reports: ['old'], counts: COUNTS })).toEqual({ owned: false });
    expect((await second.claim(0)).checkpoint).toBeUndefined();
    expect(await allReports(second)).toEqual([]);
  });

  it('have keys that do not live for ever', async () => {
    const experiment = await create();
    await experiment.enqueue();
    const claim = await experiment.claim(0);
    await claim.save({ checkpoint: bytes('c'), reports: ['r'], counts: COUNTS });
    await claim.exchange({ upload: programs(0, 3), wanted: 1, round: 1 });
    await experiment.setStop('enough');
    const lifetimes = await Promise.all((await scan()).map((key) => redis.client.pttl(key)));
    expect(lifetimes.length).toBeGreaterThan(10);
    expect(Math.min(...lifetimes)).toBeGreaterThan(0);
    expect(Math.max(...lifetimes)).toBeLessThanOrEqual(7 * 24 * 3600 * 1000);
  });
});

describe('a claim', () => {
  it('goes on from the last checkpoint', async () => {
    const experiment = await create();
    const first = await experiment.claim(2);
    expect(first).toMatchObject({ isDone: false, stop: null, isCheckpointLost: false });
    expect(first.checkpoint).toBeUndefined();
    const checkpoint = Buffer.from([0, 255, 10, 13, 128]);
    expect(await first.save({ checkpoint, reports: [], isDone: true, counts: COUNTS })).toEqual({ owned: true });
    await experiment.setStop('enough');
    const second = await experiment.claim(2);
    expect(second).toMatchObject({ isDone: true, stop: 'enough', isCheckpointLost: false, checkpoint });
    expect(second.token).toBeGreaterThan(first.token);
    await expect(experiment.claim(3)).rejects.toThrow(RangeError);
  });

  it('ends when another worker claims the island', async () => {
    const experiment = await create();
    const [first, second] = [await experiment.claim(0), await experiment.claim(0)];
    expect(await first.save({ checkpoint: bytes('1'), reports: ['first'], counts: COUNTS })).toEqual({ owned: false });
    const { owned } = await first.exchange({ upload: programs(9, 5), wanted: 0, round: 1 });
    expect(owned).toBe(false);
    expect(await second.save({ checkpoint: bytes('2'), reports: ['second'], counts: COUNTS })).toEqual({ owned: true });
    expect(await allReports(experiment)).toEqual(['0 second']);
    const other = await (await experiment.claim(1)).exchange({ upload: programs(1, 1), wanted: 20, round: 1 });
    expect(new Set(texts(other.programs))).toEqual(new Set(['1:0']));
  });

  it('publishes every report once, whatever was lost', async () => {
    const experiment = await create();
    const claim = await experiment.claim(0);
    await claim.save({ checkpoint: bytes('a'), reports: ['1'], counts: COUNTS });
    // Done in time by Redis, but not for a caller without patience.
    redis.freeze();
    const lost = claim.save({ checkpoint: bytes('b'), reports: ['2', '3'], counts: COUNTS }, { timeout: 200 });
    await expect(lost).rejects.toThrow('no answer within 0.2 s');
    redis.thaw();
    const again = { checkpoint: bytes('c'), reports: ['2', '3', '4'], counts: COUNTS };
    expect(await claim.save(again)).toEqual({ owned: true });
    await claim.save({ checkpoint: bytes('d'), reports: ['5'], counts: COUNTS });
    expect(await allReports(experiment)).toEqual(['0 1', '0 2', '0 3', '0 4', '0 5']);
    const next = await experiment.claim(0);
    expect(next.checkpoint).toEqual(bytes('d'));
    await next.save({ checkpoint: bytes('e'), reports: ['6'], counts: COUNTS });
    expect((await allReports(experiment)).at(-1)).toBe('0 6');
  });

  it('refuses what is too large before it is sent', async () => {
    const claim = await (await create()).claim(0);
    const tooLarge = [Buffer.alloc(64 * 1024 + 1)];
    await expect(claim.exchange({ upload: tooLarge, wanted: 0, round: 1 })).rejects.toThrow(RangeError);
    await expect(claim.exchange({ upload: programs(0, 2001), wanted: 0, round: 1 })).rejects.toThrow(RangeError);
    const checkpoint = Buffer.alloc(64 * 1024 * 1024 + 1);
    await expect(claim.save({ checkpoint, reports: [], counts: COUNTS })).rejects.toThrow(RangeError);
  });
});

describe('reports', () => {
  it('are read in order and from where the last reading ended', async () => {
    const experiment = await create();
    const claims = [await experiment.claim(0), await experiment.claim(1)];
    const save = (claim: Claim, ...reports: string[]) =>
      claim.save({ checkpoint: bytes('c'), reports, counts: COUNTS });
    await save(claims[0]!, 'a', 'ü\n');
    await save(claims[1]!, 'c');
    const first = await experiment.readReports('0', { wait: 0, count: 2 });
    expect(first.reports).toEqual([
      { island: 0, text: 'a' },
      { island: 0, text: 'ü\n' },
    ]);
    const second = await experiment.readReports(first.next, { wait: 0, count: 2 });
    expect(second.reports).toEqual([{ island: 1, text: 'c' }]);
    expect(await experiment.readReports(second.next, { wait: 0, count: 2 })).toEqual({
      next: second.next,
      reports: [],
    });
    await experiment.trimReports(first.next);
    expect(await allReports(experiment)).toEqual(['1 c']);
    await experiment.trimReports(second.next);
    expect(await allReports(experiment)).toEqual([]);
    await save(claims[0]!, 'd');
    expect((await experiment.readReports(second.next, { wait: 0, count: 2 })).reports).toHaveLength(1);
  });

  it('are waited for', async () => {
    const experiment = await create();
    const reading = experiment.readReports('0', { wait: 5000, count: 10 });
    const claim = await experiment.claim(2);
    await claim.save({ checkpoint: bytes('c'), reports: ['late'], counts: COUNTS });
    expect((await reading).reports).toEqual([{ island: 2, text: 'late' }]);
    const start = performance.now();
    const { next } = await reading;
    await experiment.readReports(next, { wait: 300, count: 10 });
    expect(performance.now() - start).toBeGreaterThan(290);
  });
});

describe('the exchange', () => {
  const exchange = async (claim: Claim, upload: Buffer[], wanted: number, round: number) =>
    texts((await claim.exchange({ upload, wanted, round })).programs);

  it.each([3, 1000])('gives the programs of all of %i islands, each as likely as any other', async (islands) => {
    const experiment = await create(islands);
    const claims = await Promise.all([0, 1, 2].map((island) => experiment.claim(island)));
    const sizes = [20, 5, 1];
    for (const [island, claim] of claims.entries()) await exchange(claim, programs(island, sizes[island]!), 0, 1);
    const cells = sizes.flatMap((size, island) => texts(programs(island, size)));
    const drawn: string[] = [];
    for (let k = 0; k < 200; k++) drawn.push(...(await exchange(claims[k % 3]!, [], 50, 1)));
    expect(drawn).toHaveLength(200 * 50);
    const next = drawn.values();
    const counts = countCells(cells.length, drawn.length, () => cells.indexOf(next.next().value!));
    expectDistribution(counts, evenly(cells.length));
  });

  it('of islands that upload as many as before gives the programs of all, each as likely as any other', async () => {
    const experiment = await create(3);
    const claims = await Promise.all([0, 1, 2].map((island) => experiment.claim(island)));
    const sizes = [40, 20, 10];
    // As long as programs are, so that Redis keeps them as it would.
    const uploads = sizes.map((size, island) =>
      Array.from({ length: size }, (_, k) => bytes(`${island}:${k} ${'x'.repeat(400)}`)),
    );
    for (const [island, claim] of claims.entries()) await exchange(claim, uploads[island]!, 0, 1);
    const counts = new Map(uploads.flat().map((program) => [String(program), 0]));
    const rounds = 600;
    for (let k = 0; k < rounds; k++) {
      const island = k % 3;
      const asked = { upload: uploads[island]!, wanted: 50, largest: 40, round: 2 + k };
      for (const text of texts((await claims[island]!.exchange(asked)).programs))
        counts.set(text, counts.get(text)! + 1);
    }
    const drawn = [...counts.values()];
    expect(drawn.reduce((sum, count) => sum + count)).toBe(rounds * 50);
    expectDistribution(drawn, evenly(counts.size));
  });

  it('keeps the last programs of an island only', async () => {
    const experiment = await create(2);
    const claim = await experiment.claim(0);
    expect(await exchange(claim, [], 5, 1)).toEqual([]);
    await exchange(claim, programs(0, 50), 0, 2);
    const fewer = programs(7, 3);
    const seen = new Set(await exchange(claim, fewer, 200, 3));
    expect(seen).toEqual(new Set(texts(fewer)));
    expect(await redis.client.hlen(`evozero:{${experiment.name}}:pool`)).toBe(3);
    // An exchange that comes late.
    expect(new Set(await exchange(claim, programs(0, 50), 200, 2))).toEqual(new Set(texts(fewer)));
    // A worker that goes on from a checkpoint counts from there.
    const resumed = await experiment.claim(0);
    expect(new Set(await exchange(resumed, programs(8, 1), 5, 1))).toEqual(new Set(['8:0']));
    expect(await exchange(resumed, [], 5, 2)).toEqual([]);
  });

  it('tells islands to stop', async () => {
    const experiment = await create();
    const claim = await experiment.claim(0);
    expect(await claim.exchange({ upload: [], wanted: 0, round: 1 })).toEqual({
      programs: [],
      stop: null,
      owned: true,
    });
    await experiment.setStop('a success on island 1');
    expect((await claim.exchange({ upload: [], wanted: 0, round: 2 })).stop).toBe('a success on island 1');
  });
});
