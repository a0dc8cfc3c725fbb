// Experiments on several processes by a real Redis, as users run them: workers come and go, coordinators too, servers are guarded; and
// what is said to those who ask for the impossible.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ISLAND_FORMAT } from '../../src/islands/migrant-bytes.js';
import { connectRedis } from '../../src/islands/redis.js';
import { compiled } from '../support/cli.js';
import {
  expectExact,
  expectSound,
  expectSuccess,
  type Fleet,
  ISLANDS,
  leftovers,
  runFolder,
  startFleet,
  until,
} from '../support/fleet.js';
import { emptyFolder } from '../support/folders.js';
import type { RedisSettings } from '../support/redis.js';

// No process of a test has to compile anything first.
beforeAll(() => void compiled('cli/main.js'));

/** A command that ends with a line for whoever made a mistake. */
async function expectRefusal(fleet: Fleet, args: readonly string[], message: string | RegExp, env = {}, code = 2) {
  const { status, stdout, stderr } = await fleet.start(args, env).done;
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^evozero: [^\n]*\n$/);
  expect({ stdout, status }).toEqual({ stdout: '', status: code });
}

describe('an experiment', () => {
  it('goes on while workers come and go, and leaves nothing in Redis', async () => {
    const fleet = await startFleet();
    const directory = runFolder();
    const algorithms = 600_001;
    const run = fleet.startRun('plain', directory, algorithms, '--set', 'experiment.algorithms=100000');
    const [first, second] = [fleet.startWorker(), fleet.startWorker()];
    await Promise.all([first, second].map((worker) => worker.saying(/plain: island \d begins/)));
    const third = fleet.startWorker();
    await third.saying(/plain: island \d (begins|goes on)/);
    const toldAt = performance.now();
    first.child.kill('SIGTERM');
    expect((await first.done).status).toBe(0);
    // Kubernetes gives it 60 s.
    expect(performance.now() - toldAt).toBeLessThan(60_000);
    const [, left] = /plain: island (\d) is given back[^\n]*\n$/.exec(first.said())!;
    const goingOn = `plain: island ${left} goes on`;
    await until(() => [second, third].some((worker) => worker.said().includes(goingOn)), goingOn);
    const { stderr } = await expectSuccess(run);
    expect(stderr).not.toContain('evozero:');
    // They do not divide evenly: the last one is an experiment of one island.
    const { result } = expectExact(directory, algorithms);
    expect(result.experiments).toBe(3);
    expect(await leftovers(fleet)).toEqual([]);
    for (const { child, done } of [second, third]) {
      child.kill('SIGTERM');
      expect((await done).status).toBe(0);
    }
    expect(await fleet.redis.client.keys('*')).toEqual([]);
  });

  it('that nobody works on can be ended, and says that nobody does', async () => {
    const fleet = await startFleet();
    const directory = runFolder();
    const { stderr, stdout } = await expectSuccess(fleet.startRun('alone', directory, 1_000_000, '--minutes', '0.3'));
    expect(stderr).toContain('evozero: no worker has an island: start one with evozero worker\n');
    expect(stdout).toContain('No program was found.');
    expect(await leftovers(fleet)).toEqual([]);
    const run = fleet.startRun('told', runFolder(), 1_000_000);
    await run.saying(/0 algorithms/);
    run.child.kill('SIGINT');
    const told = await run.done;
    expect(told.status).toBe(130);
    expect(told.stderr).toContain('the islands of told go on; evozero experiments --cancel told ends them');
  });

  it('ends by the number of experiments too, and when it is cancelled', async () => {
    const fleet = await startFleet();
    const worker = fleet.startWorker();
    const [directory, cancelled] = [runFolder(), runFolder()];
    const sets = ['--set', 'experiment.algorithms=10000', '--set', 'stop.experiments=2'];
    await expectSuccess(fleet.startRun('counted', directory, 1_000_000, ...sets));
    expect(expectSound(directory).result).toMatchObject({ reason: 'experiments', algorithms: 2 * ISLANDS * 10_000 });
    // With one place for three islands, they take turns.
    expect(worker.said()).toMatch(/island 1 is given back.*island 3 begins.*island 1 goes on.*island 1 is done/s);
    expect(await leftovers(fleet)).toEqual([]);

    const run = fleet.startRun('cancelled', cancelled, 100_000_000);
    await worker.saying(/cancelled: island 1 begins/);
    await setTimeout(2500);
    const list = fleet.start(['experiments', '--json']);
    const [listed] = JSON.parse((await expectSuccess(list)).stdout).experiments;
    expect(listed).toMatchObject({ name: 'cancelled', islands: { active: 1, waiting: 2 }, stop: null });
    expect(listed.algorithms).toBeGreaterThan(0);
    await expectSuccess(fleet.start(['experiments', '--cancel', 'cancelled']));
    await expectSuccess(run);
    expect(expectSound(cancelled).result.reason).toBe('stopped');
    expect(await leftovers(fleet)).toEqual([]);
  });

  it('is collected by coordinators that are killed, even if the run directory is lost', async () => {
    const fleet = await startFleet();
    const [directory, again] = [runFolder(), runFolder()];
    const algorithms = 1_200_000;
    const workers = [fleet.startWorker(), fleet.startWorker()];
    let run = fleet.startRun('killed', directory, algorithms, '--set', 'experiment.algorithms=150000');
    await Promise.all(workers.map((worker) => worker.saying(/killed: island \d begins/)));
    const server = await connectRedis(fleet.url);
    onTestFinished(() => server.close());
    const experiment = await server.openExperiment('killed');
    let kills = 0;
    // Not so often that it ends in between.
    for (; kills < 5 && (await experiment.status()).algorithms < 0.6 * algorithms; kills++) {
      run.child.kill('SIGKILL');
      expect((await run.done).status).toBeNull();
      run = fleet.start(['run', '--attach', 'killed', '--out', directory]);
      await setTimeout(400 + 300 * kills);
    }
    expect(kills).toBeGreaterThan(1);
    await expectSuccess(run);
    expectExact(directory, algorithms);

    run = fleet.startRun('lost', again, algorithms / 2, '--set', 'experiment.algorithms=30000');
    await run.saying(/experiment 1/);
    const lost = await server.openExperiment('lost');
    await until(async () => (await lost.status()).algorithms > 0.15 * algorithms, 'some experiments');
    run.child.kill('SIGKILL');
    expect((await run.done).status).toBeNull();
    rmSync(again, { recursive: true });
    await expectSuccess(fleet.start(['run', '--attach', 'lost', '--out', again]));
    const { result } = expectSound(again);
    expect(result.algorithms).toBeGreaterThan(0);
    expect(result.algorithms).toBeLessThanOrEqual(algorithms / 2);
    expect(await leftovers(fleet)).toEqual([]);
  });

  it('of a preset with frozen functions goes on from its checkpoints', async () => {
    const fleet = await startFleet();
    const directory = runFolder();
    const flags = [
      '--islands',
      '2',
      '--max-algorithms',
      '100000000',
      '--minutes',
      '0.15',
      '--set',
      'stop.fitness=null',
    ];
    const sets = ['--set', 'stop.experiments=null', '--set', 'experiment.algorithms=null'];
    const run = fleet.start(['run', 'linear-learn', '--name', 'frozen', '--out', directory, ...flags, ...sets]);
    const first = fleet.startWorker();
    await first.saying(/frozen: island 1 begins/);
    await setTimeout(2000);
    first.child.kill('SIGTERM');
    const second = fleet.startWorker();
    await second.saying(/frozen: island 1 goes on/);
    await expectSuccess(run);
    expect(second.said()).not.toContain('unreadable');
    expectSound(directory);
  });
});

