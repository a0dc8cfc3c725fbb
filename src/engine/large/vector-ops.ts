// Arithmetic on vectors and whole matrices by their addresses in memory, with the fast engine's kernels. Must not know whose they are.
import { opByName } from '../../ops/ops.js';
import { heap } from '../wasm/heap.js';
import { writeInstruction } from '../wasm/write-instruction.js';
import type { LargeKernels } from './compile.js';
import type { Regions } from './regions.js';

const DOT = opByName('dot').id;
const VECTOR_MEAN = opByName('vector-mean').id;
const MATRIX_NORM = opByName('matrix-norm').id;
const MATRIX_MEAN = opByName('matrix-mean').id;
const MATRIX_VECTOR = opByName('matrix-vector').id;
const TRANSPOSE = opByName('transpose').id;

export class VectorOps {
  private readonly kernels: LargeKernels;
  private readonly instruction: number;
  /** Where a number is left or read. */
  private readonly cell: number;

  constructor(kernels: LargeKernels, regions: Regions) {
    this.kernels = kernels;
    this.instruction = regions.instruction;
    this.cell = regions.allocate(16);
  }

  private run(op: number, in1: number, in2: number, out: number): void {
    writeInstruction(this.instruction, op, in1, in2, out);
    this.kernels.ops[op]!(this.instruction);
  }

  private toNumber(op: number, in1: number, in2 = 0): number {
    this.run(op, in1, in2, this.cell);
    const { real } = this.kernels.layout;
    return heap.numbers(real)[this.cell / real.bytes]!;
  }

  dot(a: number, b: number): number {
    return this.toNumber(DOT, a, b);
  }

  mean(vector: number): number {
    return this.toNumber(VECTOR_MEAN, vector);
  }

  normOfMatrix(matrix: number): number {
    return this.toNumber(MATRIX_NORM, matrix);
  }

  meanOfMatrix(matrix: number): number {
    return this.toNumber(MATRIX_MEAN, matrix);
  }

  /** out = matrix * vector. `out` must not be the vector. */
  multiply(matrix: number, vector: number, out: number): void {
    this.run(MATRIX_VECTOR, matrix, vector, out);
  }

  transpose(matrix: number, out: number): void {
    this.run(TRANSPOSE, matrix, 0, out);
  }

  /** out += factor * vector */
  addTo(out: number, vector: number, factor: number): void {
    const { layout, addRows } = this.kernels;
    heap.numbers(layout.real)[this.cell / layout.real.bytes] = factor;
    addRows.one(out, vector, this.cell);
  }

  /** The elements of a vector, sharing the memory until that grows. */
  elements(vector: number): Float64Array | Float32Array {
    const { features, real } = this.kernels.layout;
    return heap.numbers(real).subarray(vector / real.bytes, vector / real.bytes + features);
  }

  copy(to: number, from: number): void {
    heap.u8.copyWithin(to, from, from + this.kernels.stride);
  }
}
