// Data sets as files: `evozero data`, a real MATLAB file, broken files, and tasks that threads share.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compiled, evozero, startEvozero } from '../support/cli.js';
import { send, sendThenCut, sendThenStall, serve, status } from '../support/file-server.js';
import { emptyFolder } from '../support/folders.js';
import { expectMistake } from '../support/mistake.js';

const DATA = process.env.EVOZERO_DATA!;
const MNIST = [
  'train-images-idx3-ubyte',
  'train-labels-idx1-ubyte',
  't10k-images-idx3-ubyte',
  't10k-labels-idx1-ubyte',
];

function published(name: string): Buffer {
  return readFileSync(join(DATA, 'mnist', `${name}.gz`));
}

/** A data directory with MNIST, of which some files have other content. */
function mnistWith(changed: Readonly<Record<string, Uint8Array>>): string {
  const folder = emptyFolder();
  mkdirSync(join(folder, 'mnist'));
  for (const name of MNIST) {
    const path = join(folder, 'mnist', name);
    if (changed[name] !== undefined) writeFileSync(path, changed[name]);
    else symlinkSync(join(DATA, 'mnist', `${name}.gz`), `${path}.gz`);
  }
  return folder;
}

describe('evozero data list', () => {
  test('tells what is where', () => {
    const { stdout } = evozero(['data', 'list', '--json', '--data', mnistWith({})]);
    const { datasets } = JSON.parse(stdout) as { datasets: { name: string; status: string }[] };
    expect(datasets.map(({ name, status: state }) => [name, state])).toEqual([
      ['cifar10', 'missing'],
      ['mnist', 'present'],
      ['fashion-mnist', 'missing'],
      ['svhn', 'missing'],
      ['digits', 'embedded'],
    ]);
    const half = emptyFolder();
    mkdirSync(join(half, 'mnist'));
    for (const name of MNIST.slice(0, 2)) writeFileSync(join(half, 'mnist', name), '');
    const status = (data: string) => {
      const { datasets: sets } = JSON.parse(evozero(['data', 'list', '--json', '--data', data]).stdout);
      return sets[1].status;
    };
    expect(status(half)).toBe('incomplete');
    const plain = evozero(['data', 'list']);
    expect(plain.stdout).toContain('CC BY 4.0');
    expect(plain.stdout).not.toContain('\x1b');
  });
});

describe('evozero data verify', () => {
  test('accepts the real files', () => {
    const { status: code, stdout } = evozero(['data', 'verify', 'cifar10', 'mnist', 'fashion-mnist', '--json']);
    expect(code).toBe(0);
    const { parts } = JSON.parse(stdout) as { parts: { images: number; classCounts: number[] }[] };
    expect(parts.map(({ images }) => images)).toEqual([50_000, 10_000, 60_000, 10_000, 60_000, 10_000]);
    expect(parts[0]!.classCounts).toEqual(new Array(10).fill(5000));
  });

  test('accepts plain files, and refuses a changed pixel', () => {
    const images = gunzipSync(published('t10k-images-idx3-ubyte'));
    expect(evozero(['data', 'verify', 'mnist', '--data', mnistWith({ 't10k-images-idx3-ubyte': images })]).status).toBe(
      0,
    );
    images[1000]! ^= 1;
    const data = mnistWith({ 't10k-images-idx3-ubyte': images });
    const { status: code, stdout, stderr } = evozero(['data', 'verify', 'mnist', '--data', data]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ok {3}mnist train .*\nbad {2}mnist test .*t10k-images-idx3-ubyte: is not the published file: its SHA-256 is /,
    );
    expect(stderr).toBe('evozero: 1 of 2 parts are missing or not as published\n');
  });
});

