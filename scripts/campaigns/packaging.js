// `npm run packaging`: packs the project, installs the tarball into an empty folder elsewhere, and tries everything there that a stranger
// would, with several versions of Node and in odd environments. `--node 20,22,24` (default), `--keep`: the outcome into results/.
// Needs the npm registry.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../setup.js';
import { Campaign, check, root } from './report.js';

const { values } = parseArgs({
  options: { node: { type: 'string', default: '20,22,24' }, keep: { type: 'boolean', default: false } },
});
/** Bytes, also when it is unpacked. */
const MAX_SIZE = 5_000_000;
const MEMORY = 256 * 2 ** 20;

const place = mkdtempSync(join(tmpdir(), 'evozero-packaging-'));
// Spaces and letters that are not ASCII: paths that people have.
const project = join(place, 'mein Projekt für später');
mkdirSync(project);
const script = join(project, 'node_modules/evozero/bin/evozero.js');

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: project, encoding: 'utf8', timeout: 300_000, ...options });
  if (done.error) throw done.error;
  return done;
}

function succeed(command, args, options) {
  const { status, stdout, stderr } = run(command, args, options);
  check(status === 0, `exit code ${status}: ${stderr.trim().split('\n').at(-1)}`);
  return stdout;
}

/** Fails with one line that says why, and without a stack. */
function refuse(command, args, pattern, options) {
  const { status, stderr } = run(command, args, options);
  const lines = stderr.trim().split('\n');
  check(status !== 0 && status !== null, 'it went through');
  check(pattern.test(stderr), `it said: ${lines.at(-1)}`);
  check(!/\n\s+at /.test(stderr), 'it printed a stack');
  return lines.at(-1);
}

const campaign = new Campaign('packaging');
prepare();

