// Files of directories that others may have filled: only plain files are opened, never a link that leads elsewhere or a pipe that blocks.
// Must not know what is in them.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Windows has neither of these. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface OpenFile {
  readonly file: number;
  readonly size: number;
}

/** Whoever gets one must close it. Undefined if there is no plain file that can be read. */
export function openPlainFile(path: string): OpenFile | undefined {
  let file: number;
  try {
    file = openSync(path, FLAGS);
  } catch {
    return undefined;
  }
  const stat = fstatSync(file);
  if (stat.isFile()) return { file, size: stat.size };
  closeSync(file);
  return undefined;
}

/** As many bytes from `start` on as there are, at most `count`. */
export function readBytes(file: number, start: number, count: number): Buffer {
  const bytes = Buffer.allocUnsafe(count);
  let length = 0;
  while (length < count) {
    const read = readSync(file, bytes, length, count - length, start + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** The bytes of a file from `start` on; undefined if there is none, or if it has more than `most`. */
export function readPlainFile(
  path: string,
  most: number,
  start: (size: number) => number = () => 0,
): Buffer | undefined {
  const opened = openPlainFile(path);
  if (opened === undefined) return undefined;
  try {
    const from = start(opened.size);
    return opened.size - from > most ? undefined : readBytes(opened.file, from, opened.size - from);
  } finally {
    closeSync(opened.file);
  }
}

/** The last bytes of a file, at most `most`. */
export function readTail(path: string, most: number): Buffer | undefined {
  return readPlainFile(path, most, (size) => Math.max(0, size - most));
}
