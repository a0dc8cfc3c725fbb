// The few numbers that a list of runs needs of a log, without parsing it: lines of other kinds are skipped as bytes, so that the logs of
// hundreds of runs are read as fast as the disk gives them. Must not know lists.
import { join } from 'node:path';
import { FILES } from '../runs/run-files.js';
import { BEGINNING, type Position, parseEvent, readRaw } from './event-log.js';
import { finite } from './numbers.js';

export interface Scan {
  readonly position: Position;
  readonly bestFitness: number | null;
  readonly selectFitness: number | null;
  readonly algorithms: number;
}

export const NOTHING_SCANNED: Scan = { position: BEGINNING, bestFitness: null, selectFitness: null, algorithms: 0 };

const CHUNK = 4 << 20;
const NEWLINE = 10;
/** A best event tells its fitness before its program. */
const HEAD_BYTES = 300;
const FITNESS = /"fitness":(-?[\d.eE+-]+)/;
/** Lines at the end that are looked at for how far a run is: those of islands do not tell. */
const LAST_LINES = 64;

/** The places of lines that begin like this. */
function* linesOf(bytes: Buffer, start: string): Generator<number> {
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + start.length)) {
    if (at === 0 || bytes[at - 1] === NEWLINE) yield at;
  }
}

function lineAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(NEWLINE, at);
  return bytes.toString('utf8', at, end < 0 ? bytes.length : end);
}

function greatestBest(bytes: Buffer, before: number | null): number | null {
  let best = before;
  for (const at of linesOf(bytes, '{"type":"best"')) {
    const found = FITNESS.exec(bytes.toString('latin1', at, at + HEAD_BYTES))?.[1];
    const fitness = found === undefined ? null : finite(Number(found));
    if (fitness !== null && (best === null || fitness > best)) best = fitness;
  }
  return best;
}

function lastSelection(bytes: Buffer, before: number | null): number | null {
  let selected = before;
  for (const at of linesOf(bytes, '{"type":"select"')) {
    const event = parseEvent(lineAt(bytes, at));
    if (event?.type === 'select' && event.isBest) selected = finite(event.selectFitness);
  }
  return selected;
}

function lastAlgorithms(bytes: Buffer, before: number): number {
  let end = bytes.length - 1;
  for (let k = 0; k < LAST_LINES && end > 0; k++) {
    const at = bytes.lastIndexOf(NEWLINE, end - 1) + 1;
    const event = parseEvent(bytes.toString('utf8', at, end));
    if (event !== undefined && event.type !== 'migration') return Math.max(before, event.algorithms);
    end = at - 1;
  }
  return before;
}

/** Reads on for one chunk. The same scan comes back when there is no more. */
export function scanMore(directory: string, scan: Scan): Scan {
  const { bytes, next, isOther } = readRaw(join(directory, FILES.events), scan.position, CHUNK);
  if (isOther) return scan === NOTHING_SCANNED ? scan : NOTHING_SCANNED;
  if (bytes.length === 0) return scan;
  return {
    position: next,
    bestFitness: greatestBest(bytes, scan.bestFitness),
    selectFitness: lastSelection(bytes, scan.selectFitness),
    algorithms: lastAlgorithms(bytes, scan.algorithms),
  };
}
