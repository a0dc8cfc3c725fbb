// Makes a clone ready to run: installs the dependencies, compiles and builds the pages, each only if something has changed since
// the last time. Everything it prints goes to standard error, so that a command's output can still be piped. As a script:
// everything; --clean: from nothing; --playground: the playground alone, as static files, into dist/playground.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
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

// --- One set-up at a time, as src/runs/run-lock.ts has it for runs; nothing is compiled yet that could be imported ---------

const lockName = '.setup.lock';
const lock = join(root, lockName);
const LOCK_WITHOUT_OWNER_MS = 5000;
/** After so long, whoever waits says so. */
const SILENT_MS = 5000;
const LOOK_MS = 100;

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** State and start of a process, where Linux tells them. */
function processStat(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything; the fields after it are numbered from 3, and the start is field 22.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], start: fields[22 - 3] };
}

/** A process, told from every other one that has had or will have its number; empty texts where the system does not tell. */
function identify(pid) {
  let boot = '';
  try {
    boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Not Linux.
  }
  return { pid, host: hostname(), boot, start: processStat(pid)?.start ?? '' };
}

/** Who holds a lock, by its text, which older versions made of the number alone. Nobody, if it is cut off. */
function ownerOf(text) {
  try {
    const parsed = JSON.parse(text);
    const owner = typeof parsed === 'number' ? identify(parsed) : parsed;
    return Number.isInteger(owner.pid) && owner.pid > 0 ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isRunning({ pid, start }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  const stat = processStat(pid);
  return stat === undefined || (!['Z', 'X'].includes(stat.state) && stat.start === start);
}

/** Whether the process that holds a lock has died without releasing it. Those of other machines cannot be asked for. */
function isStale(text) {
  const owner = ownerOf(text);
  // Without one it has just been made, or its process died at once: the age tells.
  if (owner === undefined) return Date.now() - modified(lockName) > LOCK_WITHOUT_OWNER_MS;
  const own = identify(process.pid);
  // This process has no lock yet: one in another container, which is gone, had the same number.
  if (owner.pid === own.pid) return true;
  return owner.host === own.host && (owner.boot !== own.boot || !isRunning(owner));
}

function tryMake(text) {
  try {
    writeFileSync(lock, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Takes a dead process's lock away, but puts it back if another process has made it anew in the meantime. */
function removeStale(text) {
  const aside = `${lock}.${process.pid}.tmp`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    // Another process was faster.
    if (error.code !== 'ENOENT') throw error;
    return;
  }
  const taken = readFileSync(aside, 'utf8');
  if (taken !== text) tryMake(taken);
  rmSync(aside, { force: true });
}

/** Does the work alone: another process that starts in the same clone waits, and then finds nothing to do. */
function alone(work) {
  const text = JSON.stringify(identify(process.pid));
  const startedAt = Date.now();
  let hasSaid = false;
  while (!tryMake(text)) {
    const found = readIfThere(lock);
    if (found === undefined) continue;
    if (isStale(found)) {
      removeStale(found);
      continue;
    }
    if (!hasSaid && Date.now() - startedAt > SILENT_MS) {
      process.stderr.write(`evozero: waiting for process ${ownerOf(found)?.pid ?? '?'} (${lockName})\n`);
      hasSaid = true;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  }
  try {
    work();
  } finally {
    if (readIfThere(lock) === text) rmSync(lock, { force: true });
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
