// Folders that are gone when a test, or the tests of a file, are finished.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Of one test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evozero-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A disk that is soon full: a size as mount takes it, such as 256k. */
export function mountSmallDisk(size: string): string {
  const folder = emptyFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder], { stdio: 'pipe' });
  } catch (error) {
    throw new Error('this test must mount a small tmpfs: run it as root, in a container that may mount', {
      cause: error,
    });
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
  return folder;
}

/** A folder that is removed when the tests of the file are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evozero-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
