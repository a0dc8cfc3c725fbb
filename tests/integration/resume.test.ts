// Runs that are stopped in every way, by real signals to real processes, and resumed: what they leave is what a run that was never
// stopped leaves, byte for byte. Delays are parts of the time that the latter took, so that machines of any speed are hit alike.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Papa from 'papaparse';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RandomStream } from '../../src/util/random.js';
import { compiled, evozero, startEvozero } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';

const folder = temporaryFolder();
// No process of a test has to compile anything first.
compiled('cli/main.js');

/** Several experiments, each with its selection, of a search that succeeds in none of them. */
function searchOf(algorithms: number, inExperiment: number, islands = 1): string[] {
  const settings = ['experiment.steps=null', 'select.at=end', 'stop.fitness=null', 'stop.experiments=null'];
  const sets = [...settings, `experiment.algorithms=${inExperiment}`].flatMap((setting) => ['--set', setting]);
  return [
    'run',
    'linear',
    '--seed',
    '1',
    '--islands',
    String(islands),
    '--max-algorithms',
    String(algorithms),
    ...sets,
  ];
}

const SHORT = searchOf(150_000, 40_000);

const path = (name: string) => join(folder, name);
const read = (directory: string, file: string) => readFileSync(join(directory, file), 'utf8');

/** Everything that a run leaves, but for times and the name of its directory. */
function outcome(directory: string) {
  const { run: _, seconds: _s, cpuSeconds: _c, ...result } = JSON.parse(read(directory, 'result.json'));
  const { data } = Papa.parse<Record<string, string>>(read(directory, 'progress.csv'), { header: true });
  return {
    files: readdirSync(directory).filter((name) => !name.startsWith('checkpoint')),
    config: read(directory, 'config.json'),
    events: read(directory, 'events.jsonl').split('\n'),
    best: read(directory, 'best.alg'),
    simplified: read(directory, 'best.simplified.alg'),
    hallOfFame: read(directory, 'hall-of-fame.csv'),
    progress: data.map(({ seconds: _seconds, cpuSeconds: _cpuSeconds, ...row }) => row),
    result,
  };
}

/** A process of evozero. `searching` is fulfilled when it has tried its first programs. */
function start(args: readonly string[]) {
  const { child, done } = startEvozero(args);
  onTestFinished(() => void child.kill('SIGKILL'));
  const searching = new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr!.on('data', (text: string) => {
      said += text;
      if (/\d algorithms/.test(said)) resolve();
    });
    done.then(({ stderr }) => reject(new Error(`ended early: ${stderr}`)));
  });
  searching.catch(() => {});
  return { child, done, searching };
}

/** A run that nobody stops; and how long it takes from its first programs on, in milliseconds. */
async function runToEnd(args: readonly string[], directory: string): Promise<number> {
  const { done, searching } = start([...args, '--out', directory]);
  await searching;
  const startedAt = performance.now();
  const { status, stderr } = await done;
  expect(stderr).not.toContain('evozero:');
  expect(status).toBe(0);
  return performance.now() - startedAt;
}

let short: Promise<number> | undefined;

/** Sees to it that there is the run of SHORT, which several tests compare with. */
async function shortRun(): Promise<void> {
  short ??= runToEnd(SHORT, path('short'));
  await short;
}

/** Starts a run and stops it when it has written a file. */
async function stopWith(signal: NodeJS.Signals, args: readonly string[], directory: string, file: string) {
  const { child, done, searching } = start([...args, '--out', directory]);
  await searching;
  while (!existsSync(join(directory, file))) await setTimeout(5);
  child.kill(signal);
  return done;
}

function resume(directory: string, ...flags: string[]) {
  const run = evozero(['resume', directory, ...flags]);
  expect(run.stderr).not.toContain('    at ');
  expect(run.status).toBe(0);
  return run;
}

/** How many programs a run has tried, as far as its events tell. */
function algorithmsOf(directory: string): number {
  return Number([...read(directory, 'events.jsonl').matchAll(/"algorithms":(\d+)/g)].at(-1)?.[1] ?? 0);
}

/** Before its first checkpoint, a process that is killed has not got on. In milliseconds. */
const BEFORE_CHECKPOINT = 150;

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    // There is none yet, or the new one is just taking the place of the one before.
    return undefined;
  }
}

/**
 * Kills a run again and again, at random moments; sooner if it has got far, so that it is not at its end before the last of them. One in
 * four gets on first, however slow the machine is. `longest` is the longest delay, in milliseconds. Returns how many of the processes
 * had got on; or nothing if one of them has ended before it was killed.
 */
