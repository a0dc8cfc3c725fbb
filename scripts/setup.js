// Makes a clone ready to run: installs the dependencies and compiles, each only if something has changed since the last
// time. Everything it prints goes to standard error, so that a command's output can still be piped.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
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

function run(what, command, args) {
  process.stderr.write(`evozero: ${what} ...\n`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(`evozero: ${what} failed${error ? `: ${error.message}` : ''}\n`);
  process.exit(1);
}

/** npm writes this file when an install has finished. */
const INSTALLED = 'node_modules/.package-lock.json';

export function install() {
  if (modified(INSTALLED) >= modified('package-lock.json')) return;
  run('installing dependencies', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  // npm keeps the time of an unchanged file; a later look must see that this install is newer than the lock file.
  utimesSync(join(root, INSTALLED), new Date(), new Date());
}

export function build() {
  if (existsSync(builtStamp) && statSync(builtStamp).mtimeMs >= newestSource()) return;
  const started = new Date();
  rmSync(builtStamp, { force: true });
  run('compiling', process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json']);
  // A source file that was changed during the compilation must be newer than the stamp.
  writeFileSync(builtStamp, '');
  utimesSync(builtStamp, started, started);
}

export function prepare() {
  install();
  build();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare();
