// `npm run discovery [FAMILY...]`: searches every family of docs/discovery.md by the paper's method and by ours, with many seeds, as many
// at once as there are cores, and keeps what it took in results/discovery.jsonl. Goes on where it was stopped. `npm run results` makes
// the tables of it. `--seeds A-B` (default 0-19), `--method NAME` (also without a part), `--limit SECONDS`, `--out FILE`. The family `main`
// has to be named: it needs the files of CIFAR-10.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readDiscoveries } from './results.js';
import { prepare } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '0-19' },
    method: { type: 'string' },
    limit: { type: 'string' },
    out: { type: 'string', default: join(root, 'results', 'discovery.jsonl') },
    one: { type: 'string' },
  },
});

if (values.one === undefined) prepare();
const { COMPARED_METHODS, DISCOVERY_FAMILIES, DISCOVERY_METHODS, IMAGE_FAMILY, discover } = await import(
  '../dist/bench/discovery.js'
);
const { openTasks } = await import('../dist/data/index.js');
const families = [...DISCOVERY_FAMILIES, IMAGE_FAMILY];

/** Processor seconds of another search before the one that is measured, in which what all have in common is loaded and compiled. */
const WARM_UP = 2;
const OTHER_SEED = 1_000_000;

/** One search, in a process of its own: prints what it took. */
if (values.one !== undefined) {
  const [name, method, seed] = values.one.split('/');
  const family = families.find((one) => one.name === name);
  const limit = values.limit === undefined ? family.limit : Number(values.limit);
  const search = (number, seconds) => discover(family, method, number, seconds, openTasks);
  await search(OTHER_SEED + Number(seed), WARM_UP);
  console.log(JSON.stringify(await search(Number(seed), limit)));
  process.exit(0);
}

const methods = values.method === undefined ? COMPARED_METHODS : [values.method];
if (!methods.every((method) => DISCOVERY_METHODS.includes(method))) {
  console.error(`discovery: there are the methods ${DISCOVERY_METHODS.join(', ')}`);
  process.exit(2);
}
const [first, last] = values.seeds.split('-').map(Number);
const wrong = positionals.filter((name) => !families.some((family) => family.name === name));
if (wrong.length > 0 || !(first <= (last ?? first))) {
  const names = families.map(({ name }) => name).join(', ');
  console.error(`discovery: there are the families ${names}, and seeds such as 0-19`);
  process.exit(2);
}

const known = readDiscoveries(values.out);
const isKnown = (family, method, seed) =>
  known.some((one) => one.family === family && one.method === method && one.seed === seed);
const jobs = [];
const wanted =
  positionals.length === 0 ? DISCOVERY_FAMILIES : families.filter(({ name }) => positionals.includes(name));
for (const { name } of wanted) {
  for (let seed = first; seed <= (last ?? first); seed++) {
    for (const method of methods) {
      if (!isKnown(name, method, seed)) jobs.push(`${name}/${method}/${seed}`);
    }
  }
}
console.error(`${jobs.length} searches`);
mkdirSync(dirname(values.out), { recursive: true });

function work(job) {
  const flags = ['--one', job, ...(values.limit === undefined ? [] : ['--limit', values.limit])];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${job} ended with exit code ${code}`));
      // Begins on a line of its own, whatever was there before.
      appendFileSync(values.out, `\n${text}`);
      const { success, cpuSeconds, algorithms } = JSON.parse(text);
      console.error(
        `${job}: ${success ? 'found' : 'given up'} after ${cpuSeconds.toFixed(1)} s, ${algorithms} algorithms`,
      );
      return resolve();
    });
  });
}

await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await work(job);
  }),
);
