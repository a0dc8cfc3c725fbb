// Remembers what was learned by reading a data set's files, so that a command whose tasks are all in the cache need not
// read them again. A record counts only while the files have the same size, time and inode. Losing records is harmless.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FoundPart } from './dataset-files.js';
import { writeAtomic } from './write-atomic.js';

export interface PartRecord {
  readonly checksums: readonly string[];
  /** Images of each class. */
  readonly classCounts: readonly number[];
}

/** Of another number, records are not read. */
const VERSION = 1;

function pathsOf(part: FoundPart): string[] {
  return part.batches.flatMap(({ files }) => files.map(({ path }) => resolve(path)));
}

function recordPath(directory: string, paths: readonly string[]): string {
  const key = createHash('sha256').update(JSON.stringify(paths)).digest('hex').slice(0, 32);
  return join(directory, 'files', `${key}.json`);
}

/** Whatever changes when a file does. */
function stamps(paths: readonly string[]): string[] {
  return paths.map((path) => {
    const { size, mtimeMs, ctimeMs, ino } = statSync(path);
    return `${path} ${size} ${mtimeMs} ${ctimeMs} ${ino}`;
  });
}

function isRecord(value: unknown, stamped: readonly string[]): value is PartRecord {
  const { version, files, checksums, classCounts } = value as Record<string, unknown>;
  const isListOf = (list: unknown, type: string) => Array.isArray(list) && list.every((item) => typeof item === type);
  return (
    version === VERSION &&
    JSON.stringify(files) === JSON.stringify(stamped) &&
    isListOf(checksums, 'string') &&
    isListOf(classCounts, 'number')
  );
}

export function recallPart(directory: string, part: FoundPart): PartRecord | undefined {
  const paths = pathsOf(part);
  try {
    const value: unknown = JSON.parse(readFileSync(recordPath(directory, paths), 'utf8'));
    return typeof value === 'object' && value !== null && isRecord(value, stamps(paths)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Throws what the operating system says. `since`: stamps from before the files were read, so that a change is noticed. */
export function rememberPart(directory: string, part: FoundPart, since: readonly string[], record: PartRecord): void {
  const value = { version: VERSION, files: since, ...record };
  writeAtomic(recordPath(directory, pathsOf(part)), [Buffer.from(JSON.stringify(value))]);
}

/** The state of a part's files now. Throws what the operating system says. */
export function stampPart(part: FoundPart): string[] {
  return stamps(pathsOf(part));
}
