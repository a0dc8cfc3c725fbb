// The only file that knows Redis clients: ioredis for experiments and the exchange, BullMQ for handing islands to workers.
// What is kept there and how lies in redis-*.ts; what islands do, elsewhere.
//
// An ACL user for it: user NAME on >PASSWORD ~evozero:* resetchannels +@all -@admin -@dangerous +info
import { readFileSync } from 'node:fs';
import { Queue, WaitingError, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { parseRedisAddress, type RedisAddress } from './redis-address.js';
import type { Patience, RedisServer } from './redis-api.js';
import { type Connection, makeCommands, withPatience } from './redis-commands.js';
import { explainMistake, RedisMistake } from './redis-errors.js';
import { createExperiment, listExperiments, openExperiment, removeExperiment } from './redis-experiment.js';
import { QUEUE_PREFIX, queueName } from './redis-keys.js';
import { probeServer } from './redis-probe.js';
import type { JobQueue } from './redis-queue.js';
import { type JobWorker, serveIslands } from './redis-serve.js';

export type * from './redis-api.js';
export { RedisMistake, RedisOutage } from './redis-errors.js';

/** In milliseconds. */
const CONNECT_TIMEOUT = 5_000;
const LONGEST_RECONNECT_DELAY = 2000;
/** After which a connection that does not answer is given up for a new one. Longer than BullMQ's blocking calls take. */
const SILENCE_TIMEOUT = 20_000;

/** How often an island is run that fails. */
const ATTEMPTS = 5;
/** BullMQ's own stream of events, which nobody reads. */
const EVENTS_KEPT = 100;

function readAuthority(): { ca?: Buffer } {
  const file = process.env.EVOZERO_REDIS_CA;
  if (file === undefined || file === '') return {};
  try {
    return { ca: readFileSync(file) };
  } catch (error) {
    throw new RedisMistake(`EVOZERO_REDIS_CA: ${error instanceof Error ? error.message : error}`);
  }
}

function connectionOptions(address: RedisAddress) {
  const { host, port, username, password, db, isEncrypted } = address;
  return {
    host,
    port,
    db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isEncrypted ? { tls: readAuthority() } : {}),
    protocol: 2,
    disableClientInfo: true,
    connectTimeout: CONNECT_TIMEOUT,
    socketTimeout: SILENCE_TIMEOUT,
    maxRetriesPerRequest: null,
    lazyConnect: true,
    retryStrategy: (times: number) => Math.min(50 * 2 ** times, LONGEST_RECONNECT_DELAY),
  } as const satisfies RedisOptions;
}

/** Connects once, without trying again, and rejects with the reason. Later losses of the connection mend themselves. */
async function connectFirst(address: RedisAddress): Promise<Redis> {
  let isUp = false;
  let reason: unknown;
  const options = connectionOptions(address);
  const client = new Redis({
    ...options,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => (isUp ? options.retryStrategy(times) : null),
  });
  // Outages show as calls that lose their patience.
  client.on('error', (error) => {
    reason ??= error;
  });
  try {
    await client.connect();
    isUp = true;
    return client;
  } catch (error) {
    client.disconnect();
    throw explainMistake(address.shown, reason ?? error);
  }
}

function toConnection(client: Redis, isClosed: () => boolean): Connection {
  return {
    isClosed,
    isReady: () => client.status === 'ready',
    send: (command, args) => client.callBuffer(command, ...args),
  };
}

/** Queues by format, each opened when it is first needed. */
function openQueues(client: Redis, url: string): JobQueue & { close(): Promise<void> } {
  const queues = new Map<number, Queue>();
  const open = (format: number) => {
    const opened =
      queues.get(format) ??
      new Queue(queueName(format), {
        connection: client,
        prefix: QUEUE_PREFIX,
        skipVersionCheck: true,
        streams: { events: { maxLen: EVENTS_KEPT } },
      });
    if (!queues.has(format)) opened.on('error', () => {});
    queues.set(format, opened);
    return opened;
  };
  // BullMQ queues commands during an outage. Doing them late is harmless.
  const wait = async (patience: Patience | undefined, work: () => Promise<unknown>) => {
    await withPatience(url, patience ?? {}, work);
  };
  const options = { attempts: ATTEMPTS, removeOnComplete: true, stackTraceLimit: 1 };
  return {
    add: (format, ids, patience) =>
      wait(patience, () =>
        open(format).addBulk(ids.map((jobId) => ({ name: 'island', data: {}, opts: { ...options, jobId } }))),
      ),
    remove: (format, ids, patience) =>
      // A job that is being run refuses; it ends by itself.
      wait(patience, () =>
        Promise.all(
          ids.map((id) =>
            open(format)
              .remove(id)
              .catch(() => 0),
          ),
        ),
      ),
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

/** A BullMQ worker; its `process` gives a job back to the queue, with none of its attempts used, by resolving to 'again'. */
function startWorker(client: Redis, { format, slots, timing, process, onError }: Parameters<JobWorker>[0]) {
  const worker = new Worker(
    queueName(format),
    async (job, token) => {
      const isLast = job.attemptsMade + 1 >= ATTEMPTS;
      if ((await process({ id: job.id ?? '', attempt: job.attemptsMade, isLast })) !== 'again') return;
      await job.moveToWait(token);
      throw new WaitingError();
    },
    {
      connection: client,
      prefix: QUEUE_PREFIX,
      skipVersionCheck: true,
      concurrency: slots,
      lockDuration: timing.lock,
      stalledInterval: timing.stalled,
      // A killed worker is nobody's fault.
      maxStalledCount: 2 ** 31,
      runRetryDelay: 1000,
      // Also of jobs that somebody else made.
      removeOnComplete: { count: 0 },
    },
  );
  worker.on('error', onError);
  return { close: () => worker.close() };
}

/** Connects to a server, and rejects with RedisMistake if it cannot be used. */
export async function connectRedis(url: string): Promise<RedisServer> {
  const address = parseRedisAddress(url);
  const client = await connectFirst(address);
  let isClosed = false;
  const commands = makeCommands(
    toConnection(client, () => isClosed),
    address.shown,
  );
  let jobs: Redis | undefined;
  let queues: ReturnType<typeof openQueues> | undefined;
  // BullMQ needs a connection that queues commands while it is lost.
  const connectJobs = () => {
    if (jobs === undefined) {
      jobs = new Redis(connectionOptions(address));
      jobs.on('error', () => {});
    }
    return jobs;
  };
  const openedQueues = () => {
    queues ??= openQueues(connectJobs(), address.shown);
    return queues;
  };
  const queue: JobQueue = {
    add: (...args) => openedQueues().add(...args),
    remove: (...args) => openedQueues().remove(...args),
  };
  const close = async () => {
    isClosed = true;
    await queues?.close();
    jobs?.disconnect();
    client.disconnect();
  };
  const place = { commands, queue };
  try {
    const warnings = await probeServer(commands);
    return {
      url: address.shown,
      warnings,
      get rubbish() {
        return commands.rubbish;
      },
      createExperiment: (settings, patience) => createExperiment(place, settings, patience),
      openExperiment: (name, patience) => openExperiment(place, name, patience),
      listExperiments: (patience) => listExperiments(place, patience),
      removeExperiment: (name, patience) => removeExperiment(place, name, patience),
      serve: (options) => serveIslands(place, (settings) => startWorker(connectJobs(), settings), options),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
