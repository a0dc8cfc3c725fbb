// What a row of the op table may say, and what is derived from it. Adding a kind of op means adding a shape here; the
// compiler then names every place that must learn it. Must not know programs or engines.
import type { Distribution, Map1, Map2, Reduction } from './primitives.js';

/** The three address spaces: scalars, vectors of F numbers, F x F matrices. */
export type OperandType = 's' | 'v' | 'm';

/** A real-valued constant of an instruction: how a search draws it, and whether a mutation may flip its sign. */
export interface ConstantSpec {
  readonly symbol: string;
  readonly low: number;
  readonly high: number;
  readonly signed: boolean;
}

/**
 * How an op computes. One interpreter loop, one emitter of the fast engine, and one cost per shape:
 * - none: nothing
 * - map1, map2: the same function for every element
 * - scale: a scalar times every element
 * - broadcast: the input repeated; `from` 'column' is M(i,j) = v(i), 'row' is M(i,j) = v(j)
 * - reduce: all elements to one number
 * - reduceAxis: each column (axis 0) or each row (axis 1) to one number
 * - contract: sums of products over the shared dimension: dot, outer and matrix products
 * - transpose
 * - fillConst: a constant into a scalar or into one element
 * - fillRandom: fresh random numbers into every element
 */
export type Shape =
  | { readonly shape: 'none' }
  | { readonly shape: 'map1'; readonly fn: Map1 }
  | { readonly shape: 'map2'; readonly fn: Map2 }
  | { readonly shape: 'scale' }
  | { readonly shape: 'broadcast'; readonly from: 'scalar' | 'column' | 'row' }
  | { readonly shape: 'reduce'; readonly fn: Reduction }
  | { readonly shape: 'reduceAxis'; readonly fn: Reduction; readonly axis: 0 | 1 }
  | { readonly shape: 'contract' }
  | { readonly shape: 'transpose' }
  | { readonly shape: 'fillConst'; readonly constants: readonly [ConstantSpec] }
  | {
      readonly shape: 'fillRandom';
      readonly fn: Distribution;
      readonly constants: readonly [ConstantSpec, ConstantSpec];
    };

export type ShapeName = Shape['shape'];

/** A row as it is written in the table. */
export type OpRow = Shape & {
  /** The number in the paper's table; also the row's place in ours. */
  readonly id: number;
  readonly name: string;
  /**
   * The printed form. s, v and m stand for addresses of that type (the first is the output), i and j for element
   * indices, c for constants; everything else is literal. Types, arity and constants are read off this form.
   */
  readonly text: string;
  /** Other spellings that the parser accepts. */
  readonly alsoRead?: readonly string[];
  /** The meaning, for docs/ops.md. */
  readonly about: string;
};

/** One token of a printed form. */
export type FormToken =
  | { readonly kind: 'operand'; readonly type: OperandType }
  | { readonly kind: 'index' | 'constant' }
  | { readonly kind: 'literal'; readonly text: string };

/** A row with what follows from it. */
export type Op = OpRow & {
  readonly output: OperandType | undefined;
  readonly inputs: readonly OperandType[];
  /** Number of element indices: 1 for `v3[5] = ...`, 2 for `m2[5, 1] = ...`. */
  readonly indices: 0 | 1 | 2;
  readonly constantSpecs: readonly ConstantSpec[];
  /** Swapping the two inputs never changes a bit of the result. */
  readonly commutes: boolean;
  /** The output replaces every element of its address. */
  readonly overwrites: boolean;
  readonly random: boolean;
  /** The printed form, then the other accepted ones. */
  readonly forms: readonly (readonly FormToken[])[];
};
