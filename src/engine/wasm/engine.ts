// The fast engine: chooses the layout for the tasks and hands them to evaluators. Answers like the interpreter, bit for bit
// in f64. Must not know how tasks are made.
import { elements, OPS } from '../../ops/ops.js';
import type { Precision } from '../../ops/semantics.js';
import type { OperandType } from '../../ops/types.js';
import type { Instruction } from '../../program/program.js';
import { checkTasks, type Engine, type EvaluateOptions, type MemoryImage, type Task } from '../engine.js';
import { kernelsFor } from './compile.js';
import { INSTRUCTION } from './encoding.js';
import { WasmEvaluator } from './evaluator.js';
import { heap } from './heap.js';
import type { LayoutKind, LayoutOptions } from './layout.js';
import { REALS } from './reals.js';

/** From this number of features on, SIMD along the features is faster than across tasks. */
const DENSE_FROM: { readonly [P in Precision]: number } = { f64: 16, f32: 16 };

/** Registers per scalar, at most. */
const MAX_SCALAR_CHUNKS = 5;
/** A matrix of all tasks of a block should stay in the first-level cache. */
const CACHE_BYTES = 16384;

/** The layout for `count` tasks. */
export function chooseLayout(
  features: number,
  count: number,
  precision: Precision,
  kind: LayoutKind = features >= DENSE_FROM[precision] ? 'dense' : 'lanes',
): LayoutOptions {
  const { lanes, bytes } = REALS[precision];
  if (kind === 'dense') {
    const fitting = Math.max(1, Math.floor(CACHE_BYTES / (features * features * bytes)));
    const blocks = Math.ceil(count / Math.min(count, fitting, 10));
    return { features, precision, kind, tasks: Math.ceil(count / blocks) };
  }
  const chunks = Math.ceil(count / lanes);
  const blocks = Math.ceil(chunks / MAX_SCALAR_CHUNKS);
  return { features, precision, kind, tasks: Math.ceil(chunks / blocks) * lanes };
}

export interface WasmEngine extends Engine {
  prepare(tasks: readonly Task[], options?: EvaluateOptions): WasmEvaluator;
}

/** An engine of one precision; of one layout, or the faster for the tasks. */
export function wasmEngine(precision: Precision, kind?: LayoutKind): WasmEngine {
  return {
    name: kind === undefined ? precision : `${precision}-${kind}`,
    prepare(tasks, options = {}) {
      checkTasks(tasks);
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
    const numbers = real.bytes === 8 ? heap.f64 : heap.f32;
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
    const { index1, index2 } = instruction;
    const element = op.indices === 0 ? 0 : op.indices === 1 ? index1 % F : (index1 % F) * F + (index2 % F);
    const code = heap.allocate(INSTRUCTION.bytes);
    regions.push(code);
    const words = heap.i32;
    words[(code + INSTRUCTION.kernel) / 4] = op.id;
    words[(code + INSTRUCTION.in1) / 4] = inputs[0]?.address ?? 0;
    words[(code + INSTRUCTION.in2) / 4] = inputs[1]?.address ?? 0;
    words[(code + INSTRUCTION.out) / 4] = out.address + element * layout.elementStride;
    heap.f64[(code + INSTRUCTION.const1) / 8] = instruction.const1;
    heap.f64[(code + INSTRUCTION.const2) / 8] = instruction.const2;
    execute(code, code + INSTRUCTION.bytes);
    const numbers = real.bytes === 8 ? heap.f64 : heap.f32;
    for (let k = 0; k < elements(op.output, F); k++) {
      out.values[k] = numbers[(out.address + (op.output === 's' ? 0 : k * layout.elementStride)) / real.bytes]!;
    }
  } finally {
    for (const region of regions) heap.release(region);
  }
}
