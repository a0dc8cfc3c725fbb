// The fast engine: chooses the layout for the tasks and hands them to evaluators. Answers like the interpreter, bit for bit
// in f64. Must not know how tasks are made.
import { elementPlace, elements, OPS } from '../../ops/ops.js';
import type { Precision } from '../../ops/semantics.js';
import type { OperandType } from '../../ops/types.js';
import type { Instruction } from '../../program/program.js';
import { checkTasks, type Engine, type EvaluateOptions, type MemoryImage, type Task } from '../engine.js';
import { kernelsFor } from './compile.js';
import { INSTRUCTION } from './encoding.js';
import { WasmEvaluator } from './evaluator.js';
import { heap } from './heap.js';
import { type LayoutKind, type LayoutOptions, roundUp } from './layout.js';
import { CHUNK, REALS } from './reals.js';
import { writeConstants, writeInstruction } from './write-instruction.js';

// Which layout, measured with `evozero bench --only layouts`: dense, unless rows end inside registers and are short.
/** From this number of features on, dense even if rows end inside registers. */
const DENSE_FROM = 30;
/** How many times longer short rows take in the dense layout if they end inside registers. */
const PENALTY_OF_TAILS: { readonly [P in Precision]: number } = { f64: 1.1, f32: 1.5 };

/** Registers per scalar in the lanes layout, at most. */
const MAX_SCALAR_CHUNKS = 5;
/** Distances within a matrix must fit in 32 bits. */
const MAX_MATRIX_BYTES = 2 ** 31;
/** A matrix of all tasks of a block should leave room for others in the first-level cache. */
const CACHE_BYTES = 24 * 1024;
const MAX_TASKS = 10;
/** What a step costs beside the work for its tasks, in units of the work for one element of a matrix. */
const STEP_OVERHEAD = 120;

function chooseKind(features: number, count: number, precision: Precision): LayoutKind {
  const { lanes } = REALS[precision];
  if (features % lanes === 0 || features >= DENSE_FROM) return 'dense';
  const filled = roundUp(count, lanes) / count;
  return filled <= PENALTY_OF_TAILS[precision] ? 'lanes' : 'dense';
}

/** The layout for `count` tasks. */
export function chooseLayout(
  features: number,
  count: number,
  precision: Precision,
  kind: LayoutKind = chooseKind(features, count, precision),
): LayoutOptions {
  const { lanes, bytes } = REALS[precision];
  if (kind === 'dense') {
    const fitting = Math.floor(CACHE_BYTES / (features * features * bytes));
    const most = Math.max(1, Math.min(count, fitting, MAX_TASKS));
    // Blocks that are not filled compute for nobody.
    const cost = (tasks: number) => Math.ceil(count / tasks) * (STEP_OVERHEAD + tasks * features * features);
    const sizes = Array.from({ length: most }, (_, k) => most - k);
    return { features, precision, kind, tasks: sizes.reduce((a, b) => (cost(b) < cost(a) ? b : a)) };
  }
  const chunks = Math.ceil(count / lanes);
  const largest = Math.floor(MAX_MATRIX_BYTES / (features * features * CHUNK));
  const blocks = Math.ceil(chunks / Math.max(1, Math.min(MAX_SCALAR_CHUNKS, largest)));
  return { features, precision, kind, tasks: Math.ceil(chunks / blocks) * lanes };
}

/** The fast engine. `wasmEngine` gives it. */
export interface WasmEngine extends Engine {
  prepare(tasks: readonly Task[], options?: EvaluateOptions): WasmEvaluator;
}

/** An engine of one precision; of one layout, or the faster for the tasks. */
export function wasmEngine(precision: Precision, kind?: LayoutKind): WasmEngine {
  return {
    name: ['wasm', kind, precision].filter((part) => part !== undefined).join('-'),
    prepare(tasks, options = {}) {
      checkTasks(tasks, precision, options.epochs);
      const layout = chooseLayout(tasks[0]!.features, tasks.length, precision, kind);
      return new WasmEvaluator(kernelsFor(layout), tasks, options);
    },
    execute(instruction, memory) {
      executeOne(chooseLayout(memory.features, 1, precision, kind), instruction, memory);
    },
  };
}

/** Runs one instruction on a memory. Slow: for comparing engines. */
function executeOne(options: LayoutOptions, instruction: Instruction, memory: MemoryImage): void {
  const op = OPS[instruction.op]!;
  if (op.output === undefined) return;
  const { layout, execute } = kernelsFor(options);
  const { real, features: F } = layout;
  const regions: number[] = [];
  const place = (type: OperandType, values: Float64Array): { address: number; values: Float64Array } => {
    const address = heap.allocate(layout.operandBytes(type));
    regions.push(address);
    const numbers = heap.numbers(real);
    numbers.fill(0, address / real.bytes, (address + layout.operandBytes(type)) / real.bytes);
    values.forEach((value, k) => {
      numbers[(address + (type === 's' ? 0 : k * layout.elementStride)) / real.bytes] = value;
    });
    return { address, values };
  };
  const valuesOf = (type: OperandType, address: number): Float64Array =>
    type === 's'
      ? memory.scalars.subarray(address, address + 1)
      : (type === 'v' ? memory.vectors : memory.matrices)[address]!;
  try {
    const inputs = op.inputs.map((type, k) => place(type, valuesOf(type, k === 0 ? instruction.in1 : instruction.in2)));
    const out = place(op.output, valuesOf(op.output, instruction.out));
    const offset = elementPlace(op.indices, instruction.index1, instruction.index2, F) * layout.elementStride;
    const code = heap.allocate(INSTRUCTION.bytes);
    regions.push(code);
    writeInstruction(code, op.id, inputs[0]?.address ?? 0, inputs[1]?.address ?? 0, out.address + offset);
    writeConstants(code, instruction.const1, instruction.const2);
    execute(code, code + INSTRUCTION.bytes);
    const numbers = heap.numbers(real);
    for (let k = 0; k < elements(op.output, F); k++) {
      out.values[k] = numbers[(out.address + (op.output === 's' ? 0 : k * layout.elementStride)) / real.bytes]!;
    }
  } finally {
    for (const region of regions) heap.release(region);
  }
}
