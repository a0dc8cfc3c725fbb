// Whether a server that answers can be used: its version, what its user may do, and what its operator should know. Must not
// know experiments.
import type { RedisCommands } from './redis-commands.js';
import { RedisMistake } from './redis-errors.js';
import { QUEUE_PREFIX } from './redis-keys.js';
import { asText } from './redis-replies.js';
import { makeScript } from './redis-script-parts.js';

const OLDEST_VERSION = 7;

/**
 * Everything that evozero's and BullMQ's scripts do, on keys that are gone afterwards: a user who lacks a right fails here and
 * not in the middle of an experiment.
 */
const PROBE = makeScript(
  `
local hash, list, set, zset, stream, text = unpack(KEYS)
redis.call('TIME')
redis.call('HSET', hash, 'a', 1)
redis.call('HINCRBY', hash, 'a', 1)
redis.call('HDEL', hash, 'b')
redis.call('HMGET', hash, 'a')
redis.call('RPUSH', list, 1)
redis.call('LRANGE', list, 0, -1)
redis.call('LREM', list, 1, 2)
redis.call('SADD', set, 1)
redis.call('SREM', set, 2)
redis.call('ZADD', zset, 1, 1)
redis.call('ZRANGE', zset, 0, -1)
redis.call('ZREMRANGEBYSCORE', zset, 2, 3)
redis.call('XADD', stream, '*', 'a', 1)
redis.call('XRANGE', stream, '-', '+')
redis.call('XTRIM', stream, 'MINID', 1)
redis.call('XINFO', 'STREAM', stream)
redis.call('SET', text, 1, 'PX', 1000)
redis.call('INCR', text)
redis.call('PTTL', text)
redis.call('TYPE', text)
renew(1000, unpack(KEYS))
redis.call('UNLINK', unpack(KEYS))
return 1
`,
  { isSmall: true },
);

function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

/** Rejects with RedisMistake if it cannot be used; resolves to warnings. */
export async function probeServer(commands: RedisCommands): Promise<string[]> {
  await commands.command('PING', []);
  const info = asText(await commands.command('INFO', [])) ?? '';
  const version = infoField(info, 'valkey_version') ?? infoField(info, 'redis_version') ?? '';
  if (!(Number.parseInt(version, 10) >= OLDEST_VERSION)) {
    throw new RedisMistake(
      `${commands.url}: Redis ${version || 'of an unknown version'} is too old; ${OLDEST_VERSION} is needed`,
    );
  }
  const prefix = `${QUEUE_PREFIX}:{probe-${process.pid}}:`;
  await commands.run(
    PROBE,
    ['hash', 'list', 'set', 'zset', 'stream', 'text'].map((part) => `${prefix}${part}`),
    [],
  );
  await commands.command('SCAN', ['0', 'COUNT', 1]);
  await commands.command('BZPOPMIN', [`${prefix}zset`, '0.001']);
  const policy = infoField(info, 'maxmemory_policy') ?? 'noeviction';
  const warnings: string[] = [];
  if (policy !== 'noeviction') {
    warnings.push(`${commands.url} deletes data when its memory is full (${policy}): set maxmemory-policy noeviction`);
  }
  if (infoField(info, 'aof_enabled') === '0') {
    warnings.push(`${commands.url} forgets the last changes when it crashes: set appendonly yes`);
  }
  return warnings;
}
