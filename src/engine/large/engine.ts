// The engine for many features: matrices stay combinations of what has been added to them, and memory is gone through once for many
// examples instead of once for each instruction. Answers as the interpreter does, up to rounding. Must not know how tasks are made.
import { opById } from '../../ops/ops.js';
import type { Precision } from '../../ops/semantics.js';
import type { Instruction } from '../../program/program.js';
import { checkTasks, type Engine, type MemoryImage, wholeSteps } from '../engine.js';
import { heap } from '../wasm/heap.js';
import { largeKernels } from './compile.js';
import { Evaluation } from './evaluation.js';
import { Machine } from './machine.js';
import { ofBase } from './matrix.js';
import { Regions } from './regions.js';

/** Rank-one terms that a matrix collects, and examples that are looked ahead. */
const MAX_TERMS = 128;

/** An engine of one precision. Fewer terms than are fastest let tests reach everything with small tasks. */
export function largeEngine(precision: Precision, maxTerms: number = MAX_TERMS): Engine {
  return {
    name: `large-${precision}`,

    prepare(tasks, { epochs = 1, trace = false } = {}) {
      checkTasks(tasks, precision, epochs);
      const kernels = largeKernels(tasks[0]!.features, precision);
      return {
        evaluate: (program, maxTrainSteps) => {
          const settings = { epochs, isTraced: trace, maxTrainSteps: wholeSteps(maxTrainSteps), maxTerms };
          return tasks.map((task) =>
            withRegions((regions) => new Evaluation(kernels, regions, program, task, settings).run()),
          );
        },
        dispose() {},
      };
    },

    execute(instruction, memory) {
      withRegions((regions) => executeOne(regions, precision, maxTerms, instruction, memory));
    },
  };
}

/** Everything that is allocated meanwhile is given back. */
function withRegions<T>(work: (regions: Regions) => T): T {
  const regions = new Regions();
  try {
    return work(regions);
  } finally {
    regions.dispose();
  }
}

/** Runs one instruction on a memory. Slow: for comparing engines. */
function executeOne(
  regions: Regions,
  precision: Precision,
  maxTerms: number,
  instruction: Instruction,
  image: MemoryImage,
): void {
  const op = opById(instruction.op);
  if (op.output === undefined) return;
  const { features, scalars, vectors, matrices } = image;
  const kernels = largeKernels(features, precision);
  const { real } = kernels.layout;
  const sizes = { scalars: scalars.length, vectors: vectors.length, matrices: matrices.length };
  const machine = new Machine(kernels, regions, sizes, maxTerms);
  const { memory, store } = machine;
  for (const k of scalars.keys()) memory.numbers('s', k)[0] = scalars[k]!;
  for (const [k, vector] of vectors.entries()) memory.numbers('v', k).set(vector);
  for (const [k, matrix] of matrices.entries()) {
    const base = store.newBase();
    heap.numbers(real).set(matrix, base.address / real.bytes);
    store.matrices[k] = ofBase(base);
  }
  machine.run({ op, instruction, ordinal: 0 });
  if (op.output === 's') scalars[instruction.out] = memory.numbers('s', instruction.out)[0]!;
  if (op.output === 'v') vectors[instruction.out]!.set(memory.numbers('v', instruction.out));
  if (op.output === 'm') {
    const first = store.materialize(instruction.out).address / real.bytes;
    matrices[instruction.out]!.set(heap.numbers(real).subarray(first, first + features ** 2));
  }
}
