// Makes a clone ready to run: installs the dependencies and compiles, each only if something has changed since the last
// time. Everything it prints goes to standard error, so that a command's output can still be piped.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const builtStamp = join(root, 'dist/.built');

function modified(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newestSource() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const times = files.map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs);
  return Math.max(modified('tsconfig.json'), modified('tsconfig.build.json'), ...times);
}

class SetupError extends Error {}

function run(what, command, args) {
  process.stderr.write(`evozero: ${what} ...\n`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new SetupError(`${what} failed${error ? `: ${error.message}` : ''}`);
}

const lock = join(root, '.setup.lock');
const LOCK_WITHOUT_OWNER_MS = 5000;

/** Whether the process that holds the lock has died without releasing it. */
function isLockStale() {
  const owner = Number(readFileSync(lock, 'utf8'));
  // Without a number it has just been made, or its process died at once: the age tells.
  if (!owner) return Date.now() - modified('.setup.lock') > LOCK_WITHOUT_OWNER_MS;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Does the work alone: another process that starts in the same clone waits, and then finds nothing to do. */
function alone(work) {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    try {
      if (isLockStale()) rmSync(lock, { force: true });
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** npm writes this file when an install has finished. */
const INSTALLED = 'node_modules/.package-lock.json';

function isInstalled() {
  return modified(INSTALLED) >= modified('package-lock.json');
}

function isBuilt() {
  return existsSync(builtStamp) && statSync(builtStamp).mtimeMs >= newestSource();
}

function install() {
  run('installing dependencies', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  // npm keeps the time of an unchanged file; a later look must see that this install is newer than the lock file.
  utimesSync(join(root, INSTALLED), new Date(), new Date());
}

function build() {
  const started = new Date();
  rmSync(builtStamp, { force: true });
  run('compiling', process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json']);
  // A source file that was changed during the compilation must be newer than the stamp.
  writeFileSync(builtStamp, '');
  utimesSync(builtStamp, started, started);
}

export function prepare() {
  if (isInstalled() && isBuilt()) return;
  try {
    alone(() => {
      if (!isInstalled()) install();
      if (!isBuilt()) build();
    });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`evozero: ${error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // A package must not contain what was compiled from files that are gone.
  if (process.argv.includes('--clean')) rmSync(join(root, 'dist'), { recursive: true, force: true });
  prepare();
}
