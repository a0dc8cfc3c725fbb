// `evozero eval` on tasks made of real images: the paper's numbers, every set, the cache under fire.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evozero, ROOT, startEvozero } from '../support/cli.js';
import { emptyFolder, mountSmallDisk, temporaryFolder } from '../support/folders.js';

const DATA = process.env.EVOZERO_DATA!;

interface Result {
  readonly mean: number;
  readonly fitnesses: readonly number[];
  readonly features: number;
  readonly train: number;
  readonly valid: number;
}

function parse({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }): Result {
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Result;
}

function evaluate(args: string[], env: NodeJS.ProcessEnv = {}): Result {
  return parse(evozero(['eval', ...args, '--json'], { env: { ...process.env, ...env } }));
}

/** The data directory, or some of its data sets, without copying. */
function dataWith(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = emptyFolder();
  for (const [dataset, names] of Object.entries(files)) {
    mkdirSync(join(folder, dataset));
    for (const name of names) symlinkSync(join(DATA, dataset, name), join(folder, dataset, name));
  }
  return folder;
}

/** paper/evolved with its learning rate for these tasks. */
function evolved(folder: string): string {
  const { stdout } = evozero(['show', 'paper/evolved', '--json']);
  const { program } = JSON.parse(stdout) as { program: string };
  expect(program).toContain('s4 = 0.0018');
  const path = join(folder, 'evolved.alg');
  writeFileSync(path, program.replace('s4 = 0.0018', 's4 = 0.1'));
  return path;
}

describe('projected binary CIFAR-10', () => {
  const tasks = ['--tasks', 'cifar10-binary-select', '--count', '18', '--valid', '1000'];

  test('gives the accuracies of the paper, in its order', () => {
    const logistic = evaluate(['paper/logistic', ...tasks]);
    const network = evaluate(['paper/neural-net', ...tasks]);
    const best = evaluate([evolved(emptyFolder()), ...tasks]);
    expect(logistic).toMatchObject({ features: 16, train: 8000, valid: 1000 });
    expect(logistic.mean).toBeGreaterThan(0.67);
    expect(logistic.mean).toBeLessThan(0.72);
    expect(network.mean).toBeGreaterThan(logistic.mean + 0.01);
    expect(network.mean).toBeLessThan(0.75);
    expect(best.mean).toBeGreaterThan(network.mean);
    expect(best.mean).toBeLessThan(0.77);
  });

  test('gives what docs/results.md says', () => {
    const row = readFileSync(join(ROOT, 'docs/results.md'), 'utf8').match(
      /logistic regression, projected CIFAR-10 \| 0\.702 \| ([\d.]+) \|/,
    );
    const { mean } = evaluate([
      'paper/logistic',
      '--tasks',
      'cifar10-binary-select',
      '--count',
      '90',
      '--valid',
      '1000',
    ]);
    expect(mean.toFixed(4)).toBe(row![1]);
    expect(mean).toBeGreaterThan(0.69);
    expect(mean).toBeLessThan(0.71);
  });

  test('gives the same from the cache, without it, and in f32 nearly', () => {
    const once = evaluate(['paper/logistic', ...tasks]);
    expect(evaluate(['paper/logistic', ...tasks])).toEqual(once);
    expect(evaluate(['paper/logistic', ...tasks], { EVOZERO_CACHE: emptyFolder() })).toEqual(once);
    const { mean } = evaluate(['paper/logistic', ...tasks, '--precision', 'f32']);
    expect(Math.abs(mean - once.mean)).toBeLessThan(0.002);
  });

  test('differs between seeds, sets, splits and dimensions', () => {
    const variants = [[], ['--seed', '1'], ['--split', '3'], ['--features', '8']].map((extra) =>
      evaluate(['paper/logistic', '--tasks', 'cifar10-binary-select', '--count', '3', '--train', '800', ...extra]),
    );
    const search = evaluate(['paper/logistic', '--tasks', 'cifar10-search', '--count', '3', '--train', '800']);
    const means = [...variants, search].map(({ fitnesses }) => fitnesses.join());
    expect(new Set(means).size).toBe(means.length);
  });
});