describe('a guarded Redis', () => {
  const ALL = 'user default on nopass ~* &* +@all';
  const LIMITED = 'user evozero on >secret ~evozero:* resetchannels +@all -@admin -@dangerous +info';
  const cases: Readonly<Record<string, [RedisSettings, (fleet: Fleet) => NodeJS.ProcessEnv]>> = {
    'a password': [{ password: 'p@ss/word' }, () => ({})],
    TLS: [{ isEncrypted: true }, ({ redis }) => ({ EVOZERO_REDIS_CA: redis.certificate })],
    'a user limited to the prefix': [
      { acl: [ALL, LIMITED] },
      ({ url }) => ({ EVOZERO_REDIS: url.replace('//', '//evozero:secret@') }),
    ],
  };

  it.each(Object.entries(cases))('with %s serves an experiment', async (_, [settings, login]) => {
    const guarded = await startFleet(settings);
    const env = login(guarded);
    const directory = runFolder();
    const workers = [guarded.startWorker(env), guarded.startWorker(env)];
    const sets = ['search.population=100', 'islands.migration.every=[500, 5000]', 'stop.fitness=null'];
    const flags = ['--islands', '3', '--max-algorithms', '150000', ...sets.flatMap((set) => ['--set', set])];
    const run = guarded.start(['run', 'linear', '--name', 'guarded', '--out', directory, ...flags], env);
    const { stderr } = await expectSuccess(run);
    expectExact(directory, 150_000);
    for (const { child, done } of workers) {
      child.kill('SIGTERM');
      const said = (await done).stderr;
      expect(said).toMatch(/guarded: island \d/);
      expect(`${stderr}${said}`).not.toMatch(/word|secret|NOPERM|queue/);
    }
    expect(await guarded.redis.client.keys('*')).toEqual([]);
  });
});

