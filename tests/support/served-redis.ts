// A Redis server for all tests of a file, and evozero's connection to it.
import { afterAll } from 'vitest';
import { connectRedis } from '../../src/islands/redis.js';
import { startRedis } from './redis.js';

export async function serveRedis() {
  const redis = await startRedis();
  const server = await connectRedis(redis.url);
  afterAll(async () => {
    await server.close();
    await redis.stop();
  });
  return { redis, server };
}