describe('every set', () => {
  test.each([
    ['mnist-binary-search', 0.9, { features: 16, train: 8000, valid: 2000 }],
    ['fashion-mnist-binary-select', 0.85, { features: 16, train: 8000, valid: 2000 }],
    ['svhn-binary-search', 0.45, { features: 16, train: 1600, valid: 400 }],
    ['mnist-binary-final', 0.93, { features: 784, train: 8000, valid: 1784 }],
    ['digits', 0.8, { features: 16, train: 224, valid: 56 }],
    ['digits-binary-final', 0.9, { features: 64, train: 280, valid: 68 }],
  ])('%s', (name, least, settings) => {
    const result = evaluate(['paper/logistic', '--tasks', name, '--count', '9']);
    expect(result).toMatchObject(settings);
    expect(result.mean).toBeGreaterThan(least);
  });

  test('cifar10-multiclass-select, with a program that learns from label vectors', () => {
    const result = evaluate(['paper/multi-class-raw', '--tasks', 'cifar10-multiclass-select', '--count', '2']);
    expect(result).toMatchObject({ features: 16, train: 45_000, valid: 5000 });
    expect(result.mean).toBeGreaterThan(0.1);
  });

  test('cifar10-binary-final has all 3,072 features and is read from the test images', () => {
    const rate = join(emptyFolder(), 'logistic.alg');
    const { program } = JSON.parse(evozero(['show', 'paper/logistic', '--json']).stdout) as { program: string };
    writeFileSync(rate, program.replace('s2 = 0.01', 's2 = 0.0001'));
    const result = evaluate([rate, '--tasks', 'cifar10-binary-final', '--count', '2']);
    expect(result).toMatchObject({ features: 3072, train: 8000, valid: 2000 });
    expect(result.mean).toBeGreaterThan(0.7);
  });

  test('reads test images in the final evaluation only', () => {
    const data = dataWith({ mnist: ['train-images-idx3-ubyte.gz', 'train-labels-idx1-ubyte.gz'] });
    const small = ['--count', '1', '--train', '100', '--data', data];
    expect(evaluate(['paper/logistic', '--tasks', 'mnist-select', ...small]).train).toBe(100);
    expect(evaluate(['paper/logistic', '--tasks', 'mnist-tune', ...small])).toMatchObject({
      train: 100,
      features: 784,
    });
    const final = evozero(['eval', 'paper/logistic', '--tasks', 'mnist-final', ...small]);
    expect(final.status).toBe(2);
    expect(final.stderr).toMatch(
      /^evozero: MNIST: its test files are not in .*; put its files, .*, or run evozero data get mnist\n$/,
    );
  });

  test('says that svhn is a subset', () => {
    const { stderr } = evozero(['eval', 'paper/logistic', '--tasks', 'svhn-select', '--count', '1']);
    expect(stderr).toContain('svhn: a subset in CIFAR-10 records, not the published files\n');
  });
});

describe('the cache', () => {
  const args = [
    'paper/logistic',
    '--tasks',
    'mnist-binary-search',
    '--count',
    '12',
    '--train',
    '1000',
    '--valid',
    '200',
  ];
  const reference = temporaryFolder();
  let told: Result | undefined;
  /** What a process alone tells; several tests compare with it. */
  const expected = () => {
    told ??= evaluate(args, { EVOZERO_CACHE: reference });
    return told;
  };
  const tasksIn = (cache: string) => readdirSync(join(cache, 'tasks'), { recursive: true, encoding: 'utf8' });
  const start = (cache: string) =>
    startEvozero(['eval', ...args, '--json'], { env: { ...process.env, EVOZERO_CACHE: cache } });

  test('serves several processes that build the same tasks at once', async () => {
    const cache = emptyFolder();
    const runs = await Promise.all([start(cache), start(cache), start(cache)].map(({ done }) => done));
    for (const run of runs) expect(parse(run)).toEqual(expected());
    const names = tasksIn(cache);
    expect(names.filter((name) => name.endsWith('.task'))).toHaveLength(12);
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('survives processes that are killed while they fill it', async () => {
    const cache = emptyFolder();
    for (const waitMs of [300, 450, 600, 750, 900, 1100]) {
      const { child, done } = start(cache);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      child.kill('SIGKILL');
      await done;
    }
    expect(evaluate(args, { EVOZERO_CACHE: cache })).toEqual(expected());
  });

  test('is done without on a full disk, with one line that says so', () => {
    const disk = mountSmallDisk('300k');
    const { status, stdout, stderr } = evozero(['eval', ...args, '--json'], {
      env: { ...process.env, EVOZERO_CACHE: disk },
    });
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as Result).fitnesses).toEqual(expected().fitnesses);
    const notes = stderr.split('\n').filter((line) => line.startsWith('evozero: '));
    expect(notes).toEqual([`evozero: cannot write to the cache in ${disk}: no space left; going on without`]);
    expect(tasksIn(disk).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('is not needed: a file in its place', () => {
    const file = join(emptyFolder(), 'cache');
    writeFileSync(file, '');
    const { status, stderr } = evozero(['eval', ...args, '--json'], { env: { ...process.env, EVOZERO_CACHE: file } });
    expect(status).toBe(0);
    expect(stderr).toContain(`evozero: cannot write to the cache in ${file}: `);
  });
});
