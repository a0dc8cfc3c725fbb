// A matrix that is not computed until it must be: a linear combination of matrices in memory and of rank-one terms. Sums, multiples
// and transposes only change the numbers in front. Values, never changed. Must not know where memory comes from.
import type { Precision } from '../../ops/semantics.js';

/** A matrix in memory; shared and never written to again. */
export interface Base {
  readonly address: number;
  /** At least its norm, if known; infinite, NaN or 0 if it may have elements that arithmetic must treat one by one. */
  bound: number | undefined;
  /** Its norm and mean, once asked for. */
  norm?: number;
  mean?: number;
  /** The step after which it was made. */
  readonly born: number;
  /** Whether it holds what had accumulated, and will until the next time. */
  readonly isSettled: boolean;
}

/** A vector in memory that rank-one terms share; never written to again. */
export interface Side {
  readonly address: number;
  readonly norm: number;
}

/** column ⊗ row. */
export interface Term {
  /** Terms have an order, so that sums of combinations are merges. */
  readonly serial: number;
  readonly column: Side;
  readonly row: Side;
}

export interface Part {
  readonly base: Base;
  readonly isTransposed: boolean;
  readonly factor: number;
}

export interface Matrix {
  readonly parts: readonly Part[];
  readonly terms: readonly Term[];
  /** One for each term. */
  readonly factors: readonly number[];
  /** Its elements if there is nothing in it: 0 or -0. */
  readonly zero: number;
}

export const ZERO: Matrix = { parts: [], terms: [], factors: [], zero: 0 };

export function isEmpty({ parts, terms }: Matrix): boolean {
  return parts.length === 0 && terms.length === 0;
}

export function ofBase(base: Base): Matrix {
  return { ...ZERO, parts: [{ base, isTransposed: false, factor: 1 }] };
}

export function ofTerm(term: Term, factor = 1): Matrix {
  return { ...ZERO, terms: [term], factors: [factor] };
}

/** The base that holds this matrix as it is, if there is one. */
export function plainBase({ parts, terms }: Matrix): Base | undefined {
  const [part] = parts;
  const isPlain = parts.length === 1 && terms.length === 0 && part!.factor === 1 && !part!.isTransposed;
  return isPlain ? part!.base : undefined;
}

/**
 * Sizes between which factors and norms may lie. Beyond them elements may overflow or vanish at another time than if every
 * operation were done on its own.
 */
const TAME: { readonly [P in Precision]: { readonly least: number; readonly most: number } } = {
  f64: { least: 1e-90, most: 1e90 },
  f32: { least: 1e-11, most: 1e11 },
};

/** Whether a number may be taken out of the elements that it is multiplied with. */
export function isTame(x: number, precision: Precision): boolean {
  const size = Math.abs(x);
  return size >= TAME[precision].least && size <= TAME[precision].most;
}

/** At least the norm. Every base's bound must be known. */
export function boundOf({ parts, terms, factors }: Matrix): number {
  let bound = 0;
  for (const { base, factor } of parts) bound += Math.abs(factor) * base.bound!;
  for (let k = 0; k < terms.length; k++) bound += Math.abs(factors[k]!) * terms[k]!.column.norm * terms[k]!.row.norm;
  return bound;
}

/** Whether arithmetic on all bases may be put off. Their bounds must be known. */
export function areBasesTame({ parts }: Matrix, precision: Precision): boolean {
  return parts.every(({ base }) => isTame(base.bound!, precision));
}

/** The combination of tame bases, if all of its numbers are tame. */
function ifTame(matrix: Matrix, precision: Precision): Matrix | undefined {
  const tame = (x: number) => isTame(x, precision);
  if (!matrix.parts.every(({ factor }) => tame(factor)) || !matrix.factors.every(tame)) return undefined;
  return boundOf(matrix) <= TAME[precision].most ? matrix : undefined;
}

