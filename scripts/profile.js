// Where the time of a search goes: runs the work of demo-search under V8's profiler and prints the share of each part. Run by
// `npm run profile`, on a machine with nothing else to do; takes about half a minute.
import { Session } from 'node:inspector/promises';
import { prepare } from './setup.js';

prepare();
const { Experiment } = await import('../dist/experiment/experiment.js');
const { findPreset } = await import('../dist/experiment/presets.js');
const { openTaskSet } = await import('../dist/experiment/scoring.js');
const { openBuiltinTasks } = await import('../dist/tasks/open-tasks.js');

const ALGORITHMS = 1_000_000;
const RUNS = 4;
const SAMPLE_MICROSECONDS = 500;

const config = { ...findPreset('linear'), seed: 1 };
const opened = await openTaskSet(openBuiltinTasks, config.tasks.search, config.seed);
const tasks = await Promise.all(Array.from({ length: opened.count }, (_, k) => opened.at(k)));

function search() {
  const experiment = new Experiment(config, tasks, { experiment: 1, island: 0 });
  while (experiment.algorithms < ALGORITHMS) experiment.step();
  experiment.dispose();
}

/** The part that a frame belongs to: WebAssembly to what calls it. Nothing outside of the search. */
function partOf(frames) {
  const files = frames.map(({ url }) => url.split('/dist/')[1]);
  if (!files.includes('experiment/experiment.js')) return undefined;
  const isWasm = frames[0].url.startsWith('wasm:');
  const file = files.find((name) => name !== undefined);
  const folder = file.split('/')[0];
  if (folder === 'engine') return isWasm ? 'engine: programs run' : 'engine: programs are encoded';
  // What calls WebAssembly of the folder program is often inlined, and its name lost.
  if (isWasm) {
    const isProposal = file.startsWith('program/flat/code-store') || folder === 'evolve';
    return isProposal ? 'programs are copied' : 'engine: what is live, and its hash';
  }
  return { evolve: 'parents and mutations', evaluate: 'caches and counts' }[folder] ?? 'the rest';
}

function shares({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const framesOf = (id) => (id === undefined ? [] : [byId.get(id).callFrame, ...framesOf(parents.get(id))]);
  const partOfNode = new Map(nodes.map(({ id }) => [id, partOf(framesOf(id))]));
  const times = new Map();
  for (const [k, id] of samples.entries()) {
    const part = partOfNode.get(id);
    if (part !== undefined) times.set(part, (times.get(part) ?? 0) + timeDeltas[k]);
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].map(([part, time]) => ({ part, share: time / total })).sort((a, b) => b.share - a.share);
}

search();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
await session.post('Profiler.start');
for (let k = 0; k < RUNS; k++) search();
const { profile } = await session.post('Profiler.stop');

const percent = (share) => `${(100 * share).toFixed(1).padStart(5)} %`;
const parts = shares(profile);
for (const { part, share } of parts) console.log(`${percent(share)}  ${part}`);
const outside = parts.filter(({ part }) => !part.startsWith('engine')).reduce((sum, { share }) => sum + share, 0);
console.log(`${percent(outside)}  outside the engine`);
