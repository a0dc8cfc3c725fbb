// Finds run directories below a directory, and gives each an id. Whoever asks for a run names an id that was found here, so that no text of
// a request ever becomes a path. Links are not followed. Must not know what is in the files of a run.
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from '../runs/run-files.js';
import { LIMITS } from './api.js';

export interface FoundRun {
  readonly id: string;
  /** The path from the directory that was searched, with /. */
  readonly name: string;
  readonly directory: string;
  /** A file of the run that is none: a link may lead anywhere. */
  readonly notPlain?: string;
}

const MAX_DEPTH = 3;
/** Folders without runs that are looked into, so that a dashboard of / ends. */
const MAX_FOLDERS = 20_000;
const MARKS: readonly string[] = [FILES.config, FILES.events];
const RUN_FILES: readonly string[] = [...Object.values(FILES), 'ablation.json'];

export function idOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 16);
}

function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // Gone, or not ours to read.
    return [];
  }
}

function describe(directory: string, name: string, entries: readonly Dirent[]): FoundRun {
  const odd = entries.find((entry) => RUN_FILES.includes(entry.name) && !entry.isFile());
  return { id: idOf(name), name, directory, ...(odd !== undefined && { notPlain: odd.name }) };
}

function isRun(entries: readonly Dirent[]): boolean {
  return entries.some((entry) => MARKS.includes(entry.name));
}

/** The runs in `root`, itself included, in the order of their names. `rootName` is what root is called if it is a run. */
export function findRuns(
  root: string,
  rootName: string,
): { readonly runs: readonly FoundRun[]; readonly isCut: boolean } {
  const runs: FoundRun[] = [];
  let folders = 0;
  const look = (directory: string, name: string, depth: number): void => {
    if (runs.length > LIMITS.runs || folders > MAX_FOLDERS) return;
    const entries = readFolder(directory);
    if (isRun(entries)) {
      runs.push(describe(directory, name === '' ? rootName : name, entries));
      return;
    }
    folders++;
    if (depth === MAX_DEPTH) return;
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      look(join(directory, entry.name), name === '' ? entry.name : `${name}/${entry.name}`, depth + 1);
    }
  };
  look(root, '', 0);
  const isCut = runs.length > LIMITS.runs || folders > MAX_FOLDERS;
  return { runs: runs.slice(0, LIMITS.runs).sort((a, b) => (a.name < b.name ? -1 : 1)), isCut };
}

/** Whether a directory is itself a run. */
export function isRunDirectory(directory: string): boolean {
  return isRun(readFolder(directory));
}
