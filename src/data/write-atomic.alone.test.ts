import { fsyncSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { UNFINISHED, writeAtomic } from './write-atomic.js';

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  return { ...fs, fsyncSync: vi.fn(fs.fsyncSync), renameSync: vi.fn(fs.renameSync) };
});

test('the content is on the disk before it gets its name, under a name that nobody else has', () => {
  const folder = emptyFolder();
  const path = join(folder, 'sub/file');
  writeAtomic(path, [Buffer.from('one '), Buffer.from('two')]);
  expect(readFileSync(path, 'utf8')).toBe('one two');
  expect(readdirSync(join(folder, 'sub'))).toEqual(['file']);
  const [synced] = vi.mocked(fsyncSync).mock.invocationCallOrder;
  const [renamed] = vi.mocked(renameSync).mock.invocationCallOrder;
  expect(synced).toBeLessThan(renamed!);
  const [from] = vi.mocked(renameSync).mock.calls[0]!;
  expect(String(from)).toMatch(UNFINISHED);
});
