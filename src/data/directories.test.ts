import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { cacheDirectory, dataDirectories } from './directories.js';

afterEach(() => void vi.unstubAllEnvs());

test('data sets are looked for in $EVOZERO_DATA and then in the cache, or only where the user says', () => {
  vi.stubEnv('EVOZERO_CACHE', '/cache');
  vi.stubEnv('EVOZERO_DATA', '/data');
  expect(dataDirectories()).toEqual(['/data', join('/cache', 'data')]);
  expect(dataDirectories('/mine')).toEqual(['/mine']);
  vi.stubEnv('EVOZERO_DATA', '');
  expect(dataDirectories()).toEqual([join('/cache', 'data')]);
});

test.runIf(process.platform === 'linux')('the cache is where the desktop has caches', () => {
  vi.stubEnv('EVOZERO_CACHE', '');
  vi.stubEnv('XDG_CACHE_HOME', '/xdg');
  expect(cacheDirectory()).toBe('/xdg/evozero');
  vi.stubEnv('XDG_CACHE_HOME', '');
  vi.stubEnv('HOME', '/home/somebody');
  expect(cacheDirectory()).toBe('/home/somebody/.cache/evozero');
});
