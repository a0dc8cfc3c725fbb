// Scalars and vectors of a program in WebAssembly memory, and instructions that work on them only, encoded once. Must not know
// matrices.
import { elementPlace } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import type { MemorySizes } from '../../program/program.js';
import { INSTRUCTION } from '../wasm/encoding.js';
import { heap } from '../wasm/heap.js';
import { CHUNK } from '../wasm/reals.js';
import { writeConstants, writeInstruction } from '../wasm/write-instruction.js';
import type { LargeKernels } from './compile.js';
import type { PlannedInstruction } from './plan.js';
import type { Regions } from './regions.js';

export class VectorMemory {
  private readonly kernels: LargeKernels;
  private readonly regions: Regions;
  private readonly bytes: number;
  private readonly first: number;
  private readonly firstVector: number;
  private readonly encoded = new Map<PlannedInstruction, number>();

  constructor(kernels: LargeKernels, regions: Regions, { scalars, vectors }: MemorySizes) {
    this.kernels = kernels;
    this.regions = regions;
    const scalarBytes = Math.ceil((scalars * CHUNK) / 64) * 64;
    this.bytes = scalarBytes + vectors * kernels.stride;
    this.first = regions.allocate(this.bytes);
    this.firstVector = this.first + scalarBytes;
  }

  placeOf(type: Exclude<OperandType, 'm'>, address: number): number {
    return type === 's' ? this.first + address * CHUNK : this.firstVector + address * this.kernels.stride;
  }

  /** The numbers of an operand, sharing the memory until that grows. */
  numbers(type: Exclude<OperandType, 'm'>, address: number): Float64Array | Float32Array {
    const { real, features } = this.kernels.layout;
    const first = this.placeOf(type, address) / real.bytes;
    return heap.numbers(real).subarray(first, first + (type === 's' ? 1 : features));
  }

  /** Takes the contents of another memory of the same size. */
  copyFrom(other: VectorMemory): void {
    heap.u8.copyWithin(this.first, other.first, other.first + other.bytes);
  }

  /** Runs an instruction without matrices. */
  run(planned: PlannedInstruction): void {
    let code = this.encoded.get(planned);
    if (code === undefined) {
      code = this.regions.allocate(INSTRUCTION.bytes);
      this.encode(planned, code);
      this.encoded.set(planned, code);
    }
    this.kernels.ops[planned.op.id]!(code);
  }

  private encode({ op, instruction, ordinal }: PlannedInstruction, code: number): void {
    const { real, features } = this.kernels.layout;
    const { in1, in2, out, index1, index2, const1, const2 } = instruction;
    const [first, second] = op.inputs.map((type, k) =>
      this.placeOf(type as Exclude<OperandType, 'm'>, k === 0 ? in1 : in2),
    );
    const element = elementPlace(op.indices, index1, index2, features) * real.bytes;
    const place = this.placeOf(op.output as Exclude<OperandType, 'm'>, out) + element;
    writeInstruction(code, op.id, op.random ? ordinal : (first ?? 0), second ?? 0, place);
    if (op.constantSpecs.length > 0) writeConstants(code, const1, const2);
  }
}
