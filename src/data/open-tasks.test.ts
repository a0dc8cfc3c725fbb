import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import type { Task } from '../engine/engine.js';
import { sharedFloats } from '../tasks/allocate.js';
import { drawTasks } from '../tasks/task-sets.js';
import type { DataPlaces } from './image-part.js';
import { openTasks, type TaskRequest } from './open-tasks.js';

const SIDE = 28;
const COUNT = 40;

/** MNIST's files, of COUNT images: four of each class, whose pixels depend on the salt. */
function writeMnist(data: string, salts: { readonly train: number; readonly t10k: number }, swapped = false): void {
  mkdirSync(join(data, 'mnist'), { recursive: true });
  const word = (x: number) => [x >>> 24, (x >>> 16) & 255, (x >>> 8) & 255, x & 255];
  for (const [part, salt] of Object.entries(salts)) {
    const pixels = Array.from(
      { length: COUNT * SIDE * SIDE },
      (_, k) => (Math.imul(k + salt, 2654435761) >>> 11) & 255,
    );
    const labels = Array.from({ length: COUNT }, (_, k) => (k === 0 && swapped ? 1 : k % 10));
    const write = (name: string, words: number[], bytes: number[]) =>
      writeFileSync(join(data, 'mnist', `${part}-${name}`), Uint8Array.from([...words.flatMap(word), ...bytes]));
    write('images-idx3-ubyte', [0x803, COUNT, SIDE, SIDE], pixels);
    write('labels-idx1-ubyte', [0x801, COUNT], labels);
  }
}

function placesOf(data: string, cache = emptyFolder()): DataPlaces {
  return { directories: [data], cache, isVerified: false, note: () => {} };
}

const request = (name: string, more: Partial<TaskRequest> = {}): TaskRequest => ({
  name,
  count: 3,
  seed: 0,
  ...more,
});

async function tasksOf(places: DataPlaces, ...args: Parameters<typeof request>): Promise<Task[]> {
  const tasks = await openTasks(request(...args), places);
  return Promise.all(Array.from({ length: tasks.count }, (_, k) => tasks.at(k)));
}

const NOWHERE: DataPlaces = { directories: [], cache: '', isVerified: true, note: () => {} };

describe('files that change', () => {
  test.each([
    ['training images, to select', 'mnist-select', { train: 2, t10k: 9 }],
    ['training images, in the final evaluation', 'mnist-final', { train: 2, t10k: 9 }],
    ['test images', 'mnist-final', { train: 1, t10k: 8 }],
  ])('give other tasks, whatever is in the cache: %s', async (_, name, salts) => {
    const [data, cache] = [emptyFolder(), emptyFolder()];
    const read = (folder = cache) => tasksOf(placesOf(data, folder), name, { features: 4 });
    writeMnist(data, { train: 1, t10k: 9 });
    const before = await read();
    expect(await read()).toEqual(before);
    writeMnist(data, salts);
    const after = await read();
    expect(after).not.toEqual(before);
    expect(after).toEqual(await read(emptyFolder()));
  });

  test('have other numbers of images', async () => {
    const [data, cache] = [emptyFolder(), emptyFolder()];
    const counts = async () => {
      const { trainCount, validCount } = await openTasks(request('mnist-select'), placesOf(data, cache));
      return trainCount + validCount;
    };
    writeMnist(data, { train: 1, t10k: 9 });
    expect(await counts()).toBe(8);
    writeMnist(data, { train: 1, t10k: 9 }, true);
    expect(await counts()).toBe(6);
  });

  test('while they are in use are not taken for what they were', async () => {
    const [data, cache] = [emptyFolder(), emptyFolder()];
    writeMnist(data, { train: 1, t10k: 9 });
    await openTasks(request('mnist-select'), placesOf(data, cache));
    const tasks = await openTasks(request('mnist-select', { features: 4 }), placesOf(data, cache));
    writeMnist(data, { train: 2, t10k: 9 });
    await expect(tasks.at(0)).rejects.toThrow('mnist: its files have changed while they were in use');
  });

  test('are refused when they were read unverified before', async () => {
    const data = emptyFolder();
    writeMnist(data, { train: 1, t10k: 9 });
    const places = placesOf(data);
    await openTasks(request('mnist-select'), places);
    await expect(openTasks(request('mnist-select'), { ...places, isVerified: true })).rejects.toThrow(
      'train-images-idx3-ubyte: is not the published file',
    );
  });
});

test('tasks of the same classes are not taken for each other in the cache', async () => {
  const data = emptyFolder();
  writeMnist(data, { train: 1, t10k: 9 });
  const places = placesOf(data);
  // 9 pairs, three times each.
  const tasks = await tasksOf(places, 'mnist-select', { features: 4, count: 27 });
  expect(new Set(tasks.map(({ train }) => train.features.join())).size).toBe(27);
  expect(await tasksOf(places, 'mnist-select', { features: 4, count: 27 })).toEqual(tasks);
  const few = await tasksOf(places, 'mnist-select', { features: 4, train: 2, valid: 4 });
  const many = await tasksOf(places, 'mnist-select', { features: 4, train: 4, valid: 2 });
  expect(many).not.toEqual(few);
  expect(many).toEqual(await tasksOf(placesOf(data), 'mnist-select', { features: 4, train: 4, valid: 2 }));
});

