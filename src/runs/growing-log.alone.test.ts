import { fsyncSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { emptyFolder, mountSmallDisk } from '../../tests/support/folders.js';
import { GrowingLog } from './growing-log.js';

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  return { ...fs, fsyncSync: vi.fn(fs.fsyncSync) };
});

test('grows where it was cut', () => {
  const path = join(emptyFolder(), 'log');
  writeFileSync(path, 'one\ntwo\nthr');
  const log = new GrowingLog(path, 4);
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(log.isEmpty()).toBe(false);
  log.append('2\n');
  log.append('ü\n');
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  log.flush();
  expect(readFileSync(path, 'utf8')).toBe('one\n2\nü\n');
  log.append('4\n');
  expect(fsyncSync).not.toHaveBeenCalled();
  expect(log.sync()).toBe(11);
  expect(fsyncSync).toHaveBeenCalledOnce();
  expect(readFileSync(path, 'utf8')).toBe('one\n2\nü\n4\n');
  log.close();
});

test('is empty until something is appended', () => {
  const log = new GrowingLog(join(emptyFolder(), 'log'), 0);
  expect(log.isEmpty()).toBe(true);
  log.append('x');
  expect(log.isEmpty()).toBe(false);
  log.close();
});

test('loses and repeats nothing when the disk is full for a while', () => {
  const disk = mountSmallDisk('256k');
  const path = join(disk, 'log');
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(200_000));
  const log = new GrowingLog(path, 0);
  const lines = Array.from({ length: 20_000 }, (_, k) => `line ${k}\n`);
  for (const line of lines) log.append(line);
  expect(() => log.flush()).toThrow('ENOSPC');
  log.append('last\n');
  expect(() => log.sync()).toThrow('ENOSPC');
  rmSync(ballast);
  expect(log.sync()).toBe(lines.join('').length + 5);
  expect(readFileSync(path, 'utf8')).toBe(`${lines.join('')}last\n`);
  log.close();
});
