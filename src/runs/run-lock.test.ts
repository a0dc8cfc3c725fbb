import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { RunError } from './run-error.js';
import { identifyProcess, isLocked, type ProcessIdentity, RunLock } from './run-lock.js';

/** A process that does nothing until it is killed. */
function startSleeper() {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e8)'], { stdio: 'ignore' });
  const kill = async () => {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(() => void child.kill('SIGKILL'));
  return { pid: child.pid!, kill };
}

function lockOf(identity: ProcessIdentity): string {
  const path = join(emptyFolder(), 'lock');
  writeFileSync(path, JSON.stringify(identity));
  return path;
}

/** The lock can be taken, says so while it is held, and leaves nothing. */
function expectFree(path: string): void {
  expect(isLocked(path)).toBe(false);
  const lock = new RunLock(path, 'runs/x');
  expect(lock.isHeld()).toBe(true);
  expect(isLocked(path)).toBe(true);
  expect(readdirSync(join(path, '..'))).toEqual(['lock']);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  lock.release();
  expect(existsSync(path)).toBe(false);
}

test('is taken once, and again when it was released', () => {
  const path = join(emptyFolder(), 'lock');
  const lock = new RunLock(path, 'runs/x');
  const take = () => new RunLock(path, 'runs/x');
  expect(take).toThrow(RunError);
  expect(take).toThrow(`runs/x: in use by process ${process.pid}; stop that first`);
  expect(readdirSync(join(path, '..'))).toEqual(['lock']);
  expect(lock.isHeld()).toBe(true);
  lock.release();
  expectFree(path);
});

test('of a living process is respected, of the same process killed it is not', async () => {
  const { pid, kill } = startSleeper();
  const path = lockOf(identifyProcess(pid));
  const before = readFileSync(path, 'utf8');
  expect(isLocked(path)).toBe(true);
  expect(() => new RunLock(path, 'runs/x')).toThrow(`in use by process ${pid}`);
  expect(readFileSync(path, 'utf8')).toBe(before);
  await kill();
  expectFree(path);
});

test('of an earlier process with the number of a living one is not respected', () => {
  const { pid } = startSleeper();
  expectFree(lockOf({ ...identifyProcess(pid), start: '1' }));
  expectFree(lockOf({ ...identifyProcess(process.pid), start: '1' }));
});

test('of a time before the machine was started again is not respected', () => {
  expectFree(lockOf({ ...identifyProcess(process.pid), boot: 'another' }));
});

test('of a process that is dead but not yet buried is not respected', async () => {
  // The child ends once the shell has become a process that never asks for it.
  const child = 'until grep -q sleep /proc/$$/comm; do sleep 0.02; done';
  const script = `(${child}) & echo $!; exec sleep 1000`;
  const shell = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void shell.kill('SIGKILL'));
  const [text] = (await once(shell.stdout, 'data')) as [Buffer];
  const pid = Number(text.toString());
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), { timeout: 60_000 }).toContain(') Z ');
  expectFree(lockOf(identifyProcess(pid)));
});

test('of another machine is respected, with a hint', () => {
  const path = lockOf({ pid: 7, host: `${hostname()}-2`, boot: 'b', start: '1' });
  expect(isLocked(path)).toBe(true);
  expect(() => new RunLock(path, 'runs/x')).toThrow(
    `runs/x: in use by process 7 on ${hostname()}-2; if that is gone, remove ${path}`,
  );
});

test.each(['', '{"pi', 'null', '{"pid":0}', '{"pid":-1}', '{"pid":"x"}'])(
  'of no sense is not respected: %j',
  (text) => {
    const path = join(emptyFolder(), 'lock');
    writeFileSync(path, text);
    expectFree(path);
  },
);

test('that another has taken meanwhile is not held, and not released', () => {
  const path = join(emptyFolder(), 'lock');
  const lock = new RunLock(path, 'runs/x');
  writeFileSync(path, JSON.stringify({ ...identifyProcess(process.pid), pid: 7 }));
  expect(lock.isHeld()).toBe(false);
  lock.release();
  expect(existsSync(path)).toBe(true);
});

test('that can never be taken ends in an error', () => {
  const path = join(emptyFolder(), 'lock');
  symlinkSync('nowhere', path);
  expect(() => new RunLock(path, 'runs/x')).toThrow(RunError);
  const directory = join(emptyFolder(), 'lock');
  mkdirSync(directory);
  expect(() => new RunLock(directory, 'runs/x')).toThrow('EISDIR');
});
