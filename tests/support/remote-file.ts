// A file to download in tests: its content, and an empty folder that it shall come to.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RemoteFile } from '../../src/data/download.js';
import { emptyFolder } from './folders.js';

/** More than a socket or a stream takes at once. */
export const CONTENT = Buffer.from(
  Uint32Array.from({ length: 100_000 }, (_, i) => Math.imul(i + 1, 2_654_435_761)).buffer,
);

export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Where CONTENT shall come to. */
export function target(below = '.') {
  const folder = join(emptyFolder(), below);
  const path = join(folder, 'file.bin');
  const remote = (urls: readonly string[]): RemoteFile => ({
    urls,
    path,
    bytes: CONTENT.length,
    sha256: sha256(CONTENT),
  });
  return { folder, path, remote };
}
