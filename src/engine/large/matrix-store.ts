// The matrices of a program while it runs, by address, and the memory behind them: arrays for bases and vectors for terms, which are
// reused when no address refers to them. Writes combinations out when they must be or have grown long. Must not know instructions.
import { heap } from '../wasm/heap.js';
import { combine, packedBytes } from './block-work.js';
import type { LargeKernels } from './compile.js';
import {
  type Base,
  boundOf,
  isEmpty,
  type Matrix,
  ofBase,
  type Part,
  plainBase,
  ratioOf,
  type Side,
  type Term,
  ZERO,
} from './matrix.js';
import type { Regions } from './regions.js';
import type { VectorOps } from './vector-ops.js';

/** Vectors that are allocated at a time. */
const SIDES_AT_ONCE = 16;
/** A combination of more bases is written out: each would be gone through in every product. */
const MAX_PARTS = 3;
/** Combinations that are shorter than this part of what is allowed are left as they are. */
const SHORT = 1 / 4;

export class MatrixStore {
  /** The program's matrices. Those at addresses that are never read again are empty. */
  readonly matrices: Matrix[];
  /** The current step, and the number of steps between the last two times that combinations were written out. */
  step = 0;
  private lastSettled = 0;
  private interval = 1;
  private readonly kernels: LargeKernels;
  private readonly regions: Regions;
  private readonly vectors: VectorOps;
  private readonly maxTerms: number;
  private readonly arrays: number[] = [];
  /** Bases that no address refers to yet. */
  private readonly held: Base[] = [];
  private readonly sides: number[] = [];
  private freeSides: number[] = [];
  private readonly transposed = new WeakMap<Term, Term>();
  private serial = 0;
  private scratch = 0;
  private scratchBytes = 0;

  constructor(kernels: LargeKernels, regions: Regions, vectors: VectorOps, count: number, maxTerms: number) {
    this.kernels = kernels;
    this.vectors = vectors;
    this.regions = regions;
    this.maxTerms = maxTerms;
    this.matrices = new Array<Matrix>(count).fill(ZERO);
  }

  /** How many more steps a base will probably be there, the current one included. */
  expectedLife({ born, isSettled }: Base): number {
    const age = this.step - born;
    return isSettled ? Math.max(this.lastSettled + this.interval + 1 - this.step, age) : age;
  }

  /** A base that holds anything yet. It is kept until `release`, or as long as an address refers to it. */
  newBase(bound?: number, isSettled = false): Base {
    const used = new Set(this.held.map(({ address }) => address));
    for (const { parts } of this.matrices) for (const { base } of parts) used.add(base.address);
    let address = this.arrays.find((array) => !used.has(array));
    if (address === undefined) {
      address = this.regions.allocate(this.kernels.layout.operandBytes('m'));
      this.arrays.push(address);
    }
    const base: Base = { address, bound, born: this.step, isSettled };
    this.held.push(base);
    return base;
  }

  /** Forgets bases that no address refers to. */
  release(): void {
    this.held.length = 0;
  }

  /** Addresses of vectors for terms. They are kept as long as an address refers to a term with them. */
  newSides(count: number): number[] {
    if (this.freeSides.length < count) this.collectSides();
    while (this.freeSides.length < count) {
      const { stride } = this.kernels;
      const first = this.regions.allocate(SIDES_AT_ONCE * stride);
      const fresh = Array.from({ length: SIDES_AT_ONCE }, (_, k) => first + k * stride);
      this.sides.push(...fresh);
      this.freeSides.push(...fresh);
    }
    return this.freeSides.splice(-count);
  }

  private collectSides(): void {
    const used = new Set<number>();
    for (const { terms } of this.matrices) {
      for (const { column, row } of terms) {
        used.add(column.address);
        used.add(row.address);
      }
    }
    this.freeSides = this.sides.filter((address) => !used.has(address));
  }

  newTerm(column: Side, row: Side): Term {
    return { serial: this.serial++, column, row };
  }

  readonly transposedOf = (term: Term): Term => {
    const known = this.transposed.get(term);
    if (known !== undefined) return known;
    const made = this.newTerm(term.row, term.column);
    this.transposed.set(term, made);
    this.transposed.set(made, term);
    return made;
  };

  /** The base that holds what is at an address, which is written out if it must be. */
  materialize(address: number): Base {
    const matrix = this.matrices[address]!;
    const known = plainBase(matrix);
    if (known !== undefined) return known;
    const isBounded = !isEmpty(matrix) && matrix.parts.every(({ base }) => base.bound !== undefined);
    const base = this.newBase(isBounded ? boundOf(matrix) : undefined);
    this.writeOut(matrix, base.address);
    this.replace(matrix, ofBase(base));
    return base;
  }

