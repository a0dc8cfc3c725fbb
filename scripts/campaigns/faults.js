// `npm run faults`: 200 random SIGKILLs over searches, islands, cache builds, tuning, downloads, reports and reproductions, and then a full
// disk, a read-only one, jumping clocks and too little memory. Each case ends in what nobody would have got without the fault, or in a
// clear error; nothing is left corrupt. Needs the files of MNIST, in EVOZERO_DATA or .data. `--kills N`, `--seed N`, `--keep`: the outcome into results/.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { prepare } from '../setup.js';
import { Campaign, check, root } from './report.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const KILLS = Number(values.kills);
process.env.EVOZERO_DATA ??= join(root, '.data');
if (!existsSync(join(process.env.EVOZERO_DATA, 'mnist'))) {
  console.error(`faults: there is no mnist in ${process.env.EVOZERO_DATA}; EVOZERO_DATA says where data sets are`);
  process.exit(2);
}
prepare();
const { RandomStream } = await import('../../dist/util/random.js');
const random = new RandomStream(Number(values.seed));

const place = mkdtempSync(join(tmpdir(), 'evozero-faults-'));
const script = join(root, 'bin/evozero.js');
const campaign = new Campaign('faults');
let killed = 0;

/** A process of evozero; with a delay, it is killed after so many milliseconds. */
function run(args, { env = {}, node = [], killAfter, cwd = place } = {}) {
  const child = spawn(process.execPath, [...node, script, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
    });
  }
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  return new Promise((resolve) => {
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL') killed++;
      resolve({ status, wasKilled: signal === 'SIGKILL', ...said });
    });
  });
}

const lastLine = ({ stderr }) => stderr.trim().split('\n').at(-1);

async function succeed(args, options) {
  const done = await run(args, options);
  check(done.status === 0, `${args[0]} ended with ${done.status}: ${lastLine(done)}`);
  return done;
}

/** An error in one line, without a stack. */
async function refuse(args, pattern, options) {
  const done = await run(args, options);
  check(done.status !== 0 && !done.wasKilled, `${args[0]} went through`);
  check(pattern.test(done.stderr) && !/\n\s+at /.test(done.stderr), `it said: ${lastLine(done)}`);
}

/**
 * Kills what `command` begins and goes on with, so many times in all, over as many rounds as that takes. Each round must end with what a
 * round without kills ends with.
 */
async function survive(kills, { command, outcome, env = () => ({}) }) {
  const wholePlace = join(place, `whole-${random.integer(1e9)}`);
  const startedAt = performance.now();
  const whole = await succeed(command(wholePlace), { env: env(wholePlace) });
  const milliseconds = performance.now() - startedAt;
  const expected = outcome(wholePlace, whole);
  const goal = killed + kills;
  let rounds = 0;
  while (killed < goal) {
    rounds++;
    const here = join(place, `killed-${random.integer(1e9)}`);
    let done = { wasKilled: true };
    for (let k = 0; done.wasKilled; k++) {
      // Not for ever in one round: a process that is always killed at once gets nowhere.
      const isMortal = killed < goal && k < 8;
      done = await run(command(here), {
        env: env(here),
        ...(isMortal && { killAfter: random.uniform() * milliseconds }),
      });
    }
    check(done.status === 0, `after kills it ended with ${done.status}: ${lastLine(done)}`);
    check(outcome(here, done) === expected, 'after kills it ended with something else');
    rmSync(here, { recursive: true, force: true });
  }
  rmSync(wholePlace, { recursive: true, force: true });
  return `${kills} kills, ${rounds} rounds, each as without`;
}

// --- Kills -------------------------------------------------------------------------------------------------------------

