import { appendFileSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { BEGINNING, findEnd, hasGrown, type Position, parseCursor, printCursor, readEventsFrom } from './event-log.js';

const folder = mkdtempSync(join(tmpdir(), 'evozero-log-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'events.jsonl');
const line = (algorithms: number) => `${JSON.stringify({ type: 'experiment', experiment: 1, algorithms })}\n`;
const MOST = 1 << 20;
const read = (from: Position, most = MOST) => {
  const { events, ...part } = readEventsFrom(path, from, most);
  return { ...part, algorithms: events.map(({ event }) => event.algorithms) };
};

beforeEach(() => writeFileSync(path, line(1) + line(2)));

describe('a log', () => {
  it('is read on from where it was read', () => {
    const first = read(BEGINNING);
    expect(first.algorithms).toEqual([1, 2]);
    expect(hasGrown(path, first.next)).toBe(false);
    appendFileSync(path, line(3));
    expect(hasGrown(path, first.next)).toBe(true);
    expect(read(first.next).algorithms).toEqual([3]);
  });

  it('is read in pieces, each of whole lines', () => {
    let position = BEGINNING;
    const found: number[] = [];
    for (let part = read(position, 60); part.next.offset > position.offset; part = read(position, 60)) {
      found.push(...part.algorithms);
      position = part.next;
    }
    expect(found).toEqual([1, 2]);
  });

  it('is not read where a line is still being written', () => {
    appendFileSync(path, line(3).slice(0, -5));
    const { algorithms, next } = read(BEGINNING);
    expect(algorithms).toEqual([1, 2]);
    appendFileSync(path, line(3).slice(-5));
    expect(read(next).algorithms).toEqual([3]);
  });

  it('has lines that are no events, which are skipped', () => {
    appendFileSync(path, `nonsense\n{"type":7}\n[]\nnull\n\0\n{"type":"best","experiment":"1"}\n${line(3)}`);
    expect(read(BEGINNING).algorithms).toEqual([1, 2, 3]);
  });

  it('has a line that is longer than anything, which is skipped', () => {
    appendFileSync(path, `"${'x'.repeat(500)}"\n${line(3)}`);
    let position = BEGINNING;
    const found: number[] = [];
    for (let k = 0; k < 50; k++) {
      const part = read(position, 100);
      found.push(...part.algorithms);
      position = part.next;
    }
    expect(found).toEqual([1, 2, 3]);
  });

  it('that was cut, or is another, is told from one that has grown', () => {
    const { next } = read(BEGINNING);
    truncateSync(path, line(1).length);
    expect(read(next)).toMatchObject({ isOther: true, algorithms: [] });
    writeFileSync(path, line(1) + line(7) + line(8));
    expect(read(next)).toMatchObject({ isOther: true, algorithms: [] });
    rmSync(path);
    expect(read(next)).toMatchObject({ isOther: true, algorithms: [] });
    expect(read(BEGINNING)).toMatchObject({ isOther: false, algorithms: [] });
  });

  it('is never what a link leads to', () => {
    writeFileSync(join(folder, 'other'), line(9));
    rmSync(path);
    symlinkSync(join(folder, 'other'), path);
    expect(read(BEGINNING).algorithms).toEqual([]);
    rmSync(path);
  });
});

describe('a cursor', () => {
  it('is a text and back', () => {
    const { next } = read(BEGINNING);
    expect(parseCursor(printCursor(next))).toEqual(next);
    expect(findEnd(path)).toEqual(next);
  });

  it.each(['', '5', '-1-00000000', '1-xyz', '1-00000000x', `${'9'.repeat(16)}-00000000`])('is not %j', (text) => {
    expect(parseCursor(text)).toBeUndefined();
  });
});
