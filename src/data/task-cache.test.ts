import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, mountSmallDisk } from '../../tests/support/folders.js';
import { ownFloats, sharedFloats } from '../tasks/allocate.js';
import { TaskCache } from './task-cache.js';

const NUMBERS = Float64Array.of(1.5, -0, Number.MIN_VALUE, Math.PI, 1e300);
const KEY = TaskCache.key({ a: 1 });

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

function pathIn(folder: string): string {
  return join(folder, filesIn(folder)[0]!);
}

test('gives back what was stored, to the bit, into shared memory too', () => {
  const cache = new TaskCache(emptyFolder());
  cache.write(KEY, NUMBERS);
  for (const allocate of [ownFloats, sharedFloats]) {
    const numbers = allocate(NUMBERS.length);
    expect(cache.read(KEY, numbers)).toBe(true);
    expect(numbers.every((x, k) => Object.is(x, NUMBERS[k]))).toBe(true);
  }
});

test('stores a view of a larger buffer as what it shows', () => {
  const cache = new TaskCache(emptyFolder());
  cache.write(KEY, Float64Array.of(9, 1, 2, 9).subarray(1, 3));
  const numbers = ownFloats(2);
  expect(cache.read(KEY, numbers)).toBe(true);
  expect([...numbers]).toEqual([1, 2]);
});

test('has other keys for other parameters', () => {
  const cache = new TaskCache(emptyFolder());
  cache.write(KEY, NUMBERS);
  expect(cache.read(TaskCache.key({ a: 2 }), ownFloats(5))).toBe(false);
  expect(cache.read(KEY, ownFloats(4))).toBe(false);
  expect(cache.read(KEY, ownFloats(6))).toBe(false);
});

test('does not give back a file with any byte changed, or cut off anywhere', () => {
  const folder = emptyFolder();
  const cache = new TaskCache(folder);
  cache.write(KEY, NUMBERS);
  const path = pathIn(folder);
  const good = readFileSync(path);
  for (let at = 0; at < good.length; at++) {
    const bad = Buffer.from(good);
    bad[at]! ^= 1;
    writeFileSync(path, bad);
    expect(cache.read(KEY, ownFloats(5))).toBe(false);
    writeFileSync(path, good.subarray(0, at));
    expect(cache.read(KEY, ownFloats(5))).toBe(false);
  }
  cache.write(KEY, NUMBERS);
  expect(cache.read(KEY, ownFloats(5))).toBe(true);
});

test('goes on where a directory has the name of a file', () => {
  const folder = emptyFolder();
  const cache = new TaskCache(folder);
  cache.write(KEY, NUMBERS);
  const other = TaskCache.key('x');
  mkdirSync(join(folder, 'tasks', other.slice(0, 2), `${other}.task`), { recursive: true });
  expect(cache.read(other, ownFloats(5))).toBe(false);
});

test('leaves nothing behind on a full disk, and says so', () => {
  const disk = mountSmallDisk('256k');
  const cache = new TaskCache(disk);
  cache.write(KEY, NUMBERS);
  expect(() => cache.write(TaskCache.key('large'), ownFloats(100_000))).toThrow('ENOSPC');
  expect(filesIn(disk)).toHaveLength(1);
  expect(cache.read(KEY, ownFloats(5))).toBe(true);
});

test('leaves nothing behind where a part of the path is a file', () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'tasks'), '');
  expect(() => new TaskCache(folder).write(KEY, NUMBERS)).toThrow(/EEXIST|ENOTDIR/);
});

test('removes what was not used for longest when it becomes too large', () => {
  const folder = emptyFolder();
  const cache = new TaskCache(folder, 5000);
  const keys = [0, 1, 2, 3, 4].map((k) => TaskCache.key(k));
  for (const [k, key] of keys.slice(0, 4).entries()) {
    cache.write(key, ownFloats(100));
    const path = join(folder, 'tasks', key.slice(0, 2), `${key}.task`);
    utimesSync(path, new Date(), new Date(1e12 + 1000 * k));
  }
  // Reading counts as use.
  expect(cache.read(keys[0]!, ownFloats(100))).toBe(true);
  for (let more = 5; more < 8; more++) cache.write(TaskCache.key(more), ownFloats(100));
  expect(cache.read(keys[0]!, ownFloats(100))).toBe(true);
  expect(cache.read(keys[1]!, ownFloats(100))).toBe(false);
  expect(filesIn(folder).length).toBeLessThanOrEqual(5);
});

test('has room for a while after it was cleaned, and for much unless told otherwise', () => {
  const folder = emptyFolder();
  // Six tasks of 856 bytes are more than 5,000; four are less than three quarters of that.
  const cache = new TaskCache(folder, 5000);
  for (let k = 0; k < 6; k++) cache.write(TaskCache.key(k), ownFloats(100));
  expect(filesIn(folder)).toHaveLength(4);
  const large = emptyFolder();
  for (let k = 0; k < 3; k++) new TaskCache(large).write(TaskCache.key(k), ownFloats(2 ** 20));
  expect(filesIn(large)).toHaveLength(3);
});

test('is not cleaned while it is smaller than it may be', () => {
  const folder = emptyFolder();
  for (let k = 0; k < 5; k++) new TaskCache(folder, 5000).write(TaskCache.key(k), ownFloats(100));
  expect(filesIn(folder)).toHaveLength(5);
});

test('removes what a killed process was writing, after a while', () => {
  const folder = emptyFolder();
  new TaskCache(folder).write(KEY, NUMBERS);
  mkdirSync(join(folder, 'files'));
  const unfinished = (name: string) => join(folder, name, `x.${randomUUID()}.tmp`);
  const [old, young, record] = [unfinished('tasks'), unfinished('tasks'), unfinished('files')];
  for (const path of [old, young, record]) writeFileSync(path, 'half');
  for (const path of [old, record]) utimesSync(path, new Date(1e12), new Date(1e12));
  new TaskCache(folder).write(TaskCache.key('other'), NUMBERS);
  expect([old, young, record].map(existsSync)).toEqual([false, true, false]);
});