async function tryToKill(search: readonly string[], directory: string, kills: number, longest: number) {
  const random = new RandomStream(50);
  const all = Number(search[search.indexOf('--max-algorithms') + 1]);
  const checkpoint = join(directory, 'checkpoint');
  const saved = new Set<string>();
  for (let k = 0; k < kills; k++) {
    const before = hashOf(checkpoint);
    const { child, done, searching } = start(k === 0 ? [...search, '--out', directory] : ['resume', directory]);
    // Now and then before it searches, perhaps while it reads what is there.
    const isEarly = k % 10 === 9;
    if (!isEarly) await searching;
    while (k % 4 === 0 && child.exitCode === null && [before, undefined].includes(hashOf(checkpoint)))
      await setTimeout(5);
    const isAhead = algorithmsOf(directory) > (0.6 * all * k) / kills;
    await setTimeout((isEarly ? 500 : isAhead ? Math.min(BEFORE_CHECKPOINT, longest) : longest) * random.uniform());
    child.kill('SIGKILL');
    const { status } = await done;
    if (status !== null) {
      expect(status).toBe(0);
      return undefined;
    }
    const after = hashOf(checkpoint);
    if (after !== undefined) saved.add(after);
  }
  return saved.size;
}

/**
 * Kills a run that takes so many milliseconds so many times. If it has ended before, the test was slower than it; then all of it is done
 * again, with shorter delays.
 */
async function killOften(search: readonly string[], directory: string, kills: number, milliseconds: number) {
  for (let longest = Math.min(1200, milliseconds / 4); longest > 1; longest /= 4) {
    rmSync(directory, { recursive: true, force: true });
    const gotOn = await tryToKill(search, directory, kills, longest);
    if (gotOn !== undefined) return gotOn;
  }
  throw new Error(`${directory} ended before it had been killed ${kills} times`);
}

describe('a run that is killed', () => {
  it('at 50 random moments ends as if it had never been', async () => {
    const search = searchOf(1_000_000, 80_000);
    const milliseconds = await runToEnd(search, path('long'));
    const gotOn = await killOften(search, path('long-killed'), 50, milliseconds);
    expect(gotOn).toBeGreaterThan(10);
    resume(path('long-killed'));
    expect(outcome(path('long-killed'))).toEqual(outcome(path('long')));
  });

  it('at 20 random moments ends as if it had never been, on three islands, and any number of threads', async () => {
    const migration = ['--set', 'islands.migration.every=[500, 5000]'];
    const search = [...searchOf(600_000, 60_000, 3), ...migration];
    const milliseconds = await runToEnd([...search, '--workers', '3'], path('islands'));
    await killOften([...search, '--workers', '2'], path('islands-killed'), 20, milliseconds);
    resume(path('islands-killed'), '--workers', '1');
    const { events, ...others } = outcome(path('islands-killed'));
    expect({ events, ...others }).toEqual(outcome(path('islands')));
    const migrations = events.filter((line) => line.startsWith('{"type":"migration"')).map((line) => JSON.parse(line));
    expect(migrations.length).toBeGreaterThan(8);
    expect(migrations.every(({ sent, received }) => sent > 0 && received >= 0)).toBe(true);
    expect(migrations.some(({ received }) => received > 0)).toBe(true);
  });

  it('at 6 moments, with hurdles and real images, ends the same', async () => {
    const initial = 'search.initial=[empty, paper/logistic]';
    const sets = ['--set', initial, '--set', 'experiment.algorithms=30000', '--set', 'select.at=new-best'];
    const search = ['run', 'digits', '--seed', '4', '--islands', '2', '--max-algorithms', '100000', ...sets];
    const milliseconds = await runToEnd(search, path('digits'));
    await killOften(search, path('digits-killed'), 6, milliseconds);
    resume(path('digits-killed'));
    const { result, ...files } = outcome(path('digits-killed'));
    expect({ result, ...files }).toEqual(outcome(path('digits')));
    expect(result.counts.cut).toBeGreaterThan(1000);
    expect(result.counts.audited).toBeGreaterThan(0);
  });

  it('at 8 moments, with our own method on two islands, ends the same', async () => {
    const settings = ['search.method=evozero', 'search.population=300', 'islands.migration.every=[500, 2000]'];
    const search = [...searchOf(80_000, 25_000, 2), ...settings.flatMap((setting) => ['--set', setting])];
    const milliseconds = await runToEnd(search, path('evozero'));
    await killOften(search, path('evozero-killed'), 8, milliseconds);
    resume(path('evozero-killed'), '--workers', '1');
    expect(outcome(path('evozero-killed'))).toEqual(outcome(path('evozero')));
  });

  it('during the final evaluation does that again', async () => {
    const sets = ['--set', 'tasks.final.count=2000', '--set', 'tasks.final.train=1000'];
    const search = [...searchOf(10_000, 5000), ...sets];
    /** Starts it, and waits until nothing is left to do but the final evaluation. */
    const startFinal = async (args: readonly string[], directory: string) => {
      const { child, done, searching } = start(args);
      await searching;
      while (algorithmsOf(directory) < 10_000) await setTimeout(5);
      return { child, done };
    };
    const { done: ended } = await startFinal([...search, '--out', path('final')], path('final'));
    const startedAt = performance.now();
    expect((await ended).status).toBe(0);
    const milliseconds = performance.now() - startedAt;
    let [kills, args] = [0, [...search, '--out', path('final-killed')]];
    for (const part of [0, 0.1, 0.2, 0.3]) {
      const { child, done } = await startFinal(args, path('final-killed'));
      await setTimeout(part * milliseconds);
      child.kill('SIGKILL');
      // One that was quicker than this test has ended.
      if ((await done).status !== null) break;
      kills++;
      args = ['resume', path('final-killed')];
    }
    expect(kills).toBeGreaterThan(0);
    resume(path('final-killed'));
    expect(outcome(path('final-killed'))).toEqual(outcome(path('final')));
  });

  it('and whose newest checkpoint is damaged goes on from the one before', async () => {
    await shortRun();
    const directory = path('damaged');
    // The signal makes it write another one.
    await stopWith('SIGINT', SHORT, directory, 'checkpoint');
    const checkpoint = join(directory, 'checkpoint');
    const bytes = readFileSync(checkpoint);
    writeFileSync(checkpoint, bytes.subarray(0, bytes.length - 1000));
    const { stderr } = resume(directory);
    expect(stderr).toMatch(
      /^evozero: .*\/checkpoint is cut off after .* bytes; going on from the checkpoint before it\n/,
    );
    expect(outcome(directory)).toEqual(outcome(path('short')));
  });
});

