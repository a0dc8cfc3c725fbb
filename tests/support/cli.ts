// Runs the real command in a process of its own, as a user would.
import {
  type ChildProcess,
  execFileSync,
  type SpawnOptions,
  type SpawnSyncOptions,
  spawn,
  spawnSync,
} from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function evozero(args: readonly string[], options: SpawnSyncOptions = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin/evozero.js'), ...args], {
    cwd: ROOT,
    ...options,
    encoding: 'utf8',
  });
  return { status, stdout: String(stdout), stderr: String(stderr) };
}

/** The same without waiting for it: for processes that run side by side, are killed, or are served by the test. */
export function startEvozero(
  args: readonly string[],
  options: SpawnOptions = {},
): { child: ChildProcess; done: Promise<Run> } {
  const child = spawn(process.execPath, [join(ROOT, 'bin/evozero.js'), ...args], {
    cwd: ROOT,
    ...options,
    stdio: 'pipe',
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const done = once(child, 'close').then(([status]) => ({ status, ...output }));
  return { child, done };
}

/** The path of a compiled module, for processes and threads that cannot import TypeScript; compiled anew if it is stale. */
export function compiled(path: string): string {
  execFileSync(process.execPath, [join(ROOT, 'scripts/setup.js')], { stdio: 'ignore' });
  return join(ROOT, 'dist', path);
}
