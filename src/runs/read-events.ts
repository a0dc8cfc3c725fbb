// Reads the events of a run, one at a time, however many there are. A running search may be writing the last line; lines that are no
// event are left out. Must not know what events mean.
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { isAbsence } from '../data/system-error.js';
import type { RunEvent } from '../experiment/events.js';
import { explainSystemErrors } from './run-error.js';
import { FILES } from './run-files.js';

const CHUNK = 1 << 20;

/** Lines that end. */
function* readLines(file: number): Generator<string> {
  const bytes = Buffer.alloc(CHUNK);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for (;;) {
    const count = readSync(file, bytes);
    if (count === 0) return;
    const lines = (rest + decoder.write(bytes.subarray(0, count))).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

function parse(line: string): RunEvent | undefined {
  try {
    const event: unknown = JSON.parse(line);
    return typeof event === 'object' && event !== null && 'type' in event ? (event as RunEvent) : undefined;
  } catch {
    return undefined;
  }
}

function open(path: string): number | undefined {
  return explainSystemErrors(`cannot read ${path}`, () => {
    try {
      return openSync(path, 'r');
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  });
}

export function* readEvents(directory: string): Generator<RunEvent> {
  const file = open(join(directory, FILES.events));
  if (file === undefined) return;
  try {
    for (const line of readLines(file)) {
      const event = parse(line);
      if (event !== undefined) yield event;
    }
  } finally {
    closeSync(file);
  }
}
