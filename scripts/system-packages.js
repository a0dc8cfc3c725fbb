// What the tests need of the operating system and npm cannot give: a Redis server, openssl for its certificates, Python with NumPy
// for exported programs, and Chromium for the pages. Installs it on Debian, where that needs no question; elsewhere says what to
// install. Prints to standard error.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Either speaks what the islands need. */
const REDIS_SERVERS = ['redis-server', 'valkey-server'];

function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function aptGet(...args) {
  const { status, error } = spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    stdio: ['ignore', 2, 2],
    // RUNLEVEL=1: Debian's scripts start no service there.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
  if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Installs Debian's packages unless what they give is there. */
function ensure(isThere, wanted, ...packages) {
  if (isThere()) return;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw new Error(`the tests need ${wanted} on PATH: please install them`);
  }
  process.stderr.write(`evozero: installing ${packages.join(', ')} ...\n`);
  aptGet('update');
  aptGet('install', '--yes', '--no-install-recommends', ...packages);
  if (!isThere()) throw new Error(`${packages.join(', ')} did not give ${wanted}: please install them`);
}

/** Sees to it that a Redis server can be started. */
export function ensureRedis() {
  const isThere = () => REDIS_SERVERS.some(isOnPath) && isOnPath('openssl');
  ensure(isThere, `openssl and ${REDIS_SERVERS.join(' or ')} (7 or newer)`, 'redis-server', 'openssl');
}

/** Sees to it that python3 has NumPy. */
export function ensurePython() {
  const isThere = () => spawnSync('python3', ['-c', 'import numpy'], { stdio: 'ignore' }).status === 0;
  ensure(isThere, 'python3 with NumPy', 'python3-numpy');
}

/** The first is Debian's. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** Sees to it that there is a Chromium to look at the pages with. */
export function ensureChromium() {
  ensure(() => BROWSERS.some(isOnPath), BROWSERS.join(' or '), 'chromium');
}