test('evozero data verify without a name takes what is there, also half of it', () => {
  const data = emptyFolder();
  const verify = (...extra: string[]) => evozero(['data', 'verify', '--data', data, ...extra]);
  const nothing = verify('--json');
  expect(nothing.status).toBe(0);
  expect(JSON.parse(nothing.stdout).parts.map(({ name }: { name: string }) => name)).toEqual(['digits', 'digits']);
  mkdirSync(join(data, 'mnist'));
  for (const name of MNIST.slice(2)) symlinkSync(join(DATA, 'mnist', `${name}.gz`), join(data, 'mnist', `${name}.gz`));
  const { status: code, stdout } = verify('--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    parts: [
      { name: 'mnist', part: 'train', ok: false },
      { name: 'mnist', part: 'test', ok: true, images: 10_000 },
      { name: 'digits', part: 'train', ok: true },
      { name: 'digits', part: 'test', ok: true },
    ],
  });
});

describe('evozero data get', () => {
  const getFrom = (mirror: string, name: string, data: string) =>
    startEvozero(['data', 'get', name, '--data', data, '--mirror', mirror]).done;

  test.each(['SIGINT', 'SIGTERM'] as const)('stops at %s with one line, and keeps what has come', async (signal) => {
    const images = published('train-images-idx3-ubyte');
    const server = await serve({ '/train-images-idx3-ubyte.gz': sendThenStall(images, 4_000_000) });
    const data = emptyFolder();
    const { child, done } = startEvozero(['data', 'get', 'mnist', '--data', data, '--mirror', server.base]);
    const started = () => {
      const [name] = existsSync(join(data, 'mnist')) ? readdirSync(join(data, 'mnist')) : [];
      return name !== undefined && statSync(join(data, 'mnist', name)).size > 1_000_000;
    };
    while (!started()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill(signal);
    const { status: code, stderr } = await done;
    expect(code).toBe(1);
    expect(stderr).toMatch(/\nevozero: mnist: stopped; the same command goes on where it was\n$/);
    expect(readdirSync(join(data, 'mnist'))).toEqual(['train-images-idx3-ubyte.gz.partial']);
  });

  test('downloads, goes on after cuts, and leaves what the reader takes', async () => {
    const files = Object.fromEntries(MNIST.map((name) => [`/${name}.gz`, send(published(name))]));
    const images = published('train-images-idx3-ubyte');
    const server = await serve({
      ...files,
      '/train-images-idx3-ubyte.gz': [sendThenCut(images, 4_000_000), sendThenCut(images, 3_000_000), send(images)],
    });
    const data = emptyFolder();
    const { status: code, stdout, stderr } = await getFrom(server.base, 'mnist', data);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `mnist: complete in ${join(data, 'mnist')}\n` });
    expect(stderr).toMatch(/train-images-idx3-ubyte.gz .* of 12 MB/);
    expect(server.asked.slice(0, 3)).toEqual([
      '/train-images-idx3-ubyte.gz whole',
      expect.stringMatching(/^\/train-images-idx3-ubyte.gz bytes=\d{7}-$/),
      expect.stringMatching(/^\/train-images-idx3-ubyte.gz bytes=\d{7}-$/),
    ]);
    expect(readdirSync(join(data, 'mnist')).sort()).toEqual(MNIST.map((name) => `${name}.gz`).sort());
    expect(evozero(['data', 'verify', 'mnist', '--data', data]).status).toBe(0);
  });

  test('says what to put where when there is nothing to download from', async () => {
    const server = await serve({ '/train_32x32.mat': status(404) });
    const data = emptyFolder();
    const { status: code, stderr } = await getFrom(server.base, 'svhn', data);
    expect(code).toBe(1);
    const last = stderr.trimEnd().split('\n').at(-1);
    expect(last).toContain(`${server.base}/train_32x32.mat: answered 404 Not Found`);
    expect(last).toContain(`put its files, plain or .gz, into ${join(data, 'svhn')}: train_32x32.mat, test_32x32.mat`);
  });

  test('refuses other content, and leaves nothing that could be taken for it', async () => {
    const server = await serve({ '/train-images-idx3-ubyte.gz': send(Buffer.alloc(9_912_422, 7)) });
    const data = emptyFolder();
    const { status: code, stderr } = await getFrom(server.base, 'mnist', data);
    expect(code).toBe(1);
    expect(stderr).toContain('sent other content (the SHA-256 differs)');
    expect(readdirSync(join(data, 'mnist'))).toEqual([]);
  });
});

