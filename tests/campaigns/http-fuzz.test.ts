// Requests of any kind to the dashboard: each is answered, none is a bug, and no answer tells a path of this machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createApp } from '../../src/server/app.js';
import { RandomStream } from '../../src/util/random.js';
import { campaignSize } from '../support/amount.js';
import { SEED } from '../support/arbitraries.js';
import { evozero } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';

const CASES = campaignSize(1000);
const folder = temporaryFolder();
mkdirSync(join(folder, 'web'));
writeFileSync(join(folder, 'web/index.html'), '<!doctype html><script src="/a.js"></script>');
writeFileSync(join(folder, 'secret.txt'), 'secret');
const made = evozero([
  'run',
  'linear',
  '--seed',
  '1',
  '--islands',
  '1',
  '--max-algorithms',
  '5000',
  '--out',
  join(folder, 'runs/one'),
]);

const bugs: unknown[] = [];
const app = createApp({
  directory: join(folder, 'runs'),
  address: '127.0.0.1',
  canControl: false,
  webDirectory: join(folder, 'web'),
  version: '0',
  onError: (error) => bugs.push(error),
});
afterAll(() => app.close());

const PARTS = [
  ...[
    'api',
    'runs',
    'one',
    'files',
    'events.jsonl',
    'report.html',
    'events',
    'series',
    'program',
    'lineage',
    'hall',
    'info',
    'presets',
  ],
  ...[
    '..',
    '%2e%2e',
    '%2f',
    '%00',
    '.',
    '',
    'secret.txt',
    'etc',
    'passwd',
    '%ff',
    '𝕏',
    '__proto__',
    'constructor',
    '*',
    'a'.repeat(500),
  ],
];
const QUERIES = [
  '',
  '?points=5',
  '?points=-1',
  '?points=1e9',
  '?scale=x',
  '?token=x',
  '?from=0&limit=3',
  '?id=999999999',
  '?%',
  '?a=%ff',
];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];
const HOSTS = ['127.0.0.1', 'localhost:8420', 'evil.example', '', '127.0.0.1.evil.example', '[::1]'];
const BODIES = ['', '{}', '{"preset":"linear"}', '[', 'null', '{"__proto__":{"a":1}}', 'x'.repeat(100_000)];

it(`answers ${CASES.toLocaleString('en-US')} requests of any kind`, async ({ task }) => {
  expect(made.status).toBe(0);
  const statuses = new Map<number, number>();
  for (let k = 0; k < CASES; k++) {
    const random = new RandomStream(SEED, 10, k);
    const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)]!;
    const path = Array.from({ length: random.integer(6) }, () => pick(PARTS)).join('/');
    const start = random.uniform() < 0.6 ? 'api/runs/one/' : '';
    const method = pick(METHODS);
    const headers: Record<string, string> = { Host: random.uniform() < 0.7 ? '127.0.0.1' : pick(HOSTS) };
    if (random.uniform() < 0.2) headers.Origin = pick(['http://127.0.0.1', 'http://evil.example', 'null', '%']);
    if (random.uniform() < 0.2)
      headers.Range = pick(['bytes=0-5', 'bytes=9-1', 'bytes=-1', 'x', 'bytes=0-99999999999']);
    if (random.uniform() < 0.2) headers['Content-Type'] = pick(['application/json', 'text/plain', '']);
    const body = method === 'GET' || method === 'OPTIONS' ? {} : { body: pick(BODIES) };
    const request = new Request(`http://127.0.0.1/${start}${path}${pick(QUERIES)}`, { method, headers, ...body });
    const abort = new AbortController();
    const response = await app.fetch(new Request(request, { signal: abort.signal }));
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
    if (isStream) await response.body?.cancel();
    else {
      const text = await response.text();
      // Only what says where the dashboard looks names a folder.
      const tells = text.includes(folder) && new URL(request.url).pathname !== '/api/info';
      if (tells || text.includes('secret') || response.status === 500) {
        throw new Error(`case ${k}: ${request.method} ${request.url}: ${response.status} ${text.slice(0, 200)}`);
      }
    }
    abort.abort();
  }
  task.meta.cases = CASES;
  expect(bugs).toEqual([]);
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 403, 404]));
}, 3_600_000);