  private replace(matrix: Matrix, by: Matrix): void {
    for (const [k, old] of this.matrices.entries()) if (old === matrix) this.matrices[k] = by;
  }

  /** Whether only this address refers to a base. */
  isAlone(base: Base, address: number): boolean {
    return !this.matrices.some(({ parts }, k) => k !== address && parts.some((part) => part.base === base));
  }

  /** Computes a combination into `out`, which may be one of its bases if that is not transposed. */
  private writeOut(matrix: Matrix, out: number): void {
    const { kernels } = this;
    const { features: F, real } = kernels.layout;
    const { terms, factors } = matrix;
    if (isEmpty(matrix)) {
      heap.numbers(real).fill(matrix.zero, out / real.bytes, out / real.bytes + F * F);
      return;
    }
    const isOut = (part: Part) => part.base.address === out && !part.isTransposed;
    const inOrder = [...matrix.parts.filter(isOut), ...matrix.parts.filter((part) => !isOut(part))];
    const parts = inOrder.map((part) => ({
      address: part.isTransposed ? this.writeTransposed(part.base.address) : part.base.address,
      factor: part.factor,
    }));
    const bytes = packedBytes(kernels, terms.length);
    if (bytes > this.scratchBytes) {
      if (this.scratch !== 0) this.regions.release(this.scratch);
      this.scratch = this.regions.allocate(bytes);
      this.scratchBytes = bytes;
    }
    const packed = terms.map(({ column, row }, k) => ({
      column: column.address,
      row: row.address,
      factor: factors[k]!,
    }));
    combine(kernels, out, parts.slice(0, 2), packed, this.scratch);
    for (const part of parts.slice(2)) combine(kernels, out, [{ address: out, factor: 1 }, part], [], this.scratch);
  }

  private writeTransposed(address: number): number {
    const base = this.newBase();
    this.vectors.transpose(address, base.address);
    return base.address;
  }

  /** Forgets the matrices that are never read again. */
  keepOnly(live: ReadonlySet<number>): void {
    for (const address of this.matrices.keys()) if (!live.has(address)) this.matrices[address] = ZERO;
  }

  /** Writes combinations out if one of them has grown long. */
  settleLong(): void {
    const isLong = ({ terms, parts }: Matrix) => terms.length > this.maxTerms || parts.length > MAX_PARTS;
    if (this.matrices.some(isLong)) this.settle(SHORT * this.maxTerms);
  }

  /**
   * Writes out every combination of more terms, or of several bases. A multiple of another one becomes a multiple of its base,
   * and what is written out takes the place of a base that nothing else needs.
   */
  settle(moreThan: number): void {
    this.interval = Math.max(1, this.step - this.lastSettled);
    this.lastSettled = this.step;
    const pending = new Set(this.matrices.filter(({ terms, parts }) => terms.length > moreThan || parts.length > 1));
    const multiples: { of: Matrix; matrix: Matrix; ratio: number }[] = [];
    for (const matrix of pending) {
      for (const of of pending) {
        if (of === matrix) break;
        const ratio = ratioOf(matrix, of);
        if (ratio === undefined) continue;
        multiples.push({ of, matrix, ratio });
        pending.delete(matrix);
        break;
      }
    }
    // A multiple is dealt with when what it is a multiple of is.
    const isMultiple = (matrix: Matrix) => multiples.some((multiple) => multiple.matrix === matrix);
    const others = () => this.matrices.filter((matrix) => !isMultiple(matrix));
    while (pending.size > 0) {
      const ownBase = (matrix: Matrix) =>
        matrix.parts.find(
          ({ base, isTransposed }) =>
            !isTransposed &&
            !matrix.parts.some((part) => part.base === base && part.isTransposed) &&
            others().every((other) => other === matrix || other.parts.every((part) => part.base !== base)),
        )?.base;
      const matrix = [...pending].find((candidate) => ownBase(candidate) !== undefined) ?? [...pending][0]!;
      const own = ownBase(matrix);
      const bound = boundOf(matrix);
      const base: Base =
        own === undefined
          ? this.newBase(bound, true)
          : { address: own.address, bound, born: this.step, isSettled: true };
      this.writeOut(matrix, base.address);
      this.replace(matrix, ofBase(base));
      for (const multiple of multiples.filter(({ of }) => of === matrix)) {
        this.replace(multiple.matrix, { ...ZERO, parts: [{ base, isTransposed: false, factor: multiple.ratio }] });
      }
      pending.delete(matrix);
      this.release();
    }
  }
}
