// Runs the real command in a process of its own, as a user would.
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

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

/** A folder that is removed when the tests of the file are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evozero-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
