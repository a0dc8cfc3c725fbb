// Streams of server-sent events: changes of the list, and what happens in one run. Each stream remembers how far its page is, and sends what
// came since then, so that a slow page gets fewer and larger messages and nothing piles up. Must not know how requests are checked.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { BestEvent, RunEvent } from '../experiment/events.js';
import {
  type IslandState,
  LIMITS,
  type ListMessage,
  type NewBest,
  type RunList,
  type RunMessage,
  type RunSummary,
  type RunUpdate,
} from './api.js';
import type { Catalog } from './catalog.js';
import { countsOf, hurdlesOf, islandOf } from './detail-answer.js';
import { hasGrown, type Position, printCursor, readEventsFrom } from './event-log.js';
import type { FoundRun } from './find-runs.js';
import { finite } from './numbers.js';
import { Refusal } from './refusal.js';
import { eventsPath } from './run-source.js';
import { addRow, emptyRows, thinRows } from './thin-rows.js';
import type { Ticks } from './ticks.js';

/** Ticks between looks at the list, and between signs of life when there is no news. */
const LIST_TICKS = 4;
const ALIVE_TICKS = 30;
/** Milliseconds after which a page reconnects. */
const RETRY = 1000;
/** Bytes of a log in one message. */
const MOST_BYTES = 1 << 20;

// --- What all streams share --------------------------------------------------------------------------------------------

type Look = (stream: SSEStreamingApi, tick: number) => Promise<'sent' | 'nothing' | 'end'>;

export class Streams {
  private readonly ticks: Ticks;
  private count = 0;

  constructor(ticks: Ticks) {
    this.ticks = ticks;
  }

  /** Looks at every tick until the page goes away, the server ends or there is nothing more. */
  open(context: Context, look: Look): Response {
    if (this.count >= LIMITS.streams)
      throw new Refusal(503, `there are ${LIMITS.streams} open streams already; close some pages`);
    this.count++;
    return streamSSE(context, async (stream) => {
      try {
        await stream.write(`retry: ${RETRY}\n\n`);
        await this.follow(stream, look);
      } finally {
        this.count--;
      }
    });
  }

  private async follow(stream: SSEStreamingApi, look: Look): Promise<void> {
    let aliveAt = 0;
    for (let tick = 0; !this.ticks.isOver && !stream.aborted && !stream.closed; tick++) {
      const outcome = await look(stream, tick);
      if (outcome === 'end') return;
      if (outcome === 'sent') aliveAt = tick;
      else if (tick - aliveAt >= ALIVE_TICKS) {
        // A comment: shows both ends whether the other is still there.
        await stream.write(': alive\n\n');
        aliveAt = tick;
      }
      await this.ticks.next();
    }
  }
}

function send(stream: SSEStreamingApi, message: ListMessage | RunMessage, id?: string): Promise<void> {
  return stream.writeSSE({ event: message.type, data: JSON.stringify(message), ...(id !== undefined && { id }) });
}

// --- The list ----------------------------------------------------------------------------------------------------------

/** The same for the same list, whoever serves it. */
function versionOf(texts: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const text of texts.values()) hash.update(text);
  return hash.digest('base64url').slice(0, 22);
}

function textsOf({ runs }: RunList): Map<string, string> {
  return new Map(runs.map((run) => [run.id, JSON.stringify(run)]));
}

/** `lastId` is that of the last message that the page got from any server. */
export function followList(catalog: Catalog, lastId: string | undefined): Look {
  let known: Map<string, string> | undefined;
  return async (stream, tick) => {
    if (tick % LIST_TICKS !== 0) return 'nothing';
    const list = await catalog.list();
    const texts = textsOf(list);
    const version = versionOf(texts);
    const before = known;
    known = texts;
    if (before === undefined) {
      if (version === lastId) return 'nothing';
      await send(stream, { type: 'list', ...list }, version);
      return 'sent';
    }
    const changed = list.runs.filter(({ id }) => texts.get(id) !== before.get(id));
    const removed = [...before.keys()].filter((id) => !texts.has(id));
    if (changed.length + removed.length === 0) return 'nothing';
    await send(stream, { type: 'changes', changed, removed }, version);
    return 'sent';
  };
}

