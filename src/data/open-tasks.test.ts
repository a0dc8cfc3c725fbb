import { expect, test } from 'vitest';
import { ownFloats, sharedFloats } from '../tasks/shared-floats.js';
import { openTasks, type TaskRequest } from './open-tasks.js';

const places = { directories: [], cache: '/nowhere', isVerified: true, note: () => {} };
const request: TaskRequest = { name: 'digits', count: 2, seed: 0 };
const open = (changes: Partial<TaskRequest> = {}, allocate = ownFloats) =>
  openTasks({ ...request, ...changes }, places, allocate);

test('makes the tasks of a set one at a time, the same each time', async () => {
  const tasks = await open();
  expect(tasks).toMatchObject({ loss: 'accuracy', features: 16, count: 2, trainCount: 224, validCount: 56 });
  expect(await tasks.at(1)).toEqual(await (await open()).at(1));
  expect(await tasks.at(1)).not.toEqual(await tasks.at(0));
});

test('makes them in the memory that it is given', async () => {
  for (const name of ['digits', 'linear']) {
    const { train, valid } = await (await open({ name }, sharedFloats)).at(0);
    for (const { features, labels } of [train, valid]) {
      expect(features.buffer).toBeInstanceOf(SharedArrayBuffer);
      expect(labels.buffer).toBe(train.features.buffer);
    }
  }
});

test('draws features and labels of regression tasks apart', async () => {
  const first = async (changes: Partial<TaskRequest>) =>
    (await (await open({ name: 'linear', ...changes })).at(0)).train;
  const [a, b, c] = [await first({}), await first({ labelSeed: 5 }), await first({ seed: 1, labelSeed: 0 })];
  expect(b.features).toEqual(a.features);
  expect(b.labels).not.toEqual(a.labels);
  expect(c.features).not.toEqual(a.features);
  expect(await first({ labelSeed: 0 })).toEqual(a);
});

test('has no regression task in common between roles', async () => {
  const labels = ['linear', 'linear-search', 'linear-select', 'linear-final'].map(async (name) => {
    const tasks = await open({ name, count: 20 });
    return Promise.all(Array.from({ length: 20 }, async (_, k) => (await tasks.at(k)).train.labels[0]));
  });
  expect(new Set((await Promise.all(labels)).flat()).size).toBe(80);
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
  await expect(open(changes)).rejects.toThrow(RangeError);
  await expect(open(changes)).rejects.toThrow(message);
});

test('has no task beyond the last', async () => {
  const tasks = await open();
  for (const index of [-1, 2, 0.5]) await expect(tasks.at(index)).rejects.toThrow(`there is no task ${index}`);
});
