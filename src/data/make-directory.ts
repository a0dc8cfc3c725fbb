// Directories with all their parents. Not mkdir's own `recursive`, which never returns below /proc in Node 20.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
    return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && isDirectory(path)) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
  }
  makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
