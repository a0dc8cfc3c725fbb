// Where the numbers of a block of tasks lie in memory. All tasks of a block execute the same instruction at once.
// 'lanes': element by element, and for each the tasks side by side, so that SIMD lanes are tasks. 'dense': task by task, and
// for each its elements side by side, so that SIMD lanes are features. A scalar is the same in both: one number for each task.
import { elements } from '../../ops/ops.js';
import type { Precision } from '../../ops/semantics.js';
import type { OperandType } from '../../ops/types.js';
import { CHUNK, REALS, type Real } from './reals.js';

export type LayoutKind = 'lanes' | 'dense';

export interface LayoutOptions {
  readonly features: number;
  readonly precision: Precision;
  readonly kind: LayoutKind;
  /** Tasks that run at once. In 'lanes' a multiple of the lanes of a register. */
  readonly tasks: number;
}

export function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

export class Layout {
  readonly features: number;
  readonly precision: Precision;
  readonly kind: LayoutKind;
  readonly tasks: number;
  readonly real: Real;
  /** Registers that hold a scalar of all tasks; in 'dense' the last may be filled in part. */
  readonly scalarChunks: number;

  constructor({ features, precision, kind, tasks }: LayoutOptions) {
    this.features = features;
    this.precision = precision;
    this.kind = kind;
    this.tasks = tasks;
    this.real = REALS[precision];
    this.scalarChunks = Math.ceil(tasks / this.real.lanes);
    if (kind === 'lanes' && tasks % this.real.lanes !== 0) throw new RangeError('lanes that are not filled by tasks');
  }

  /** Numbers in the registers of a scalar: the tasks, and lanes without one. */
  get lanes(): number {
    return this.scalarChunks * this.real.lanes;
  }

  /** Bytes of an operand of all tasks that mean something. */
  usedBytes(type: OperandType): number {
    return type === 's' ? this.scalarChunks * CHUNK : this.tasks * elements(type, this.features) * this.real.bytes;
  }

  /**
   * Bytes set aside for an operand: whole registers, and one more where the last registers of a row reach into the next,
   * so that reading past the end of an operand stays inside it.
   */
  operandBytes(type: OperandType): number {
    const hasTails = type !== 's' && this.kind === 'dense' && this.features % this.real.lanes !== 0;
    return roundUp(this.usedBytes(type), CHUNK) + (hasTails ? CHUNK : 0);
  }

  /** Bytes from one element to the next, of one task. */
  get elementStride(): number {
    return this.kind === 'lanes' ? this.scalarChunks * CHUNK : this.real.bytes;
  }

  /** Bytes from a task's operand to the next task's. */
  taskStride(type: OperandType): number {
    return this.kind === 'lanes' || type === 's' ? this.real.bytes : elements(type, this.features) * this.real.bytes;
  }
}
