// Sending scripts and commands to Redis so that an outage never surprises anyone: a call waits while the connection is lost,
// is sent again once it is back, and gives up when its patience ends. Everything sent here may be done twice. Must not know
// experiments.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Patience } from './redis-api.js';
import { explainMistake, isPassing, isReply, RedisMistake, RedisOutage } from './redis-errors.js';
import { asArray } from './redis-replies.js';
import type { Script } from './redis-script-parts.js';

const DEFAULT_TIMEOUT = 10_000;
/** In milliseconds, before a lost connection is looked at again. */
const RETRY_DELAY = 50;
/** A Node timer cannot wait longer. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** What is needed of a client: it neither queues commands nor sends them again by itself. */
export interface Connection {
  isReady(): boolean;
  isClosed(): boolean;
  /** Replies as Buffers, numbers, null and arrays of these. */
  send(command: string, args: readonly (string | number | Buffer)[]): Promise<unknown>;
}

export type Argument = string | number | Buffer;

export type BatchedCommand = readonly [name: string, ...args: Argument[]];

export interface RedisCommands {
  readonly url: string;
  /** Counted by whoever checks replies. */
  rubbish: number;
  command(name: string, args: readonly Argument[], patience?: Patience): Promise<unknown>;
  /** Sends several commands at once. What the server refuses is an Error among the answers, unless it will do it later. */
  batch(commands: readonly BatchedCommand[], patience?: Patience): Promise<unknown[]>;
  run(script: Script, keys: readonly string[], args: readonly Argument[], patience?: Patience): Promise<unknown>;
}

/** Bytes as an argument, without a copy. */
export function toArgument(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Does the work, or rejects with RedisOutage as soon as patience ends. The signal tells the work that nobody waits any more. */
export async function withPatience<T>(
  url: string,
  { timeout = DEFAULT_TIMEOUT, signal }: Patience,
  work: (gaveUp: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted === true) throw new RedisOutage(`${url}: given up`);
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    const giveUp = (why: string) => {
      end.abort();
      reject(new RedisOutage(`${url}: ${why}`));
    };
    stop = () => giveUp('given up');
    if (timeout < LONGEST_TIMER) timer = setTimeout(() => giveUp(`no answer within ${timeout / 1000} s`), timeout);
    signal?.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(end.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    end.abort();
  }
}

function failure(url: string, error: Error): Error {
  if (isPassing(error)) return new RedisOutage(`${url}: ${error.message}`);
  return explainMistake(url, error);
}

async function sendWhenReady(
  connection: Connection,
  url: string,
  send: () => Promise<unknown>,
  gaveUp: AbortSignal,
): Promise<unknown> {
  for (;;) {
    if (connection.isClosed()) throw new RedisMistake(`${url}: the connection was closed`);
    if (gaveUp.aborted) return undefined;
    if (connection.isReady()) {
      try {
        return await send();
      } catch (error) {
        if (isReply(error)) throw failure(url, error);
      }
    }
    // After patience has ended this rejects; nobody looks at it any more.
    await sleep(RETRY_DELAY, undefined, { signal: gaveUp });
  }
}

export function makeCommands(connection: Connection, url: string): RedisCommands {
  const call = (send: () => Promise<unknown>, patience: Patience = {}) =>
    withPatience(url, patience, (gaveUp) => sendWhenReady(connection, url, send, gaveUp));
  return {
    url,
    rubbish: 0,
    command: (name, args, patience) => call(() => connection.send(name, args), patience),
    batch: async (commands, patience) => {
      const sendAll = () =>
        Promise.all(
          commands.map(([name, ...args]) =>
            connection.send(name, args).catch((error: unknown) => {
              if (isReply(error) && !isPassing(error)) return error;
              throw error;
            }),
          ),
        );
      return asArray(await call(sendAll, patience)) as unknown[];
    },
    run: (script, keys, args, patience) =>
      call(async () => {
        const rest = [keys.length, ...keys, ...args];
        try {
          return await connection.send('EVALSHA', [script.sha, ...rest]);
        } catch (error) {
          if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) throw error;
          return connection.send('EVAL', [script.text, ...rest]);
        }
      }, patience),
  };
}
