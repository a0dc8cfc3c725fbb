// Files that are there whole or not at all, whatever kills the process or fills the disk. Must not know what is in them.
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from './make-directory.js';

/** What a file is called while it is being written. */
export const UNFINISHED = /\.[\da-f-]{36}\.tmp$/;

/** Writes the pieces to `path`, beside it first. Several processes and threads may do so at once: the last one wins. */
export function writeAtomic(path: string, pieces: readonly Uint8Array[]): void {
  makeDirectory(dirname(path));
  const unfinished = `${path}.${randomUUID()}.tmp`;
  const file = openSync(unfinished, 'wx');
  try {
    try {
      for (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
