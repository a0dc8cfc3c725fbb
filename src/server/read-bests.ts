// Programs of a run by their places in its log. Must not know which of them are wanted.
import { closeSync } from 'node:fs';
import { ORIGINS } from '../evolve/lineage.js';
import type { BestEvent, LineageEntry } from '../experiment/events.js';
import { parseEvent } from './event-log.js';
import type { LoggedBest } from './run-index.js';
import { openPlainFile, readBytes } from './safe-file.js';

/** Bytes of an event that holds a program and its parent. */
const MAX_BYTES = 1 << 20;

function isAncestor(value: BestEvent['parent'] | undefined): boolean {
  return typeof value?.id === 'number' && typeof value.fitness === 'number' && typeof value.program === 'string';
}

/** The entry of a line of the log, unless somebody has written something else there. */
function readEntry(line: string): LineageEntry | undefined {
  const event = parseEvent(line);
  if (event?.type !== 'best') return undefined;
  const { id, fitness, origin, parent, program } = event;
  const isEntry =
    isAncestor({ id, fitness, program }) && ORIGINS.includes(origin) && (parent === null || isAncestor(parent));
  return isEntry ? { id, fitness, origin, parent, program } : undefined;
}

export function readBests(path: string, places: readonly LoggedBest[]): LineageEntry[] {
  const opened = openPlainFile(path);
  if (opened === undefined) return [];
  try {
    return places.flatMap(({ offset, length }) => {
      const entry = length > MAX_BYTES ? undefined : readEntry(readBytes(opened.file, offset, length).toString('utf8'));
      return entry ?? [];
    });
  } finally {
    closeSync(opened.file);
  }
}