describe('a broken data set', () => {
  const tasks = ['eval', 'paper/logistic', '--tasks', 'mnist-binary-select', '--count', '1'];
  const labels = gunzipSync(published('train-labels-idx1-ubyte'));
  const changed = (at: number, value: number) => {
    const bytes = Buffer.from(labels);
    bytes[at] = value;
    return bytes;
  };

  test.each([
    [
      'gzip that is cut off',
      'train-images-idx3-ubyte',
      published('train-images-idx3-ubyte').subarray(0, 5_000_000),
      /train-images-idx3-ubyte: ends in the middle of its compressed data/,
    ],
    [
      'a wrong magic number',
      'train-labels-idx1-ubyte',
      changed(3, 9),
      /train-labels-idx1-ubyte: is not an IDX file of labels: begins with 0x00000809/,
    ],
    [
      'a label out of range',
      'train-labels-idx1-ubyte',
      changed(8 + 41, 10),
      /train-labels-idx1-ubyte: label 42 is 10, and labels are 0 to 9/,
    ],
    [
      'another label',
      'train-labels-idx1-ubyte',
      changed(8, 6),
      /train-labels-idx1-ubyte: is not the published file: .*--unverified reads it all the same/,
    ],
    [
      'too few labels',
      'train-labels-idx1-ubyte',
      gzipSync(labels.subarray(0, 1000)),
      /train-labels-idx1-ubyte: ends in the middle of its 60000 labels \(at byte 1,000\)/,
    ],
  ])('%s', (_, name, content, message) => {
    expectMistake([...tasks, '--data', mnistWith({ [name]: content })], message);
  });

  test('no files at all', () => {
    const data = mnistWith({});
    expectMistake(
      [...tasks, '--data', join(data, 'nothing')],
      /MNIST: its train files are not in .*nothing; put its files, .* or run evozero data get mnist\n/,
    );
    expectMistake(
      ['eval', 'paper/logistic', '--tasks', 'cifar10-select', '--data', data],
      /CIFAR-10: its train files are not in/,
    );
  });

  test('a file that cannot be looked at', () => {
    const data = emptyFolder();
    mkdirSync(join(data, 'cifar10'));
    symlinkSync('data_batch_1.bin', join(data, 'cifar10', 'data_batch_1.bin'));
    const message = /data_batch_1\.bin: too many symbolic links\n/;
    expectMistake(['eval', 'paper/logistic', '--tasks', 'cifar10-select', '--data', data], message);
    expectMistake(['data', 'get', 'cifar10', '--data', data], message);
    const listed = evozero(['data', 'list', '--data', data]);
    expect(listed.status).toBe(0);
    expect(listed.stdout).toMatch(message);
    expect(evozero(['data', 'verify', '--data', data]).stdout).toMatch(message);
  });

  test('unverified, it is read all the same', () => {
    const { status: code } = evozero([
      ...tasks,
      '--data',
      mnistWith({ 'train-labels-idx1-ubyte': changed(8, 6) }),
      '--unverified',
    ]);
    expect(code).toBe(0);
  });
});

