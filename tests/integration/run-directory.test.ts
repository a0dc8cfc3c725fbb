// A run directory under fire: a real process that writes it, killed at random moments, and two that want the same one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createRun, openRun } from '../../src/runs/run-directory.js';
import { compiled } from '../support/cli.js';
import { emptyFolder } from '../support/folders.js';

const MODULE = pathToFileURL(compiled('runs/run-directory.js')).href;
const STEPS = 3000;

/** What step n writes: lines of many lengths, some longer than a block of a disk. */
function eventOf(n: number): string {
  return `${JSON.stringify({ n, text: 'x'.repeat(n % 50 === 0 ? 9000 : n % 90) })}\n`;
}

/** Goes on with the run until step STEPS, with a checkpoint now and then. */
const WRITER = `
  const [module, directory] = process.argv.slice(1);
  const { openRun } = await import(module);
  const { run, snapshot } = openRun(directory);
  process.stdout.write('opened');
  const numbers = new Float64Array(20000);
  if (snapshot !== undefined) numbers.set(snapshot.arrays.numbers);
  for (let n = snapshot?.state.n ?? 0; n < ${STEPS}; ) {
    n++;
    run.appendEvent({ n, text: 'x'.repeat(n % 50 === 0 ? 9000 : n % 90) });
    run.appendProgress({ n, milliseconds: performance.now() });
    numbers[n] = n;
    if (n % 3 === 0) run.flush();
    if (n % 7 === 0) run.writeBest('best of ' + n, 'simple best of ' + n);
    if (n % 10 === 0) run.saveCheckpoint({ state: { n }, arrays: { numbers } });
  }
  run.close();
`;

/** A process that runs a script with MODULE and a directory as arguments. */
function start(script: string, directory: string) {
  const args = ['--input-type=module', '-e', script, MODULE, directory];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, exit: once(child, 'exit'), said: once(child.stdout, 'data') };
}

/** The run can be opened and its logs are what its checkpoint says. Returns the step. */
function expectWhole(directory: string): number {
  const { run, snapshot, notes } = openRun(directory);
  run.close();
  const { n = 0 } = (snapshot?.state ?? {}) as { n?: number };
  expect(notes).toEqual([]);
  const events = Array.from({ length: n }, (_, k) => eventOf(k + 1)).join('');
  expect(readFileSync(join(directory, 'events.jsonl'), 'utf8') === events).toBe(true);
  const rows = readFileSync(join(directory, 'progress.csv'), 'utf8').split('\n');
  expect(rows.map((row) => row.split(',')[0])).toEqual(
    n === 0 ? [''] : ['n', ...Array.from({ length: n }, (_, k) => String(k + 1)), ''],
  );
  if (snapshot !== undefined) {
    expect(snapshot.arrays.numbers!.every((x, k) => x === (k <= n ? k : 0))).toBe(true);
  }
  expect(readdirSync(directory).filter((name) => /tmp|next|lock/.test(name))).toEqual([]);
  return n;
}

test('a run whose process is killed at any moment goes on to what it would have become', async () => {
  const directory = join(emptyFolder(), 'x');
  createRun(directory, {}, '1.2.3').close();
  const steps: number[] = [];
  for (let kills = 0; kills < 20; kills++) {
    const { child, exit, said } = start(WRITER, directory);
    // The first ones at any time, also before the process does anything; then while it works.
    if (kills >= 5) await said;
    await setTimeout(Math.random() * (kills < 5 ? 200 : 80));
    child.kill('SIGKILL');
    await exit;
    steps.push(expectWhole(directory));
  }
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(new Set(steps).size).toBeGreaterThan(5);
  expect(await start(WRITER, directory).exit).toEqual([0, null]);
  expect(expectWhole(directory)).toBe(STEPS);
});

test('a run that a process is writing is not opened by another one', async () => {
  const directory = join(emptyFolder(), 'x');
  createRun(directory, {}, '1.2.3').close();
  const { child, exit, said } = start(WRITER, directory);
  await said;
  child.kill('SIGSTOP');
  expect(() => openRun(directory)).toThrow(`${directory}: in use by process ${child.pid}; stop that first`);
  child.kill('SIGKILL');
  await exit;
  expectWhole(directory);
});

/** What six processes at once have said. They stay, with what they have opened, until all have. */
async function askSix(script: string, directory: string): Promise<string[]> {
  const begin = 'const [module, directory] = process.argv.slice(1); const runs = await import(module);';
  const processes = Array.from({ length: 6 }, () => start(`${begin}${script}; setTimeout(() => {}, 1e8);`, directory));
  const answers = await Promise.all(processes.map(({ said }) => said as Promise<[Buffer]>));
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ exit }) => exit));
  return answers.map(([answer]) => answer.toString()).toSorted();
}

test('of processes that want the same name, each gets another, and a lock that is left goes to one of them', async () => {
  const parent = join(emptyFolder(), 'runs');
  const make = `
    const made = runs.freeRunName(directory, 'x');
    runs.createRun(made, {}, '1');
    process.stdout.write(made)`;
  const names = ['x', 'x-2', 'x-3', 'x-4', 'x-5', 'x-6'].map((name) => join(parent, name));
  expect(await askSix(make, parent)).toEqual(names);
  for (const name of names) {
    expect(readdirSync(name)).toContain('lock');
    const open = `
      try { runs.openRun(directory); process.stdout.write('opened'); }
      catch (error) { process.stdout.write(error.message.replace(/\\d+;/, 'N;')); }`;
    const refused = Array.from({ length: 5 }, () => `${name}: in use by process N; stop that first`);
    expect(await askSix(open, name)).toEqual([...refused, 'opened']);
  }
});
