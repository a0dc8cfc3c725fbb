// Squared norms of combinations, without writing them out: from products of vectors where terms are few, and kept up to date where a
// term or two are added to a matrix whose norm is known, as in programs that look at a norm in every step.
import { type Base, boundOf, isEmpty, type Matrix } from './matrix.js';
import type { VectorOps } from './vector-ops.js';

/** Sums of so many terms are found from products of all pairs of their vectors. */
const MAX_GRAM_TERMS = 8;
/** So many terms are worth a product with the matrix that they are added to. */
const MAX_ADDED_TERMS = 2;
/** If parts cancel each other more than this, the norm must be found element by element. */
const LEAST_SHARE = 1e-3;

/** Computes a matrix times the vector at an address; the address of the product, or nothing if that is not possible. */
export type Multiply = (matrix: Matrix, vector: number) => number | undefined;

interface Sum {
  readonly before: Matrix;
  readonly added: Matrix;
  readonly sign: 1 | -1;
}

function isFewTerms({ parts, terms }: Matrix, most: number): boolean {
  return parts.length === 0 && terms.length > 0 && terms.length <= most;
}

export class SquaredNorms {
  private readonly vectors: VectorOps;
  private readonly known = new WeakMap<Matrix, number>();
  private readonly sums = new WeakMap<Matrix, Sum>();

  constructor(vectors: VectorOps) {
    this.vectors = vectors;
  }

  /** Remembers how a sum came about, if that helps to find its norm. */
  noteSum(sum: Matrix, a: Matrix, b: Matrix, sign: 1 | -1): void {
    const isStart = (matrix: Matrix) =>
      this.known.has(matrix) || (matrix.parts.length === 1 && matrix.terms.length === 0);
    const isWhole = sum.terms.length === a.terms.length + b.terms.length;
    if (!isWhole || sum.parts.length !== a.parts.length + b.parts.length) return;
    if (isFewTerms(b, MAX_ADDED_TERMS) && isStart(a)) this.sums.set(sum, { before: a, added: b, sign });
    else if (isFewTerms(a, MAX_ADDED_TERMS) && isStart(b) && sign === 1)
      this.sums.set(sum, { before: b, added: a, sign });
  }

  normOf(base: Base): number {
    base.norm ??= this.vectors.normOfMatrix(base.address);
    return base.norm;
  }

  /** The squared norm of a matrix, which an address must refer to; nothing if it must be found element by element. */
  of(matrix: Matrix, multiply: Multiply): number | undefined {
    const { parts, terms } = matrix;
    if (isEmpty(matrix)) return 0;
    if (parts.length === 1 && terms.length === 0) return (parts[0]!.factor * this.normOf(parts[0]!.base)) ** 2;
    if (terms.length === 1 && parts.length === 0) return boundOf(matrix) ** 2;
    const known = this.known.get(matrix) ?? this.ofSum(matrix, multiply) ?? this.ofFewTerms(matrix);
    if (known === undefined || !(known >= (LEAST_SHARE * boundOf(matrix)) ** 2)) return undefined;
    this.known.set(matrix, known);
    this.sums.delete(matrix);
    return known;
  }

  /** |A + u ⊗ w|² = |A|² + 2 u·(A w) + |u ⊗ w|² */
  private ofSum(matrix: Matrix, multiply: Multiply): number | undefined {
    const sum = this.sums.get(matrix);
    if (sum === undefined) return undefined;
    const { before, added, sign } = sum;
    const start = this.of(before, multiply);
    const end = this.ofFewTerms(added);
    if (start === undefined || end === undefined) return undefined;
    let mixed = 0;
    for (const [k, { column, row }] of added.terms.entries()) {
      const product = multiply(before, row.address);
      if (product === undefined) return undefined;
      mixed += sign * added.factors[k]! * this.vectors.dot(column.address, product);
    }
    return start + 2 * mixed + end;
  }

  private ofFewTerms(matrix: Matrix): number | undefined {
    if (!isFewTerms(matrix, MAX_GRAM_TERMS)) return undefined;
    const { terms, factors } = matrix;
    let square = 0;
    for (const [k, a] of terms.entries()) {
      for (const [n, b] of terms.entries()) {
        const columns = this.vectors.dot(a.column.address, b.column.address);
        square += factors[k]! * factors[n]! * columns * this.vectors.dot(a.row.address, b.row.address);
      }
    }
    return square;
  }
}