const read = (directory, file) => readFileSync(join(directory, file), 'utf8');
const search = (...flags) => ({
  command: (out) =>
    existsSync(join(out, 'config.json'))
      ? ['resume', out]
      : [
          'run',
          'linear',
          '--seed',
          '1',
          '--max-algorithms',
          '200000',
          '--set',
          'stop.fitness=null',
          ...flags,
          '--out',
          out,
        ],
  outcome: (out) => ['events.jsonl', 'best.alg', 'hall-of-fame.csv'].map((file) => read(out, file)).join('\n'),
});
const part = (share) => Math.max(1, Math.round(share * KILLS));

await campaign.try('searches are killed, and resumed', () => survive(part(0.2), search('--islands', '1')));
await campaign.try('searches on islands are killed, and resumed', () =>
  survive(part(0.2), search('--islands', '2', '--workers', '2')),
);
await campaign.try('searches by the method evozero are killed, and resumed', () =>
  survive(part(0.1), search('--islands', '1', '--set', 'search.method=evozero', '--set', 'search.population=300')),
);
await campaign.try('tuning is killed, and done again', () =>
  survive(part(0.1), {
    command: () => ['tune', 'paper/linear', '--tasks', 'linear-select', '--count', '10', '--trials', '40', '--json'],
    outcome: (_, { stdout }) => {
      const { programs } = JSON.parse(stdout);
      return JSON.stringify(programs.map(({ tuned, best }) => [tuned, best]));
    },
  }),
);

const images = [
  '--tasks',
  'mnist-binary-search',
  '--features',
  '16',
  '--count',
  '20',
  '--train',
  '1000',
  '--valid',
  '500',
];
await campaign.try('builds of the cache of tasks are killed, and done again', () =>
  survive(part(0.1), {
    command: () => ['eval', 'paper/logistic', ...images, '--json'],
    env: (here) => ({ EVOZERO_CACHE: join(here, 'cache') }),
    outcome: (_, { stdout }) => JSON.stringify(JSON.parse(stdout).fitnesses),
  }),
);

