// The ops that need no matrix written out: products of combinations (matrix.ts) with vectors, their norms and means, outer products.
// Each answers nothing where numbers are so large, small or undefined that the op must be run element by element.
import type { Precision } from '../../ops/semantics.js';
import { multiplyTransposed } from './block-work.js';
import type { LargeKernels } from './compile.js';
import { areBasesTame, type Base, isEmpty, isTame, type Matrix, ofTerm, type Part, type Side } from './matrix.js';
import type { MatrixStore } from './matrix-store.js';
import type { Regions } from './regions.js';
import { SquaredNorms } from './squared-norms.js';
import type { VectorOps } from './vector-ops.js';

/** A variance that is a smaller part of the mean square is lost in rounding, and found element by element. */
const LEAST_VARIANCE = 1e-4;

/** A product of a base and a vector that was made in advance: its address, if there is one. */
export type FindProduct = (base: Base, vector: number) => number | undefined;

export class LazyOps {
  /** A vector of ones: rows and columns that are repeated are products with it. */
  readonly ones: Side;
  readonly squares: SquaredNorms;
  private readonly kernels: LargeKernels;
  private readonly store: MatrixStore;
  private readonly vectors: VectorOps;
  private readonly precision: Precision;
  private readonly product: number;
  private readonly sum: number;
  private readonly result: number;

  constructor(kernels: LargeKernels, regions: Regions, store: MatrixStore, vectors: VectorOps) {
    this.kernels = kernels;
    this.store = store;
    this.vectors = vectors;
    this.precision = kernels.layout.precision;
    this.product = regions.allocate(kernels.stride);
    this.sum = regions.allocate(kernels.stride);
    this.result = regions.allocate(kernels.stride);
    this.squares = new SquaredNorms(vectors);
    this.ones = { address: regions.allocate(kernels.stride), norm: Math.sqrt(kernels.layout.features) };
    vectors.elements(this.ones.address).fill(1);
  }

  /** Makes the bounds of all bases known. */
  findBounds({ parts }: Matrix): void {
    for (const { base } of parts) base.bound ??= this.squares.normOf(base);
  }

  /** The norm of a vector; nothing if it is not tame. That of a vector of zeros is. */
  private tameNorm(vector: number): number | undefined {
    const norm = Math.sqrt(this.vectors.dot(vector, vector));
    if (isTame(norm, this.precision)) return norm;
    return norm === 0 && this.vectors.elements(vector).every((x) => x === 0) ? norm : undefined;
  }

  /** column ⊗ row, of vectors at addresses. */
  outer(column: number, row: number): Matrix | undefined {
    const norms = [column, row].map((vector) =>
      vector === this.ones.address ? this.ones.norm : this.tameNorm(vector),
    );
    const [columnNorm, rowNorm] = norms;
    if (columnNorm === undefined || rowNorm === undefined) return undefined;
    const bound = columnNorm * rowNorm;
    if (bound !== 0 && !isTame(bound, this.precision)) return undefined;
    const [first, second] = this.store.newSides(2);
    this.vectors.copy(first!, column);
    this.vectors.copy(second!, row);
    const term = this.store.newTerm({ address: first!, norm: columnNorm }, { address: second!, norm: rowNorm });
    return ofTerm(term);
  }

  /** Computes matrix * vector into `out`, which may be the vector; false if that must be done element by element. */
  multiply(matrix: Matrix, vector: number, out: number, findProduct: FindProduct): boolean {
    const { vectors, sum } = this;
    if (isEmpty(matrix)) {
      vectors.elements(sum).fill(matrix.zero);
      const value = vectors.dot(sum, vector);
      vectors.elements(out).fill(value);
      return true;
    }
    this.findBounds(matrix);
    if (!areBasesTame(matrix, this.precision) || this.tameNorm(vector) === undefined) return false;
    const { parts, terms, factors } = matrix;
    if (terms.length === 0 && parts.length === 1 && parts[0]!.factor === 1) {
      vectors.copy(out, this.multiplyPart(parts[0]!, vector, findProduct));
      return true;
    }
    vectors.elements(sum).fill(-0);
    for (const part of parts) vectors.addTo(sum, this.multiplyPart(part, vector, findProduct), part.factor);
    for (let k = 0; k < terms.length; k++) {
      const { column, row } = terms[k]!;
      vectors.addTo(sum, column.address, factors[k]! * vectors.dot(row.address, vector));
    }
    vectors.copy(out, sum);
    return true;
  }

  /** The address of the product of a base, or of the transposed base, with a vector. */
  private multiplyPart({ base, isTransposed }: Part, vector: number, findProduct: FindProduct): number {
    if (isTransposed) multiplyTransposed(this.kernels, base.address, vector, this.product);
    else {
      const known = findProduct(base, vector);
      if (known !== undefined) return known;
      this.vectors.multiply(base.address, vector, this.product);
    }
    return this.product;
  }

  private squaredNorm(matrix: Matrix, findProduct: FindProduct): number | undefined {
    return this.squares.of(matrix, (before, vector) =>
      this.multiply(before, vector, this.result, findProduct) ? this.result : undefined,
    );
  }

  norm(matrix: Matrix, findProduct: FindProduct): number | undefined {
    const square = this.squaredNorm(matrix, findProduct);
    return square === undefined ? undefined : Math.sqrt(square);
  }

  std(matrix: Matrix, findProduct: FindProduct): number | undefined {
    const square = this.squaredNorm(matrix, findProduct);
    if (square === undefined) return undefined;
    const meanSquare = square / this.kernels.layout.features ** 2;
    const variance = meanSquare - this.mean(matrix) ** 2;
    return variance >= LEAST_VARIANCE * meanSquare ? Math.sqrt(variance) : undefined;
  }

  mean({ parts, terms, factors, zero }: Matrix): number {
    if (parts.length === 0 && terms.length === 0) return zero;
    let mean = -0;
    for (const { base, factor } of parts) {
      base.mean ??= this.vectors.meanOfMatrix(base.address);
      mean += factor * base.mean;
    }
    for (const [k, { column, row }] of terms.entries()) {
      mean += factors[k]! * this.vectors.mean(column.address) * this.vectors.mean(row.address);
    }
    return mean;
  }
}
