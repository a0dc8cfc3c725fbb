import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { createRun } from './run-directory.js';
import { identifyProcess, isLocked, RunLock } from './run-lock.js';

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  return { ...fs, linkSync: vi.fn(fs.linkSync) };
});

describe.each(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'])('where a hard link is refused with %s', (code) => {
  const refuseLinks = () =>
    vi.mocked(linkSync).mockImplementation(() => {
      throw Object.assign(new Error(`${code}: link`), { code, syscall: 'link' });
    });

  test('a lock is taken once, and again when it was released', () => {
    refuseLinks();
    const path = join(emptyFolder(), 'lock');
    const lock = new RunLock(path, 'runs/x');
    expect(lock.isHeld()).toBe(true);
    expect(isLocked(path)).toBe(true);
    expect(() => new RunLock(path, 'runs/x')).toThrow(`in use by process ${process.pid}`);
    expect(readdirSync(join(path, '..'))).toEqual(['lock']);
    lock.release();
    new RunLock(path, 'runs/x').release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test('a dead lock is taken over', () => {
    refuseLinks();
    const path = join(emptyFolder(), 'lock');
    writeFileSync(path, JSON.stringify({ ...identifyProcess(process.pid), start: '1' }));
    const lock = new RunLock(path, 'runs/x');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(identifyProcess(process.pid));
    lock.release();
  });

  test('a run can be made', () => {
    refuseLinks();
    const directory = join(emptyFolder(), 'run');
    const run = createRun(directory, {}, '1.2.3');
    run.appendEvent({});
    run.flush();
    run.close();
    expect(readdirSync(directory)).not.toContain('lock');
    expect(readFileSync(join(directory, 'events.jsonl'), 'utf8')).toBe('{}\n');
  });
});

test('other trouble with the lock is told', () => {
  vi.mocked(linkSync).mockImplementation(() => {
    throw Object.assign(new Error('EIO: link'), { code: 'EIO', syscall: 'link' });
  });
  expect(() => new RunLock(join(emptyFolder(), 'lock'), 'runs/x')).toThrow('EIO');
});