describe('a run that is told to stop', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('with %s saves everything first', async (signal, code) => {
    await shortRun();
    const directory = path(signal);
    const { status, stdout, stderr } = await stopWith(signal, SHORT, directory, 'checkpoint');
    expect(status).toBe(code);
    expect(stderr).not.toContain('evozero:');
    const [, algorithms] = /^Stopped after ([\d,]+) algorithms and \d+ s; everything is kept\.$/m.exec(stdout)!;
    expect(stdout).toContain(`Go on with:  evozero resume ${directory}\n`);
    expect(readdirSync(directory)).not.toContain('lock');
    // Nothing of it is done again.
    const { stderr: resumed } = resume(directory);
    const [, first] = /([\d,]+) algorithms/.exec(resumed)!;
    const number = (text: string) => Number(text.replaceAll(',', ''));
    expect(number(first!)).toBeGreaterThanOrEqual(number(algorithms!));
    expect(outcome(directory)).toEqual(outcome(path('short')));
  });

  it('twice ends at once, and can be resumed all the same', async () => {
    await shortRun();
    const directory = path('twice');
    const { child, done, searching } = start([...SHORT, '--json', '--out', directory]);
    await searching;
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect((await done).status).toBe(130);
    expect(JSON.parse(resume(directory, '--json').stdout)).toEqual(JSON.parse(read(directory, 'result.json')));
    expect(outcome(directory)).toEqual(outcome(path('short')));
  });
});

it('a run of the configuration of one on a Redis is one of this machine, and can be resumed', async () => {
  await shortRun();
  const { islands, ...config } = JSON.parse(read(path('short'), 'config.json'));
  writeFileSync(path('redis.json'), JSON.stringify({ ...config, islands: { ...islands, remote: 'elsewhere' } }));
  const directory = path('from-redis');
  const { child, done, searching } = start(['run', path('redis.json'), '--json', '--out', directory]);
  await searching;
  child.kill('SIGINT');
  expect((await done).status).toBe(130);
  resume(directory);
  expect(outcome(directory).config).toBe(outcome(path('short')).config);
  expect(outcome(directory).events).toEqual(outcome(path('short')).events);
});

describe('a finished run', () => {
  const contents = (directory: string) =>
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name)).toString('base64')]);

  it('says that it is, and stays as it is', async () => {
    await shortRun();
    const directory = path('short');
    const before = contents(directory);
    expect(resume(directory)).toEqual({
      status: 0,
      stdout: `${directory} is finished; evozero show ${directory} shows what it found\n`,
      stderr: '',
    });
    expect(JSON.parse(resume(directory, '--json').stdout)).toEqual(JSON.parse(read(directory, 'result.json')));
    const less = evozero(['resume', directory, '--max-algorithms', '150000']);
    expect(less).toEqual({
      status: 2,
      stdout: '',
      stderr: 'evozero: the run ended after its 150000 algorithms; give it more than that\n',
    });
    expect(contents(directory)).toEqual(before);
  });

  it('goes on with more algorithms, to what a run with as many from the start finds', async () => {
    await shortRun();
    const directory = path('longer');
    cpSync(path('short'), directory, { recursive: true });
    await runToEnd(searchOf(230_000, 40_000), path('longer-reference'));
    resume(directory, '--max-algorithms', '230000');
    expect(outcome(directory)).toEqual(outcome(path('longer-reference')));
    // As it is left by a process that is killed right after it has noted the new limit.
    const noted = path('longer-noted');
    cpSync(path('short'), noted, { recursive: true });
    cpSync(join(directory, 'config.json'), join(noted, 'config.json'));
    resume(noted);
    expect(outcome(noted)).toEqual(outcome(path('longer-reference')));
  });
});
