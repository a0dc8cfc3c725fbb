// How long a run has taken and how fast it is, from the last rows of its progress.csv: the events tell no times. Must not know events.
import { join } from 'node:path';
import Papa from 'papaparse';
import { FILES } from '../runs/run-files.js';
import { readPlainFile, readTail } from './safe-file.js';

export interface Pace {
  readonly seconds: number;
  readonly algorithms: number;
  /** Lately; null if it is too early to tell. */
  readonly algorithmsPerSecond: number | null;
}

/** Bytes at the end that are read: some dozens of rows. */
const TAIL = 8192;
const WHOLE = 1 << 16;
/** Seconds over which the pace is taken. */
const LATELY = 10;

interface Row {
  readonly seconds: number;
  readonly algorithms: number;
}

/** The last rows; of a long file, those whose columns stand where the columns of every such file stand. */
function readRows(directory: string): Row[] {
  const path = join(directory, FILES.progress);
  const whole = readPlainFile(path, WHOLE);
  const text = (whole ?? readTail(path, TAIL))?.toString('utf8') ?? '';
  // Without the first line, which is the head or is cut off, and without a last one that has no end.
  const lines = text.slice(text.indexOf('\n') + 1, text.lastIndexOf('\n') + 1);
  const { data } = Papa.parse<string[]>(lines, { skipEmptyLines: true });
  return data
    .map(([seconds, , , algorithms]) => ({ seconds: Number(seconds), algorithms: Number(algorithms) }))
    .filter((row) => Number.isFinite(row.seconds) && Number.isFinite(row.algorithms));
}

export function readPace(directory: string): Pace | undefined {
  const rows = readRows(directory);
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const first = rows.find(({ seconds }) => last.seconds - seconds <= LATELY) ?? last;
  const span = last.seconds - first.seconds;
  const recent = span > 0 ? (last.algorithms - first.algorithms) / span : null;
  const average = last.seconds > 0 ? last.algorithms / last.seconds : null;
  return { ...last, algorithmsPerSecond: recent ?? average };
}