describe("SVHN's MATLAB files", () => {
  /** Writes both parts with SciPy, from the records. */
  const SCRIPT = `
import sys, numpy as np
from scipy.io import savemat
source, target = sys.argv[1:]
for part in ['train', 'test']:
    records = np.fromfile(f'{source}/svhn_small_{part}.bin', dtype=np.uint8).reshape(-1, 3073)
    x = records[:, 1:].reshape(-1, 3, 32, 32).transpose(2, 3, 1, 0)
    y = records[:, :1].copy()
    y[y == 0] = 10
    savemat(f'{target}/{part}_32x32.mat', {'X': x, 'y': y}, do_compression=True)
`;

  const findPython = () =>
    ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import scipy.io']).status === 0);

  function writeMatlab(target: string): void {
    if (findPython() === undefined) {
      spawnSync('apt-get', ['install', '-y', '-qq', 'python3-scipy'], { stdio: 'ignore' });
    }
    const python = findPython();
    if (python === undefined) throw new Error('this test writes a MATLAB file with SciPy: install python3-scipy');
    const { status: code, stderr } = spawnSync(python, ['-c', SCRIPT, join(DATA, 'svhn'), target], {
      encoding: 'utf8',
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }

  test('give the same tasks as the records that they were made of', () => {
    const data = emptyFolder();
    mkdirSync(join(data, 'svhn'));
    writeMatlab(join(data, 'svhn'));
    const fitnesses = (...extra: string[]) => {
      const args = [
        'eval',
        'paper/neural-net',
        '--tasks',
        'svhn-binary-final',
        '--features',
        '16',
        '--count',
        '9',
        '--json',
        ...extra,
      ];
      const { stdout, stderr } = evozero(args);
      expect(stdout, stderr).not.toBe('');
      return (JSON.parse(stdout) as { fitnesses: number[] }).fitnesses;
    };
    const refused = evozero(['eval', 'paper/neural-net', '--tasks', 'svhn-binary-final', '--data', data]);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('train_32x32.mat: is not the published file');
    expect(fitnesses('--data', data, '--unverified')).toEqual(fitnesses());
  });
});

test('a classifier that is always wrong was not stopped early', () => {
  const path = join(emptyFolder(), 'wrong.alg');
  const { program } = JSON.parse(evozero(['show', 'paper/logistic', '--json']).stdout) as { program: string };
  writeFileSync(path, program.replace('s2 = 0.01', 's2 = -0.05'));
  const { stdout } = evozero(['eval', path, '--tasks', 'digits', '--count', '20', '--train', '4', '--valid', '2']);
  expect(stdout).toContain('worst    0.000000');
  expect(stdout).not.toContain('stopped early');
});

test('threads write the same tasks to one cache without harm', () => {
  const script = `
    import { Worker, isMainThread, workerData } from 'node:worker_threads';
    import { fileURLToPath } from 'node:url';
    import { TaskCache } from '${compiled('data/task-cache.js')}';
    const [folder] = process.argv.slice(2);
    if (isMainThread) {
      for (let k = 0; k < 4; k++) new Worker(fileURLToPath(import.meta.url), { argv: [folder] });
    } else {
      const cache = new TaskCache(folder);
      for (let k = 0; k < 50; k++) cache.write(TaskCache.key(k), new Float64Array(500).fill(k));
      for (let k = 0; k < 50; k++) if (!cache.read(TaskCache.key(k), new Float64Array(500))) throw new Error('lost');
    }`;
  const path = join(emptyFolder(), 'write.mjs');
  writeFileSync(path, script);
  const cache = emptyFolder();
  const { status: code, stderr } = spawnSync(process.execPath, [path, cache], { encoding: 'utf8' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const files = readdirSync(cache, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.task'))).toHaveLength(50);
  expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('threads share the memory of a task', () => {
  // Compiled code, as a user's worker would load it.
  const script = `
    import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
    import { builtin, sharedFloats, wasmEngine } from '${compiled('index.js')}';
    import { openTasks } from '${compiled('data/index.js')}';
    import { fileURLToPath } from 'node:url';
    const evaluate = (task) => wasmEngine('f64').prepare([task]).evaluate(builtin('paper/logistic').program)[0].fitness;
    if (isMainThread) {
      const request = { name: 'digits', count: 1, seed: 0 };
      const tasks = await openTasks(request, { allocate: sharedFloats });
      const task = await tasks.at(0);
      const before = evaluate(task);
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: task });
      worker.on('message', (there) => {
        console.log(JSON.stringify({ same: there === before, first: task.train.features[0] }));
      });
    } else {
      const fitness = evaluate(workerData);
      workerData.train.features[0] = 123;
      parentPort.postMessage(fitness);
    }`;
  const path = join(emptyFolder(), 'share.mjs');
  writeFileSync(path, script);
  const { stdout, stderr } = spawnSync(process.execPath, [path], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ same: true, first: 123 });
});
