// SHA-256 of files as they lie on the disk. Must not know what the files are for.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

const BLOCK_BYTES = 1 << 20;

/** Of an open file, from its beginning. */
export async function hashOpenFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(block.subarray(0, bytesRead));
    at += bytesRead;
  }
}

export async function hashFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    return await hashOpenFile(file);
  } finally {
    await file.close();
  }
}
