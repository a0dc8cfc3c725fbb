// The tutorial about many machines, with a real Redis and a real worker.
import { expect, it, onTestFinished } from 'vitest';
import { startRedis } from '../support/redis.js';
import { makePlace, runTutorial } from '../support/tutorial.js';

it('distributed', async () => {
  const redis = await startRedis({ appendOnly: 'everysec' });
  onTestFinished(() => redis.stop());
  expect(runTutorial('distributed', { place: makePlace(), env: { EVOZERO_REDIS: redis.url } })).toHaveLength(2);
});