// --- One run -----------------------------------------------------------------------------------------------------------

function toBest({ experiment, algorithms, island, id, fitness, origin }: BestEvent): NewBest {
  return { experiment, algorithms, island: island ?? null, id, fitness: finite(fitness), origin };
}

const NEWS: readonly RunEvent['type'][] = ['select', 'final', 'end', 'experiment-end'];

type PointValues = [number, number | null, number | null, number | null, number | null];

/** What events say to a page. */
function toUpdate(events: readonly RunEvent[]): RunUpdate {
  const rows = emptyRows(5);
  const began: { experiment: number; start: number }[] = [];
  const bests: NewBest[] = [];
  const islands = new Map<number, IslandState>();
  let progress: Extract<RunEvent, { type: 'progress' }> | undefined;
  const numberOf = (value: unknown) => finite(value) ?? Number.NaN;
  for (const event of events) {
    const { experiment, algorithms } = event;
    if (event.type === 'experiment') began.push({ experiment, start: algorithms });
    if (event.type === 'migration') islands.set(event.island, islandOf(event));
    if (event.type === 'best') {
      bests.push(toBest(event));
      addRow(rows, algorithms, [experiment, numberOf(event.id), numberOf(event.fitness), Number.NaN, Number.NaN]);
    }
    if (event.type === 'progress') {
      progress = event;
      const hurdle = hurdlesOf(event).at(-1);
      addRow(rows, algorithms, [experiment, Number.NaN, numberOf(event.best), numberOf(event.mean), numberOf(hurdle)]);
    }
  }
  const { x, lines } = thinRows(rows, LIMITS.messagePoints, 'linear', 0);
  const points = x.map((algorithms, k) => {
    const [experiment, id, best, mean, hurdle] = lines.map((line) => finite(line[k])) as PointValues;
    return { experiment, id, algorithms, best, mean, hurdle };
  });
  return {
    type: 'update',
    began: began.slice(-LIMITS.messagePoints),
    points,
    bests: bests.slice(-LIMITS.messagePoints),
    counts: progress === undefined ? null : countsOf(progress),
    hurdles: progress === undefined ? null : hurdlesOf(progress),
    islands: [...islands.values()].slice(0, LIMITS.islands),
    hasNews: events.some(({ type }) => NEWS.includes(type)),
  };
}

/** What came since the position, which moves. */
async function sendEvents(stream: SSEStreamingApi, path: string, from: Position): Promise<Position | undefined> {
  let position = from;
  while (!stream.aborted && hasGrown(path, position)) {
    const { events, next, isOther } = readEventsFrom(path, position, MOST_BYTES);
    if (isOther) {
      await send(stream, { type: 'reset' });
      return undefined;
    }
    // A line that is still being written.
    if (next.offset === position.offset) return position;
    position = next;
    await send(stream, toUpdate(events.map(({ event }) => event)), printCursor(next));
  }
  return position;
}

export function followRun(catalog: Catalog, run: FoundRun, from: Position): Look {
  const path = eventsPath(run);
  let position = from;
  let shown = '';
  const sendSummary = async (stream: SSEStreamingApi, summary: RunSummary): Promise<boolean> => {
    const text = JSON.stringify(summary);
    if (text === shown) return false;
    shown = text;
    await send(stream, { type: 'summary', summary });
    return true;
  };
  return async (stream, tick) => {
    const next = await sendEvents(stream, path, position);
    if (next === undefined) return 'end';
    let isSent = next.offset !== position.offset;
    position = next;
    if (tick % LIST_TICKS === 0) {
      const found = await catalog.find(run.id);
      if (found === undefined) return 'end';
      isSent = (await sendSummary(stream, found.summary)) || isSent;
    }
    return isSent ? 'sent' : 'nothing';
  };
}
