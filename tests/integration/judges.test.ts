// Judges of several threads, from the compiled program: the same answers as in one thread, and a journal that outlives a killed command.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Judge, localJudge, type Trial } from '../../src/analysis/judge.js';
import { keepJournal } from '../../src/judges/journal.js';
import { builtin } from '../../src/program/builtin.js';
import { openBuiltinTasks } from '../../src/tasks/open-tasks.js';
import { compiled, evozero, startEvozero } from '../support/cli.js';

const directory = mkdtempSync(join(tmpdir(), 'evozero-judges-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Judges = typeof import('../../src/judges/thread-judge.js');
const threadJudges = (): Promise<Judges> => import(compiled('judges/thread-judge.js'));

const OPTIONS = { epochs: 1, precision: 'f64' } as const;
const openLinear = (count = 13) =>
  openBuiltinTasks({ name: 'linear', count, seed: 2, features: 4, train: 200, valid: 20 });

const TRIALS: readonly Trial[] = [
  ...['paper/linear', 'paper/affine', 'paper/neural-net'].map((name) => ({
    program: builtin(name)!.program,
    tasks: [...Array(13).keys()],
  })),
  { program: builtin('paper/linear')!.program, tasks: [12, 0, 5], maxTrainSteps: 50 },
];

describe('threads', () => {
  test.each([1, 2, 5])('%i answer like one', async (threads) => {
    const { ThreadJudge } = await threadJudges();
    const tasks = await openLinear();
    const judge = new ThreadJudge(tasks, OPTIONS, threads);
    const told = new Set<number>();
    const verdicts = await judge.judge(TRIALS, (index) => void told.add(index));
    expect(verdicts).toEqual(await localJudge(tasks, OPTIONS).judge(TRIALS));
    expect(told.size).toBe(TRIALS.length);
    // The threads have the tasks by now.
    expect(await judge.judge(TRIALS)).toEqual(verdicts);
    judge.dispose();
  });

  test('that fail say why, and end', async () => {
    const { ThreadJudge } = await threadJudges();
    const tasks = { ...(await openLinear()), features: 5 };
    const at = async (index: number) => ({ ...(await tasks.at(index)), features: 5 });
    const judge = new ThreadJudge({ ...tasks, at }, OPTIONS, 2);
    await expect(judge.judge(TRIALS)).rejects.toThrow(/examples do not have/);
    judge.dispose();
  });
});

describe('a journal', () => {
  test('answers what it knows, also after its last line was cut off', async () => {
    const path = join(directory, 'deep', 'journal.jsonl');
    const tasks = await openLinear();
    const first = keepJournal(localJudge(tasks, OPTIONS), path);
    const verdicts = await first.judge(TRIALS);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.slice(0, -20));

    let asked = 0;
    const local = localJudge(tasks, OPTIONS);
    const counting: Judge = {
      ...local,
      judge: (trials, onJudged) => {
        asked += trials.length;
        return local.judge(trials, onJudged);
      },
    };
    const second = keepJournal(counting, path);
    expect(second.known).toBe(TRIALS.length - 1);
    expect(await second.judge(TRIALS)).toEqual(verdicts);
    expect(asked).toBe(1);
    const third = keepJournal(counting, path);
    expect(await third.judge(TRIALS)).toEqual(verdicts);
    expect(asked).toBe(1);
    third.forget();
    expect(existsSync(path)).toBe(false);
  });

  test('of garbage is ignored', async () => {
    const path = join(directory, 'garbage.jsonl');
    writeFileSync(path, '\0\n{}\n["k",[2,1]]\n["k",["x",1]]\nnull\n[[[[\n');
    expect(keepJournal(localJudge(await openLinear(), OPTIONS), path).known).toBe(0);
  });

  test('that is a month old is deleted when another is opened', async () => {
    const [old, recent] = ['old.jsonl', 'recent.jsonl'].map((name) => join(directory, 'months', name));
    mkdirSync(join(directory, 'months'));
    for (const path of [old!, recent!]) writeFileSync(path, '');
    const month = Date.now() / 1000 - 31 * 24 * 3600;
    utimesSync(old!, month, month);
    keepJournal(localJudge(await openLinear(), OPTIONS), join(directory, 'months', 'new.jsonl'));
    expect([existsSync(old!), existsSync(recent!)]).toEqual([false, true]);
  });

  test('lets a tuning that was killed go on, to the same result', async () => {
    const args = ['tune', 'paper/neural-net', '--tasks', 'network', '--count', '10', '--features', '16'];
    const search = [...args, '--trials', '60', '--train', '4000', '--json'];
    const env = { ...process.env, EVOZERO_CACHE: join(directory, 'cache') };
    const measured = join(directory, 'cache', 'measured');
    const lines = () => {
      const [file] = existsSync(measured) ? readdirSync(measured) : [];
      return file === undefined ? 0 : readFileSync(join(measured, file), 'utf8').split('\n').length;
    };
    let before = 0;
    for (let k = 0; k < 3; k++) {
      const { child, done } = startEvozero(search, { env });
      const enough = before + 5;
      while (child.exitCode === null && lines() < enough) await new Promise((resolve) => setTimeout(resolve, 10));
      child.kill('SIGKILL');
      await done;
      before = lines();
    }
    const resumed = evozero(search, { env });
    expect(resumed.stderr).toMatch(/going on: \d+ evaluations/);
    const fresh = evozero(search, { env: { ...env, EVOZERO_CACHE: join(directory, 'other') } });
    expect(JSON.parse(resumed.stdout)).toEqual(JSON.parse(fresh.stdout));
    expect(readdirSync(measured)).toEqual([]);
  });
});
