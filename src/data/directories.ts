// Where things lie on this machine: the user's cache directory and the data sets. Must not know what is kept there.
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

function home(): string {
  try {
    return homedir() || tmpdir();
  } catch {
    // A user without an entry and without $HOME.
    return tmpdir();
  }
}

function userCache(): string {
  const { env, platform } = process;
  if (platform === 'win32') return env.LOCALAPPDATA || join(home(), 'AppData', 'Local');
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  return platform === 'darwin' ? join(home(), 'Library', 'Caches') : join(home(), '.cache');
}

/** What can be made again: built tasks, remembered checksums, downloaded data sets. */
export function cacheDirectory(): string {
  return process.env.EVOZERO_CACHE || join(userCache(), 'evozero');
}

/** Where data sets are looked for, in this order; `data get` writes to the first. */
export function dataDirectories(chosen?: string): string[] {
  if (chosen !== undefined) return [chosen];
  const { EVOZERO_DATA } = process.env;
  return [...(EVOZERO_DATA ? [EVOZERO_DATA] : []), join(cacheDirectory(), 'data')];
}
