// Makes a clone ready to run: installs the dependencies, compiles and builds the pages, each only if something has changed since
// the last time. Everything it prints goes to standard error, so that a command's output can still be piped. As a script:
// everything; --clean: from nothing; --playground: the playground alone, as static files, into dist/playground.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const builtStamp = 'dist/.built';
const pagesStamp = 'dist/.pages-built';

function modified(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When anything in a folder was changed last. */
function newestIn(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs));
}

class SetupError extends Error {}

function run(what, command, args, env = process.env) {
  process.stderr.write(`evozero: ${what} ...\n`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
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

/** Whether a stamp is there and newer than all that it was made from. */
function isNewest(stamp, folders, files) {
  const times = [...folders.map(newestIn), ...files.map(modified)];
  return existsSync(join(root, stamp)) && modified(stamp) >= Math.max(...times);
}

function isBuilt() {
  return isNewest(builtStamp, ['src'], ['tsconfig.json', 'tsconfig.build.json']);
}

function arePagesBuilt() {
  return isNewest(pagesStamp, ['src', 'web', 'examples'], ['tsconfig.json', 'tsconfig.web.json', 'package-lock.json']);
}

function install() {
  run('installing dependencies', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  // npm keeps the time of an unchanged file; a later look must see that this install is newer than the lock file.
  utimesSync(join(root, INSTALLED), new Date(), new Date());
}

/** Leaves a stamp when the work is done. A source file that was changed meanwhile is newer than the stamp. */
function stamped(stamp, work) {
  const started = new Date();
  rmSync(join(root, stamp), { force: true });
  work();
  writeFileSync(join(root, stamp), '');
  utimesSync(join(root, stamp), started, started);
}

function runTool(what, tool, ...args) {
  // What is built is for people, also where tests build it: Vite goes by this name.
  const env = { ...process.env, NODE_ENV: 'production' };
  run(what, process.execPath, [join(root, 'node_modules', tool), ...args], env);
}

function build() {
  stamped(builtStamp, () => runTool('compiling', 'typescript/bin/tsc', '-p', 'tsconfig.build.json'));
}

function vite(what, mode) {
  // Its warnings are about sizes and times, and of no interest to who wants to see a page.
  const flags = ['--config', 'web/vite.config.ts', '--mode', mode, '--logLevel', 'error'];
  runTool(what, 'vite/bin/vite.js', 'build', ...flags);
}

function buildPages() {
  mkdirSync(join(root, 'dist'), { recursive: true });
  stamped(pagesStamp, () => vite('building the pages', 'production'));
}

/** Does what is needed; a step that fails ends the process with a line that says which. */
function ensure(steps) {
  const isDone = () => steps.every(({ isDone }) => isDone());
  if (isDone()) return;
  try {
    alone(() => {
      for (const { isDone, work } of steps) if (!isDone()) work();
    });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`evozero: ${error.message}\n`);
    process.exit(1);
  }
}

const INSTALL = { isDone: isInstalled, work: install };
const BUILD = { isDone: isBuilt, work: build };
const PAGES = { isDone: arePagesBuilt, work: buildPages };
const PLAYGROUND = { isDone: () => false, work: () => vite('building the playground', 'playground') };

/** What every command needs. */
export function prepare() {
  ensure([INSTALL, BUILD]);
}

/** What only `evozero dashboard` and tests of the pages need. */
export function preparePages() {
  ensure([INSTALL, PAGES]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // A package must not contain what was compiled from files that are gone.
  if (process.argv.includes('--clean')) rmSync(join(root, 'dist'), { recursive: true, force: true });
  if (process.argv.includes('--playground')) ensure([INSTALL, PLAYGROUND]);
  else ensure([INSTALL, BUILD, PAGES]);
}