/** factor * matrix; nothing if that must be computed element by element. */
export function scale(factor: number, matrix: Matrix, precision: Precision): Matrix | undefined {
  if (isEmpty(matrix)) {
    const zero = factor * matrix.zero;
    return Number.isNaN(zero) ? undefined : { ...ZERO, zero };
  }
  if (!isTame(factor, precision) || !areBasesTame(matrix, precision)) return undefined;
  return ifTame(
    {
      parts: matrix.parts.map((part) => ({ ...part, factor: factor * part.factor })),
      terms: matrix.terms,
      factors: matrix.factors.map((x) => factor * x),
      zero: 0,
    },
    precision,
  );
}

function addParts(a: readonly Part[], b: readonly Part[], sign: 1 | -1): Part[] {
  const sum = [...a];
  for (const part of b) {
    const place = sum.findIndex(({ base, isTransposed }) => base === part.base && isTransposed === part.isTransposed);
    if (place < 0) sum.push({ ...part, factor: sign * part.factor });
    else sum[place] = { ...part, factor: sum[place]!.factor + sign * part.factor };
  }
  return sum.filter(({ factor }) => factor !== 0);
}

/** a + b or a - b; nothing if that must be computed element by element. */
export function add(a: Matrix, b: Matrix, sign: 1 | -1, precision: Precision): Matrix | undefined {
  if (isEmpty(a) && isEmpty(b)) return { ...ZERO, zero: a.zero + sign * b.zero };
  // Even what cancels out: NaN - NaN is not 0.
  if (!areBasesTame(a, precision) || !areBasesTame(b, precision)) return undefined;
  // The sign of a sum of zeros depends on both.
  if (boundOf(a) === 0 && boundOf(b) === 0) return undefined;
  const terms: Term[] = [];
  const factors: number[] = [];
  const push = (term: Term, factor: number) => {
    if (factor === 0) return;
    terms.push(term);
    factors.push(factor);
  };
  let k = 0;
  for (const [n, term] of b.terms.entries()) {
    while (k < a.terms.length && a.terms[k]!.serial < term.serial) push(a.terms[k]!, a.factors[k++]!);
    const isShared = a.terms[k] === term;
    push(term, (isShared ? a.factors[k++]! : 0) + sign * b.factors[n]!);
  }
  while (k < a.terms.length) push(a.terms[k]!, a.factors[k++]!);
  return ifTame({ parts: addParts(a.parts, b.parts, sign), terms, factors, zero: 0 }, precision);
}

/** `transposedOf` gives a term's transposed one, always the same. */
export function transpose(matrix: Matrix, transposedOf: (term: Term) => Term): Matrix {
  const pairs = matrix.terms.map((term, k) => ({ term: transposedOf(term), factor: matrix.factors[k]! }));
  pairs.sort((a, b) => a.term.serial - b.term.serial);
  return {
    parts: matrix.parts.map((part) => ({ ...part, isTransposed: !part.isTransposed })),
    terms: pairs.map(({ term }) => term),
    factors: pairs.map(({ factor }) => factor),
    zero: matrix.zero,
  };
}

/** Two numbers differ by some roundings at most. */
function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 8 * Number.EPSILON * Math.abs(a);
}

/** The number x with a = x b, if there is one up to rounding. */
export function ratioOf(a: Matrix, b: Matrix): number | undefined {
  if (isEmpty(a) || a.parts.length !== b.parts.length || a.terms.length !== b.terms.length) return undefined;
  const ratio = a.parts.length > 0 ? a.parts[0]!.factor / b.parts[0]!.factor : a.factors[0]! / b.factors[0]!;
  const isMultiple =
    a.parts.every(({ base, isTransposed, factor }, k) => {
      const other = b.parts[k]!;
      return base === other.base && isTransposed === other.isTransposed && isClose(factor, ratio * other.factor);
    }) && a.terms.every((term, k) => term === b.terms[k] && isClose(a.factors[k]!, ratio * b.factors[k]!));
  return isMultiple ? ratio : undefined;
}
