// Which Redis a command means, and how its mistakes are told. Redis clients are loaded only when they are needed.
import type { RedisServer } from '../islands/redis-api.js';
import { UserError } from './errors.js';
import { note } from './output.js';

export function redisUrl(given: string | undefined): string {
  const url = given ?? process.env.EVOZERO_REDIS;
  if (url === undefined || url === '') {
    throw new UserError('which Redis? Give --redis URL, such as redis://localhost, or set EVOZERO_REDIS');
  }
  return url;
}

export async function connect(url: string): Promise<RedisServer> {
  const { connectRedis } = await import('../islands/redis.js');
  const server = await connectRedis(url);
  for (const warning of server.warnings) note(warning);
  return server;
}
