// Shows that a long run does not grow: 1,000,000 evaluations of random programs on one evaluator, then 20,000 evaluators that
// come and go. Prints the resident memory along the way, and fails if the second half ends higher than it began by more
// than 5 %.  node scripts/campaigns/flat-memory.js [evaluations]
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { prepare } from '../setup.js';

prepare();
const { wasmEngine } = await import('../../dist/engine/wasm/engine.js');
const { heap } = await import('../../dist/engine/wasm/heap.js');
const { OPS } = await import('../../dist/ops/ops.js');
const { makeInstruction } = await import('../../dist/program/program.js');
const { regressionTaskAt } = await import('../../dist/tasks/regression.js');
const { RandomStream } = await import('../../dist/util/random.js');

const EVALUATIONS = Number(process.argv[2] ?? 1_000_000);
if (!(EVALUATIONS >= 1000)) throw new Error('evaluations: a number from 1000');
const ALLOWED = 1.05;
const random = new RandomStream(1);

function instruction() {
  const op = OPS[random.integer(OPS.length)];
  const address = () => random.integer(4);
  return makeInstruction({
    op: op.id,
    inputs: op.inputs.map(address),
    out: random.integer(3),
    indices: [random.integer(4), random.integer(4)].slice(0, op.indices),
    constants: op.constantSpecs.map(() => 2 * random.uniform() - 1),
  });
}

const body = (length) => Array.from({ length }, instruction);
const programs = Array.from({ length: 2000 }, () => ({ setup: body(4), predict: body(4), learn: body(8) }));
const tasks = Array.from({ length: 10 }, (_, k) =>
  regressionTaskAt('linear', { features: 4, trainExamples: 10, validExamples: 10 }, 1, k),
);

// What the collector has not yet taken away is no growth.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

function megabytes() {
  collect();
  return process.memoryUsage().rss / 2 ** 20;
}

/** Does something many times; the resident memory after each tenth. */
function watch(what, count, once) {
  const sizes = [];
  for (let part = 1; part <= 10; part++) {
    const start = performance.now();
    for (let k = 0; k < count / 10; k++) once(k);
    const each = ((performance.now() - start) * 1e6) / (count / 10);
    sizes.push(megabytes());
    console.log(
      `${what} ${((part * count) / 10).toLocaleString('en-US').padStart(9)}  ${sizes.at(-1).toFixed(1)} MB  ${each.toFixed(0)} ns each`,
    );
  }
  return sizes;
}

const evaluator = wasmEngine('f64').prepare(tasks, { trace: true });
const runs = watch('evaluations', EVALUATIONS, (k) => {
  evaluator.run(programs[k % programs.length]);
  evaluator.readFitnesses();
});
evaluator.dispose();
const comings = watch('evaluators', EVALUATIONS / 50, (k) => {
  const other = wasmEngine('f64').prepare(tasks);
  other.run(programs[k % programs.length]);
  other.dispose();
});
console.log(
  `WebAssembly memory: ${(heap.memory.buffer.byteLength / 2 ** 20).toFixed(1)} MB, in use ${heap.used} bytes`,
);
const grew = [runs, comings].some((sizes) => sizes[9] > ALLOWED * sizes[4]);
const kept = heap.used === 0 ? '' : `; ${heap.used} bytes were never given back`;
console.log(`${grew ? 'memory grew' : 'memory is flat'}${kept}`);
process.exitCode = grew || heap.used !== 0 ? 1 : 0;