it('workers and coordinators of another program format refuse, and name both', async () => {
  const fleet = await startFleet();
  const server = await connectRedis(fleet.url);
  onTestFinished(() => server.close());
  const format = ISLAND_FORMAT + 1;
  const made = { name: 'newer', config: '{}', islands: 2, format, evozero: '9.9.9' };
  await (await server.createExperiment(made)).enqueue();
  const worker = fleet.startWorker();
  await worker.saying(new RegExp(`newer has program format ${format}, this worker has format ${ISLAND_FORMAT}`));
  worker.child.kill('SIGTERM');
  expect((await worker.done).status).toBe(0);
  expect((await (await server.openExperiment('newer')).status()).islands).toMatchObject({ waiting: 2, failed: 0 });
  const both = new RegExp(`newer is of format ${format}, and this evozero has format ${ISLAND_FORMAT}`);
  await expectRefusal(fleet, ['run', '--attach', 'newer', '--out', runFolder()], both);
});

it('workers and coordinators of another version refuse, and name both', async () => {
  const fleet = await startFleet();
  const server = await connectRedis(fleet.url);
  onTestFinished(() => server.close());
  const made = { name: 'newer', config: '{}', islands: 2, format: ISLAND_FORMAT, evozero: '9.9.9' };
  await (await server.createExperiment(made)).enqueue();
  const worker = fleet.startWorker();
  await worker.saying(
    /the experiment newer is of evozero 9\.9\.9, this worker is of \d+\.\d+\.\d+: its islands are left/,
  );
  worker.child.kill('SIGTERM');
  expect((await worker.done).status).toBe(0);
  expect((await (await server.openExperiment('newer')).status()).islands).toMatchObject({ waiting: 2, failed: 0 });
  const both = /newer is of evozero 9\.9\.9, and this is \d+\.\d+\.\d+/;
  await expectRefusal(fleet, ['run', '--attach', 'newer', '--out', runFolder()], both);
});

it('what is cancelled and removed at once is told in one JSON object', async () => {
  const fleet = await startFleet();
  const server = await connectRedis(fleet.url);
  onTestFinished(() => server.close());
  for (const name of ['one', 'other']) {
    await server.createExperiment({ name, config: '{}', islands: 2, format: ISLAND_FORMAT, evozero: '0.1.0' });
  }
  const both = ['experiments', '--cancel', 'one', '--remove', 'other', '--json'];
  const { stdout } = await expectSuccess(fleet.start(both));
  expect(JSON.parse(stdout)).toEqual({ cancelled: 'one', removed: 'other' });
  expect((await server.listExperiments()).experiments.map(({ name }) => name)).toEqual(['one']);
  const again = await expectSuccess(fleet.start(['experiments', '--remove', 'one', '--json']));
  expect(JSON.parse(again.stdout)).toEqual({ removed: 'one' });
});

it('mistakes are told in one line', async () => {
  const fleet = await startFleet({ password: 'secret' });
  const server = await connectRedis(fleet.url);
  onTestFinished(() => server.close());
  await server.createExperiment({ name: 'taken', config: '{}', islands: 2, format: ISLAND_FORMAT, evozero: '0.1.0' });
  const place = ['--out', join(emptyFolder(), 'run')];
  const none = { EVOZERO_REDIS: undefined };
  const port = fleet.redis.port;
  for (const args of [['run', '--name', 'x'], ['worker'], ['experiments']]) {
    await expectRefusal(fleet, args, 'which Redis? Give --redis URL', none);
  }
  await expectRefusal(fleet, ['worker', '--redis', 'redis://127.0.0.1:1'], 'connection refused');
  await expectRefusal(fleet, ['worker', '--redis', 'http://x'], 'neither redis:// nor rediss://');
  await expectRefusal(fleet, ['worker', '--redis', `redis://:wrong@127.0.0.1:${port}`], 'wrong user name or password');
  await expectRefusal(fleet, ['experiments', '--redis', `redis://127.0.0.1:${port}`], 'it asks for a password');
  await expectRefusal(fleet, ['run', '--name', 'taken', ...place], 'there is an experiment taken already');
  await expectRefusal(fleet, ['run', '--name', 'a/b', ...place], '"a/b": a name has');
  await expectRefusal(fleet, ['run', '--attach', 'nobody', ...place], 'there is no experiment nobody');
  await expectRefusal(fleet, ['run', '--attach', 'taken', ...place], /./);
  for (const flag of ['--cancel', '--remove']) {
    await expectRefusal(fleet, ['experiments', flag, 'nobody'], 'there is no experiment nobody');
  }
  const vary = ['--set', 'islands.vary=[[{features: 4}, {features: 6}, {features: 8}]]'];
  await expectRefusal(fleet, ['run', '--name', 'few', '--islands', '2', ...vary, ...place], /islands/);
  await expectRefusal(fleet, ['worker'], 'EVOZERO_WORKER_TIMING', { EVOZERO_WORKER_TIMING: 'soon' });
  expect((await server.listExperiments()).experiments.map(({ name }) => name)).toEqual(['taken']);
});
