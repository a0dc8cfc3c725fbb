// Files of directories that others may have filled: only plain files are opened, never a link that leads elsewhere or a pipe that blocks.
// Must not know what is in them.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { isAbsence } from '../data/system-error.js';
import type { OpenFile } from '../runs/run-files.js';

/** Windows has neither of these. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What is there, itself if it is a link. Nothing if it cannot be looked at: one that is broken must not hide the others. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Whoever gets one must close it. Undefined if there is no plain file; throws what keeps one from being read. */
export function openIfPlain(path: string): OpenFile | undefined {
  let file: number;
  try {
    file = openSync(path, FLAGS);
  } catch (error) {
    // How systems say that it is a link.
    const isLink = ['ELOOP', 'EMLINK', 'EFTYPE'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isLink || isAbsence(error)) return undefined;
    throw error;
  }
  let isPlain = false;
  try {
    const stat = fstatSync(file);
    isPlain = stat.isFile();
    return isPlain ? { file, size: stat.size } : undefined;
  } finally {
    if (!isPlain) closeSync(file);
  }
}

/** The same, with nothing instead of an error. */
export function openPlainFile(path: string): OpenFile | undefined {
  try {
    return openIfPlain(path);
  } catch {
    return undefined;
  }
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
