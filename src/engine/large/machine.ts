// Runs instructions: scalars and vectors at once with the fast engine's kernels, matrices as combinations (matrix.ts) as far as an op
// allows it and its numbers are tame; else they are written out, and the op's kernel runs. Must not know tasks.
import { elementPlace, isOuter } from '../../ops/ops.js';
import type { Op, OperandType } from '../../ops/types.js';
import type { MemorySizes } from '../../program/program.js';
import { heap } from '../wasm/heap.js';
import { writeConstants, writeInstruction } from '../wasm/write-instruction.js';
import type { LargeKernels } from './compile.js';
import { LazyOps } from './lazy-ops.js';
import { add, type Base, type Matrix, ofBase, plainBase, scale, transpose } from './matrix.js';
import { MatrixStore } from './matrix-store.js';
import { isMatrixVector, type PlannedInstruction } from './plan.js';
import type { Regions } from './regions.js';
import { VectorMemory } from './vector-memory.js';
import { VectorOps } from './vector-ops.js';

/** A product of a base with a vector that an instruction needs, made in advance: its address, if there is one. */
export type FindProduct = (planned: PlannedInstruction, base: Base, vector: number) => number | undefined;

const NONE: FindProduct = () => undefined;

export class Machine {
  readonly memory: VectorMemory;
  readonly store: MatrixStore;
  private readonly kernels: LargeKernels;
  private readonly instruction: number;
  private readonly vectors: VectorOps;
  private readonly lazy: LazyOps;
  /** Where a vector is computed that may not overwrite an input. */
  private readonly result: number;

  constructor(kernels: LargeKernels, regions: Regions, sizes: MemorySizes, maxTerms: number) {
    this.kernels = kernels;
    this.instruction = regions.instruction;
    this.memory = new VectorMemory(kernels, regions, sizes);
    this.vectors = new VectorOps(kernels, regions);
    this.store = new MatrixStore(kernels, regions, this.vectors, sizes.matrices, maxTerms);
    this.lazy = new LazyOps(kernels, regions, this.store, this.vectors);
    this.result = regions.allocate(kernels.stride);
  }

  run(planned: PlannedInstruction, findProduct = NONE): void {
    const { op } = planned;
    if (op.output !== 'm' && !op.inputs.includes('m')) {
      this.memory.run(planned);
      return;
    }
    const isDone = op.output === 'm' ? this.makeMatrix(planned) : this.readMatrix(planned, findProduct);
    if (!isDone) this.runDensely(planned);
    this.store.release();
  }

  /** Runs an op with a matrix as its output, if that is possible with combinations. */
  private makeMatrix({ op, instruction }: PlannedInstruction): boolean {
    const made = this.combination(op, instruction.in1, instruction.in2);
    if (made !== undefined) this.store.matrices[instruction.out] = made;
    return made !== undefined;
  }

  private combination(op: Op, in1: number, in2: number): Matrix | undefined {
    const { lazy, memory } = this;
    const { precision } = this.kernels.layout;
    const matrix = (address: number) => {
      const found = this.store.matrices[address]!;
      lazy.findBounds(found);
      return found;
    };
    const vector = (address: number) => memory.placeOf('v', address);
    switch (op.shape) {
      case 'map2':
        if (op.fn !== 'add' && op.fn !== 'subtract') return undefined;
        return this.sum(matrix(in1), matrix(in2), op.fn === 'add' ? 1 : -1);
      case 'scale':
        return scale(memory.numbers('s', in1)[0]!, matrix(in2), precision);
      case 'transpose':
        return transpose(matrix(in1), this.store.transposedOf);
      case 'broadcast':
        return op.from === 'column'
          ? lazy.outer(vector(in1), lazy.ones.address)
          : lazy.outer(lazy.ones.address, vector(in1));
      case 'contract':
        return isOuter(op) ? lazy.outer(vector(in1), vector(in2)) : undefined;
      default:
        return undefined;
    }
  }

  private sum(a: Matrix, b: Matrix, sign: 1 | -1): Matrix | undefined {
    const sum = add(a, b, sign, this.kernels.layout.precision);
    if (sum !== undefined) this.lazy.squares.noteSum(sum, a, b, sign);
    return sum;
  }

  /** Runs an op that reads a matrix and makes a vector or a scalar, if that is possible with combinations. */
  private readMatrix(planned: PlannedInstruction, findProduct: FindProduct): boolean {
    const { op, instruction } = planned;
    const { lazy, memory } = this;
    const matrix = this.store.matrices[instruction.in1]!;
    const find = (base: Base, vector: number) => findProduct(planned, base, vector);
    if (isMatrixVector(op)) {
      const [vector, out] = [memory.placeOf('v', instruction.in2), memory.placeOf('v', instruction.out)];
      return lazy.multiply(matrix, vector, out, find);
    }
    if (plainBase(matrix) !== undefined) return false;
    if (op.shape === 'reduceAxis' && op.fn === 'mean' && op.axis === 1) {
      const isDone = lazy.multiply(matrix, lazy.ones.address, this.result, find);
      const sums = this.vectors.elements(this.result);
      if (isDone) memory.numbers('v', instruction.out).set(sums.map((sum) => sum / sums.length));
      return isDone;
    }
    if (op.shape !== 'reduce') return false;
    const value = op.fn === 'mean' ? lazy.mean(matrix) : lazy[op.fn](matrix, find);
    if (value !== undefined) memory.numbers('s', instruction.out)[0] = value;
    return value !== undefined;
  }

  /** Runs an op on matrices that are written out. */
  private runDensely({ op, instruction, ordinal }: PlannedInstruction): void {
    const { store, memory } = this;
    const { in1, in2, out, const1, const2 } = instruction;
    if (!op.overwrites) {
      this.setElement(op, instruction.index1, instruction.index2, out, const1);
      return;
    }
    const place = (type: OperandType, address: number) =>
      type === 'm' ? store.materialize(address).address : memory.placeOf(type, address);
    const [first, second] = op.inputs.map((type, k) => place(type, k === 0 ? in1 : in2));
    const run = (to: number) => {
      writeInstruction(this.instruction, op.id, op.random ? ordinal : (first ?? 0), second ?? 0, to);
      if (op.constantSpecs.length > 0) writeConstants(this.instruction, const1, const2);
      this.kernels.ops[op.id]!(this.instruction);
    };
    if (op.output === 'm') {
      const base = store.newBase();
      run(base.address);
      store.matrices[out] = ofBase(base);
    } else if (op.output === 'v') {
      run(this.result);
      this.vectors.copy(memory.placeOf('v', out), this.result);
    } else {
      run(memory.placeOf('s', out));
    }
  }

  /** A base that other addresses refer to is copied first; one that changes is another one. */
  private setElement(op: Op, index1: number, index2: number, out: number, value: number): void {
    const { features: F, real } = this.kernels.layout;
    const old = this.store.materialize(out);
    const isAlone = this.store.isAlone(old, out);
    const { address } = isAlone ? old : this.store.newBase();
    if (!isAlone) heap.u8.copyWithin(address, old.address, old.address + F * F * real.bytes);
    heap.numbers(real)[address / real.bytes + elementPlace(op.indices, index1, index2, F)] = value;
    this.store.matrices[out] = ofBase({ address, bound: undefined, born: this.store.step, isSettled: false });
  }
}