/** The files of MNIST as its home sends them, a piece at a time. */
async function serveMnist() {
  const folder = join(process.env.EVOZERO_DATA, 'mnist');
  const names = ['train-images-idx3', 'train-labels-idx1', 't10k-images-idx3', 't10k-labels-idx1'].map(
    (name) => `${name}-ubyte`,
  );
  const files = new Map(
    names.map((name) => {
      const zipped = join(folder, `${name}.gz`);
      return [
        `/${name}.gz`,
        existsSync(zipped) ? readFileSync(zipped) : gzipSync(readFileSync(join(folder, name)), { level: 9 }),
      ];
    }),
  );
  const server = createServer(async (request, response) => {
    const bytes = files.get(request.url);
    if (bytes === undefined) return response.writeHead(404).end();
    const from = Number(/\d+/.exec(request.headers.range ?? '0')[0]);
    const head = { 'content-length': bytes.length - from };
    if (from > 0)
      response.writeHead(206, { ...head, 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` });
    else response.writeHead(200, head);
    for (let at = from; at < bytes.length && !response.destroyed; at += 200_000) {
      response.write(bytes.subarray(at, at + 200_000));
      await wait(5);
    }
    return response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

await campaign.try('downloads are killed, and go on', async () => {
  const { url, close } = await serveMnist();
  try {
    return await survive(part(0.1), {
      command: (out) => ['data', 'get', 'mnist', '--data', out, '--mirror', url],
      outcome: (out) => {
        const names = readdirSync(join(out, 'mnist')).sort();
        check(
          names.every((name) => name.endsWith('.gz')),
          `left: ${names}`,
        );
        const verified = spawnSync(process.execPath, [script, 'data', 'verify', 'mnist', '--data', out]);
        check(verified.status === 0, 'what came is not right');
        return names.join();
      },
    });
  } finally {
    close();
  }
});

const finished = join(place, 'finished');
await succeed(['run', 'linear', '--seed', '1', '--max-algorithms', '100000', '--out', finished]);
await campaign.try('reports are killed, and written again', () =>
  survive(part(0.1), {
    command: (out) => {
      mkdirSync(out, { recursive: true });
      return ['report', finished, '--out', join(out, 'report.html')];
    },
    outcome: (out) => {
      const left = readdirSync(out).filter((name) => name.endsWith('.html'));
      check(left.length === 1, `left: ${left}`);
      return read(out, 'report.html');
    },
  }),
);
await campaign.try('reproductions are killed, and go on', () =>
  survive(part(0.1), {
    command: (out) => ['reproduce', 'difficulty', '--scale', 'smoke', '--out', out],
    outcome: (out) => {
      const { tables } = JSON.parse(read(out, 'findings.json'));
      // The last column is a rate of time.
      return JSON.stringify(tables[0].rows.map((row) => row.slice(0, -1)));
    },
  }),
);

// --- Disks, clocks, memory ---------------------------------------------------------------------------------------------

const SEARCH = [
  'run',
  'linear',
  '--seed',
  '1',
  '--islands',
  '1',
  '--max-algorithms',
  '200000',
  '--set',
  'stop.fitness=null',
];
const whole = join(place, 'whole');
await succeed([...SEARCH, '--out', whole]);
const isWhole = (directory) => check(read(directory, 'events.jsonl') === read(whole, 'events.jsonl'), 'another search');

/** A file system of its own, in memory. */
async function withDisk(options, work) {
  const disk = join(place, `disk-${random.integer(1e9)}`);
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { encoding: 'utf8' });
  check(mounted.status === 0, `no disk to try it on: ${mounted.stderr}`);
  try {
    return await work(disk);
  } finally {
    spawnSync('umount', ['-l', disk]);
  }
}

await campaign.try('a disk that is full: a clear error, and it goes on when there is room', () =>
  withDisk('size=6m', async (disk) => {
    const out = join(disk, 'run');
    const running = run([...SEARCH, '--out', out]);
    while (!existsSync(join(out, 'config.json'))) await wait(5);
    try {
      writeFileSync(join(disk, 'ballast'), Buffer.alloc(7_000_000));
    } catch {
      // It is full now.
    }
    const { status, stderr } = await running;
    check(status === 0 || /no space left/.test(stderr), `it said: ${stderr.trim().split('\n').at(-1)}`);
    rmSync(join(disk, 'ballast'), { force: true });
    spawnSync('mount', ['-o', 'remount,size=60m', disk]);
    if (status !== 0) await succeed(existsSync(join(out, 'config.json')) ? ['resume', out] : [...SEARCH, '--out', out]);
    isWhole(out);
  }),
);
await campaign.try('a disk that must not be written to: a clear error', () =>
  withDisk('size=6m,ro', (disk) => refuse([...SEARCH, '--out', join(disk, 'run')], /cannot be written to|read-only/)),
);
await campaign.try('clocks that jump by days, back and forth: the same search', async () => {
  const jumping = join(place, 'jumping.mjs');
  writeFileSync(
    jumping,
    'const now = Date.now; let k = 0; Date.now = () => now() + (k++ % 2 === 0 ? 1 : -1) * 3 * 24 * 3600 * 1000;',
  );
  const out = join(place, 'jumps');
  await succeed([...SEARCH, '--out', out], { node: [`--import=${jumping}`] });
  isWhole(out);
});
await campaign.try('too little memory: it ends, and goes on with more', async () => {
  const out = join(place, 'memory');
  const { status } = await run([...SEARCH, '--out', out], {
    node: ['--max-old-space-size=8', '--max-semi-space-size=1'],
  });
  if (status !== 0) await succeed(existsSync(join(out, 'config.json')) ? ['resume', out] : [...SEARCH, '--out', out]);
  isWhole(out);
  return status === 0 ? 'was enough' : `ended with ${status ?? 'a signal'}`;
});

rmSync(place, { recursive: true, force: true });
campaign.end({ kills: killed, seed: Number(values.seed) }, values.keep ? 'results/campaigns/faults.json' : undefined);