let tarball = '';
let packed = {};
await campaign.try('npm pack', () => {
  const [entry] = JSON.parse(
    succeed('npm', ['pack', '--json', '--silent', '--pack-destination', place], { cwd: root }),
  );
  packed = entry;
  tarball = join(place, entry.filename);
  const strange = entry.files.filter(({ path }) => /\.(node|test\.js|map)$|^src\/|^tests\//.test(path));
  check(strange.length === 0, `it has ${strange.map(({ path }) => path)}`);
  const sizes = `${(entry.size / 1e6).toFixed(2)} MB packed, ${(entry.unpackedSize / 1e6).toFixed(2)} MB unpacked, ${entry.files.length} files`;
  check(entry.unpackedSize < MAX_SIZE, sizes);
  return sizes;
});

/** Optional parts of what bullmq packs messages with; they go at once, so that everything below is tried without them. */
const DISPENSABLE = ['msgpackr-extract', '@msgpackr-extract'];

await campaign.try('npm install --ignore-scripts, in a path with spaces and umlauts', () => {
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  succeed('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball]);
  const modules = join(project, 'node_modules');
  for (const name of DISPENSABLE) rmSync(join(modules, name), { recursive: true, force: true });
  const files = readdirSync(modules, { recursive: true }).map(String);
  const manifests = files.filter((path) => /(^|\/)package\.json$/.test(path));
  const scripted = manifests.filter((path) => {
    const { scripts = {} } = JSON.parse(readFileSync(join(modules, path), 'utf8'));
    return ['preinstall', 'install', 'postinstall'].some((name) => scripts[name] !== undefined);
  });
  check(scripted.length === 0, `install scripts in ${scripted}`);
  check(!files.some((path) => path.endsWith('.node')), 'native code');
  return `no install script and no native code but in ${DISPENSABLE[0]}, an optional part of bullmq that is taken away here`;
});

/** The binary of a version of Node: this one, or that of the npm package. */
function nodeBinary(version) {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const folder = join(place, `node-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const system = `node-${process.platform}-${process.arch}`;
  succeed('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${system}@${version}`], { cwd: folder });
  return join(folder, 'node_modules', system, 'bin/node');
}

const LIBRARY = `
import { OPS, parseConfig, presets, search } from 'evozero';
import * as data from 'evozero/data';
const config = parseConfig({ ...presets.linear, seed: 1, islands: { count: 1 }, stop: { algorithms: 20000 } });
let end;
for await (const event of search(config)) if (event.type === 'end') end = event;
console.log(JSON.stringify({ ops: OPS.length, algorithms: end.result.algorithms, data: Object.keys(data).length > 0 }));
`;
writeFileSync(join(project, 'library.mjs'), LIBRARY);

async function tryDashboard(node) {
  const child = spawn(node, [script, 'dashboard', 'runs', '--port', '0', '--json'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    for (let k = 0; k < 300 && !text.includes('\n'); k++) await new Promise((resolve) => setTimeout(resolve, 100));
    const { url } = JSON.parse(text);
    const fetched = [];
    for (const path of ['', 'playground/']) {
      const answer = await fetch(new URL(path, url));
      const page = await answer.text();
      check(answer.ok && page.includes('<script'), `${path}: ${answer.status}`);
      const files = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(
        ([, name]) => new URL(name, new URL(path, url)),
      );
      check(files.length > 0, `${path}: no files`);
      for (const file of files) {
        const part = await fetch(file);
        check(part.ok, `${file}: ${part.status}`);
        fetched.push(file);
      }
    }
    const { runs } = await (await fetch(new URL('api/runs', url))).json();
    check(runs.length > 0, 'it lists no runs');
    return `${fetched.length} files, ${runs.length} runs`;
  } finally {
    child.kill();
  }
}

let first = '';
for (const version of values.node.split(',')) {
  let node = '';
  const name = `Node ${version}`;
  const isThere = await campaign.try(`${name}: starts`, () => {
    node = nodeBinary(version);
    return succeed(node, ['--version']).trim();
  });
  if (!isThere) continue;
  const evozero = (...args) => succeed(node, [script, ...args]);
  await campaign.try(`${name}: evozero --version, show, explain`, () => {
    check(JSON.parse(evozero('show', 'paper/linear', '--json')).name === 'paper/linear', 'no program');
    check(evozero('explain', 'paper/neural-net').includes('backprop'), 'no explanation');
    return evozero('--version').trim();
  });
  await campaign.try(`${name}: a search on two islands in worker threads, the same on every version`, () => {
    const out = `runs/linear-${version}`;
    const flags = [
      '--seed',
      '3',
      '--islands',
      '2',
      '--workers',
      '2',
      '--max-algorithms',
      '60000',
      '--out',
      out,
      '--json',
    ];
    const { algorithms, program, searchFitness } = JSON.parse(evozero('run', 'linear', ...flags));
    const found = JSON.stringify({ algorithms, program, searchFitness });
    if (first === '') first = found;
    check(found === first, 'another result');
    check(existsSync(join(project, out, 'report.html')), 'no report');
    return `${algorithms} algorithms`;
  });
  await campaign.try(`${name}: the embedded digits`, () => {
    const flags = ['--islands', '1', '--max-algorithms', '3000', '--out', `runs/digits-${version}`, '--json'];
    return `search fitness ${JSON.parse(evozero('run', 'digits', ...flags)).searchFitness}`;
  });
  await campaign.try(`${name}: as a library`, () => {
    const { ops, algorithms, data } = JSON.parse(succeed(node, ['library.mjs']));
    check(ops === 65 && algorithms === 20_000 && data, `${ops} ops, ${algorithms} algorithms`);
    return `${ops} ops`;
  });
  await campaign.try(`${name}: dashboard and playground are served`, () => tryDashboard(node));
}

// --- Types -------------------------------------------------------------------------------------------------------------

const CONSUMER = `
import { type Config, parseConfig, presets, type RunEvent, search, type OpName } from 'evozero';
const config: Config = parseConfig({ ...presets.linear, seed: 1 });
const name: OpName = 'matrix-vector';
export async function bests(): Promise<number[]> {
  const found: number[] = [];
  for await (const event of search(config)) if (event.type === 'best') found.push(event.fitness);
  return found;
}
export const kinds = (event: RunEvent): string => event.type + name;
// @ts-expect-error: no such op
export const wrong: OpName = 'no-such-op';
// @ts-expect-error: no such field
export const missing = config.nothing;
`;
writeFileSync(join(project, 'consumer.ts'), CONSUMER);
for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
]) {
  await campaign.try(`types for a project with moduleResolution ${moduleResolution}`, () => {
    const compilerOptions = {
      ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] },
      ...{ target: 'es2022', lib: ['es2023', 'dom'], module, moduleResolution },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const { status, stdout } = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
    check(status === 0, stdout.trim().split('\n')[0]);
    return 'strict, libraries checked';
  });
}
await campaign.try('what package.json exports is there, with types', () => {
  const folder = join(project, 'node_modules/evozero');
  const { exports, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = [...Object.values(exports).flatMap((entry) => Object.values(entry)), ...Object.values(bin)];
  const missing = files.filter((file) => !existsSync(join(folder, file)));
  check(missing.length === 0, `missing: ${missing}`);
  return `${files.length} files`;
});

// --- Odd environments --------------------------------------------------------------------------------------------------

const quick = (out, ...more) => [
  script,
  'run',
  'linear',
  '--seed',
  '3',
  '--max-algorithms',
  '20000',
  '--out',
  out,
  ...more,
];
await campaign.try('without a terminal, without a home directory, under LANG=C', () => {
  const env = { PATH: process.env.PATH, LANG: 'C', LC_ALL: 'C' };
  const text = succeed(process.execPath, quick('runs/bare'), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  check(!text.includes('\u001b'), 'it printed colours');
  succeed(process.execPath, [script, 'data', 'list'], { env });
});
await campaign.try('with one core', () => {
  const { status, stderr } = run('taskset', ['-c', '0', process.execPath, ...quick('runs/one-core')]);
  check(status === 0, stderr);
});
await campaign.try('in a directory that must not be written to: a clear error', () => {
  const locked = join(place, 'locked');
  mkdirSync(locked, { mode: 0o555 });
  // Root may write anywhere, so that somebody else tries; who must be able to read the installation.
  spawnSync('chmod', ['-R', 'a+rX', place]);
  const isRoot = process.getuid?.() === 0;
  const [command, ...prefix] = isRoot
    ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', process.execPath]
    : [process.execPath];
  const args = [script, 'run', 'linear', '--seed', '3', '--max-algorithms', '20000'];
  return refuse(command, [...prefix, ...args], /locked|runs/, { cwd: locked, env: { PATH: process.env.PATH } });
});
await campaign.try('with 256 MB of memory: the linear preset', () => {
  const code = `process.argv.splice(1, 0, ${JSON.stringify(script)});
    process.on('exit', () => console.error('maxRSS ' + process.resourceUsage().maxRSS));
    await import(${JSON.stringify(`file://${encodeURI(script)}`)});`;
  const args = ['--input-type=module', '-e', code, '--', ...quick('runs/small', '--workers', '1', '--json').slice(1)];
  const { status, stderr } = run(process.execPath, args);
  check(status === 0, stderr.trim().split('\n').at(-1));
  const bytes = 1024 * Number(/maxRSS (\d+)/.exec(stderr)?.[1]);
  check(bytes < MEMORY, `it took ${(bytes / 2 ** 20).toFixed(0)} MB`);
  return `${(bytes / 2 ** 20).toFixed(0)} MB at most`;
});

rmSync(place, { recursive: true, force: true });
const facts = { packedBytes: packed.size, unpackedBytes: packed.unpackedSize };
campaign.end(facts, values.keep ? 'results/campaigns/packaging.json' : undefined);
