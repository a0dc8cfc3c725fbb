// Set-ups that wait for each other: what killed ones leave behind keeps nobody waiting, and who waits says so.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { identifyProcess } from '../../src/runs/run-lock.js';
import { ROOT } from '../support/cli.js';
import { emptyFolder } from '../support/folders.js';

/** A project in which there is only to compile, by a compiler that counts how often it is called. */
function smallClone(compiler = ''): string {
  const clone = emptyFolder();
  const write = (path: string, text = '') => {
    mkdirSync(join(clone, path, '..'), { recursive: true });
    writeFileSync(join(clone, path), text);
  };
  for (const path of ['src/x.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'dist/old']) write(path);
  write('package.json', '{ "type": "module" }');
  write('node_modules/.package-lock.json');
  write(
    'node_modules/typescript/bin/tsc',
    `require('node:fs').appendFileSync('compiled', 'x'); console.log(require('node:fs').readFileSync('.setup.lock', 'utf8')); ${compiler}`,
  );
  mkdirSync(join(clone, 'scripts'));
  copyFileSync(join(ROOT, 'scripts/setup.js'), join(clone, 'scripts/setup.js'));
  const old = new Date(0);
  for (const path of ['src/x.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json']) {
    utimesSync(join(clone, path), old, old);
  }
  return clone;
}

/** `before` runs in the process that then makes everything ready. */
function prepareArguments(before = ''): string[] {
  return ['--input-type=module', '-e', `${before}\nawait (await import('./scripts/setup.js')).prepare();`];
}

function prepare(clone: string, before?: string) {
  return spawnSync(process.execPath, prepareArguments(before), { cwd: clone, encoding: 'utf8', timeout: 60_000 });
}

function expectCompiled(clone: string): void {
  expect(readFileSync(join(clone, 'compiled'), 'utf8')).toBe('x');
  expect(readdirSync(clone).filter((name) => name.startsWith('.setup'))).toEqual([]);
}

/** The text of a lock that this test holds, with changes. */
const lockText = (changes: object) => JSON.stringify({ ...identifyProcess(process.pid), ...changes });

it('says in its lock who it is', () => {
  const clone = smallClone();
  const { stderr, status } = prepare(clone);
  expect(status).toBe(0);
  const [, written] = stderr.split('\n');
  expect(JSON.parse(written!)).toEqual({
    ...identifyProcess(process.pid),
    pid: expect.any(Number),
    start: expect.stringMatching(/^\d+$/),
  });
  expectCompiled(clone);
});

it.each([
  ['with the number of a living process that was started at another time', lockText({ start: '1' })],
  ['from before the machine was started again', lockText({ boot: 'another' })],
  ['of a process that is gone', lockText({ pid: spawnSync('true').pid })],
  ['of an older version, of a process that is gone', String(spawnSync('true').pid)],
])('does not wait for one %s', (_, text) => {
  const clone = smallClone();
  writeFileSync(join(clone, '.setup.lock'), text);
  expect(prepare(clone).stderr).toMatch(/^evozero: compiling \.\.\.\n/);
  expectCompiled(clone);
});

it.each([hostname(), 'another-container'])('does not wait for one that had its own number, on %s', (host) => {
  const clone = smallClone();
  const before = `import { writeFileSync } from 'node:fs';
    writeFileSync('.setup.lock', JSON.stringify({ ...${lockText({ host })}, pid: process.pid }));`;
  expect(prepare(clone, before).stderr).toMatch(/^evozero: compiling \.\.\.\n/);
  expectCompiled(clone);
});

it('waits for a living one, and says for which after some seconds, once', async () => {
  const clone = smallClone();
  const lock = join(clone, '.setup.lock');
  writeFileSync(lock, lockText({}));
  const child = spawn(process.execPath, prepareArguments(), { cwd: clone, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 60_000 }).not.toBe('');
  const waiting = `evozero: waiting for process ${process.pid} (.setup.lock)\n`;
  expect(said).toBe(waiting);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(said).toBe(waiting);
  expect(existsSync(join(clone, 'compiled'))).toBe(false);
  // As the other does when it is done.
  spawnSync('rm', [lock]);
  await new Promise((resolve) => child.once('close', resolve));
  expect(said.startsWith(`${waiting}evozero: compiling ...\n`)).toBe(true);
  expectCompiled(clone);
});

it('is not disturbed by others that find the same stale lock', async () => {
  const clone = smallClone('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);');
  writeFileSync(join(clone, '.setup.lock'), lockText({ start: '1' }));
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, prepareArguments(), { cwd: clone, stdio: 'ignore' }),
  );
  await Promise.all(children.map((child) => new Promise((resolve) => child.once('close', resolve))));
  expectCompiled(clone);
});
