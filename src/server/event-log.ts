// Reads the events of a run from where somebody has read so far. A cursor is a place in the log that stays right over restarts of the
// server: how many bytes, and a check of the last ones, since a killed search that goes on cuts its log. Must not know what events mean.
import { createHash } from 'node:crypto';
import { closeSync } from 'node:fs';
import type { RunEvent } from '../experiment/events.js';
import { openPlainFile, readBytes, statOf } from './safe-file.js';

export interface Position {
  /** Bytes before it; always at the end of a line, but for lines that are too long for anything here. */
  readonly offset: number;
  readonly check: string;
}

/** Bytes that the check looks at. */
const CHECKED = 64;
const CURSOR = /^(\d{1,15})-([\da-f]{8})$/;
const NEWLINE = 10;

function checkOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 8);
}

export const BEGINNING: Position = { offset: 0, check: checkOf(new Uint8Array(0)) };

export function printCursor({ offset, check }: Position): string {
  return `${offset}-${check}`;
}

export function parseCursor(text: string): Position | undefined {
  const [, offset, check] = CURSOR.exec(text) ?? [];
  return offset === undefined || check === undefined ? undefined : { offset: Number(offset), check };
}

export interface LoggedEvent {
  readonly event: RunEvent;
  /** Where its line begins, and how many bytes it has. */
  readonly offset: number;
  readonly length: number;
}

export interface LogPart {
  readonly events: readonly LoggedEvent[];
  readonly next: Position;
  /** Of the whole log. */
  readonly size: number;
  /** The log is no longer what was read: nothing of it is told. */
  readonly isOther: boolean;
}

/** A line as an event; nothing if it is none, or one whose numbers are no numbers. */
export function parseEvent(line: string): RunEvent | undefined {
  let event: Partial<RunEvent> | null;
  try {
    event = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof event !== 'object' || event === null || typeof event.type !== 'string') return undefined;
  const isPlaced = Number.isFinite(event.experiment) && Number.isFinite(event.algorithms);
  return isPlaced ? (event as RunEvent) : undefined;
}

function parseLines(bytes: Buffer, start: number): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    const event = parseEvent(bytes.toString('utf8', from, end));
    if (event !== undefined) events.push({ event, offset: start + from, length: end - from });
    from = end + 1;
  }
  return events;
}

/** Of the bytes that follow a position: how many to take. A line that is cut off is left for the next time, unless it fills them all. */
function wholeLines(bytes: Buffer, most: number): number {
  const lines = bytes.lastIndexOf(NEWLINE) + 1;
  return lines === 0 && bytes.length === most ? most : lines;
}

interface RawPart {
  /** Whole lines, or a piece of one that has more than `most` bytes. */
  readonly bytes: Buffer;
  readonly next: Position;
  readonly size: number;
  readonly isOther: boolean;
}

/** The bytes from a position on, at most `most`. A log that is not there has none. */
export function readRaw(path: string, position: Position, most: number): RawPart {
  const { offset, check } = position;
  const nothing = (size: number, isOther: boolean): RawPart => ({
    bytes: Buffer.alloc(0),
    next: position,
    size,
    isOther,
  });
  const opened = openPlainFile(path);
  if (opened === undefined) return nothing(0, offset > 0);
  const { file, size } = opened;
  try {
    if (size < offset) return nothing(size, true);
    const before = Math.min(CHECKED, offset);
    const read = readBytes(file, offset - before, before + Math.min(most, size - offset));
    if (checkOf(read.subarray(0, before)) !== check) return nothing(size, true);
    const count = wholeLines(read.subarray(before), most);
    if (count === 0) return nothing(size, false);
    const end = before + count;
    const next = { offset: offset + count, check: checkOf(read.subarray(Math.max(0, end - CHECKED), end)) };
    return { bytes: read.subarray(before, end), next, size, isOther: false };
  } finally {
    closeSync(file);
  }
}

/** The events from a position on, at most those of `most` bytes. */
export function readEventsFrom(path: string, position: Position, most: number): LogPart {
  const { bytes, next, size, isOther } = readRaw(path, position, most);
  const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
  return { events: parseLines(whole, position.offset), next, size, isOther };
}

/** Whether the log has other bytes than those before a position. */
export function hasGrown(path: string, { offset }: Position): boolean {
  return (statOf(path)?.size ?? 0) !== offset;
}

/** The end of the last whole line. */
export function findEnd(path: string): Position {
  const opened = openPlainFile(path);
  if (opened === undefined) return BEGINNING;
  const { file, size } = opened;
  try {
    const most = 1 << 20;
    const from = Math.max(0, size - most);
    const tail = readBytes(file, from, size - from);
    const end = tail.lastIndexOf(NEWLINE) + 1;
    // A line without an end in sight: what follows it will be read as one that is no event.
    const offset = end === 0 && from > 0 ? size : from + end;
    const before = Math.min(CHECKED, offset);
    return { offset, check: checkOf(readBytes(file, offset - before, before)) };
  } finally {
    closeSync(file);
  }
}