describe('regression tasks', () => {
  /** The first weight of a linear function of two features, found from two examples by Cramer's rule. */
  const slope = ({ train: { features, labels } }: Task) => {
    const [a, b, c, d] = features as unknown as [number, number, number, number];
    return (labels[0]! * d - b * labels[1]!) / (a * d - b * c);
  };

  test('have labelling functions of --label-seed', async () => {
    const [a] = await tasksOf(NOWHERE, 'linear', { features: 2 });
    const [b] = await tasksOf(NOWHERE, 'linear', { features: 2, labelSeed: 1 });
    const [c] = await tasksOf(NOWHERE, 'linear', { features: 2, labelSeed: 0 });
    expect(b!.train.features).toEqual(a!.train.features);
    expect(b!.train.labels).not.toEqual(a!.train.labels);
    expect(c).toEqual(a);
  });

  test('of different roles have no labelling function in common, also with a --label-seed', async () => {
    const sets = await Promise.all(
      ['linear', 'linear-search', 'linear-select', 'linear-final'].map((name) =>
        tasksOf(NOWHERE, name, { features: 2, labelSeed: 7 }),
      ),
    );
    expect(new Set(sets.flat().map((task) => slope(task).toFixed(9))).size).toBe(12);
  });

  test('depend on the seed in every role', async () => {
    for (const name of ['linear', 'linear-select']) {
      const [a, b] = await Promise.all([0, 1].map((seed) => tasksOf(NOWHERE, name, { features: 2, seed })));
      expect(slope(b![0]!)).not.toBe(slope(a![0]!));
      expect(b![0]!.train.features).not.toEqual(a![0]!.train.features);
    }
  });
});

test('random ops are keyed as the draw says', async () => {
  const set = { dataset: 'digits', kind: 'binary', role: 'all' } as const;
  const drawn = drawTasks(set, 3, 5, 'released').map(({ programSeed }) => programSeed);
  expect((await tasksOf(NOWHERE, 'digits', { seed: 5 })).map(({ seed }) => seed)).toEqual(drawn);
});

test('only what takes long to make is cached', async () => {
  const data = emptyFolder();
  writeMnist(data, { train: 1, t10k: 9 });
  const places = placesOf(data);
  await tasksOf(places, 'digits');
  await tasksOf(places, 'mnist-final');
  expect(existsSync(join(places.cache, 'tasks'))).toBe(false);
  await tasksOf(places, 'mnist-select');
  expect(existsSync(join(places.cache, 'tasks'))).toBe(true);
});

test('files that cannot be read are closed', async () => {
  const data = emptyFolder();
  writeMnist(data, { train: 1, t10k: 9 });
  const path = join(data, 'mnist/train-labels-idx1-ubyte');
  writeFileSync(path, readFileSync(path).fill(99, 8));
  const isOpen = () =>
    readdirSync('/proc/self/fd').some((fd) => {
      try {
        return readlinkSync(join('/proc/self/fd', fd)).startsWith(data);
      } catch {
        return false;
      }
    });
  await expect(tasksOf(placesOf(data), 'mnist-select')).rejects.toThrow('label 1 is 99');
  await vi.waitFor(() => expect(isOpen()).toBe(false));
});

describe('a table', () => {
  const path = () => {
    const file = join(emptyFolder(), 'table.tsv');
    writeFileSync(
      file,
      ['a\tb\ty', ...Array.from({ length: 60 }, (_, k) => `${k % 7}\t${k % 11}\t${k / 8}`)].join('\n'),
    );
    return file;
  };
  const table = { target: 'y' };

  test('is split otherwise in every task and with every seed', async () => {
    const file = path();
    const [a, b] = await Promise.all([0, 1].map((seed) => tasksOf(NOWHERE, file, { table, seed })));
    expect(new Set([...a!, ...b!].map(({ valid }) => valid.labels.toSorted().join())).size).toBe(6);
    expect(await tasksOf(NOWHERE, file, { table })).toEqual(a);
  });

  test('has as many features as are asked for', async () => {
    expect((await tasksOf(NOWHERE, path(), { table, features: 5 })).map(({ features }) => features)).toEqual([5, 5, 5]);
  });
});

test('makes them in the memory that it is given', async () => {
  for (const name of ['digits', 'linear']) {
    const { train, valid } = await (await openTasks(request(name), { ...NOWHERE, allocate: sharedFloats })).at(0);
    for (const { features, labels } of [train, valid]) {
      expect(features.buffer).toBeInstanceOf(SharedArrayBuffer);
      expect(labels.buffer).toBe(train.features.buffer);
    }
  }
});

test.each([
  [{ count: 1.5 }, 'count: expected a whole number of at least 1, not 1.5'],
  [{ count: 0 }, 'count: '],
  [{ seed: -1 }, 'seed: expected a whole number of at least 0, not -1'],
  [{ labelSeed: 0.5 }, 'labelSeed: '],
  [{ features: 1 }, 'features: expected a whole number of at least 2, not 1'],
  [{ train: -5 }, 'train: '],
  [{ valid: 2.5 }, 'valid: '],
  [{ split: Number.NaN }, 'split: '],
])('refuses %j', async (changes, message) => {
  await expect(openTasks(request('digits', changes), NOWHERE)).rejects.toThrow(RangeError);
  await expect(openTasks(request('digits', changes), NOWHERE)).rejects.toThrow(message);
});

test('has no task beyond the last', async () => {
  const tasks = await openTasks(request('digits'), NOWHERE);
  for (const index of [-1, 3, 0.5]) await expect(tasks.at(index)).rejects.toThrow(`there is no task ${index}`);
});
