import { describe, expect, it } from 'vitest';
import {
  add,
  type Base,
  boundOf,
  isEmpty,
  ofBase,
  ofTerm,
  plainBase,
  ratioOf,
  scale,
  type Term,
  transpose,
  ZERO,
} from './matrix.js';

const base = (bound: number): Base => ({ address: 64, bound, born: 0, isSettled: false });
const term = (serial: number): Term => ({ serial, column: { address: 1, norm: 2 }, row: { address: 2, norm: 3 } });

describe('combinations', () => {
  const [a, b, c] = [term(1), term(2), term(3)];

  it('add up what they share and keep the order of terms', () => {
    const left = add(ofTerm(a), ofTerm(c), 1, 'f64')!;
    const sum = add(left, add(ofTerm(b), ofTerm(c), 1, 'f64')!, -1, 'f64')!;
    expect(sum.terms).toEqual([a, b]);
    expect(sum.factors).toEqual([1, -1]);
  });

  it('add up the factors of a base, and keep it apart from its transposed one', () => {
    const matrix = ofBase(base(5));
    const twice = add(matrix, matrix, 1, 'f64')!;
    expect(twice.parts.map(({ factor }) => factor)).toEqual([2]);
    expect(
      add(
        twice,
        transpose(matrix, (t) => t),
        1,
        'f64',
      )!.parts,
    ).toHaveLength(2);
    expect(isEmpty(add(matrix, matrix, -1, 'f64')!)).toBe(true);
  });

  it('have a bound', () => {
    expect(boundOf(add(scale(-2, ofBase(base(5)), 'f64')!, ofTerm(a), 1, 'f64')!)).toBe(2 * 5 + 2 * 3);
  });

  it('of nothing are zeros with a sign', () => {
    expect(scale(-3, ZERO, 'f64')!.zero).toBe(-0);
    expect(add(scale(-3, ZERO, 'f64')!, ZERO, 1, 'f64')!.zero).toBe(0);
    expect(scale(Number.POSITIVE_INFINITY, ZERO, 'f64')).toBeUndefined();
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0, 1e200, 1e-200])('are not made of a base of norm %d', (bound) => {
    const matrix = ofBase(base(bound));
    expect(add(matrix, ofTerm(a), 1, 'f64')).toBeUndefined();
    expect(add(matrix, matrix, -1, 'f64')).toBeUndefined();
    expect(scale(2, matrix, 'f64')).toBeUndefined();
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0, 1e200, 1e-200])('are not made with the factor %d', (factor) => {
    expect(scale(factor, ofTerm(a), 'f64')).toBeUndefined();
  });

  it('in f32 have a smaller range', () => {
    expect(scale(1e20, ofTerm(a), 'f64')).toBeDefined();
    expect(scale(1e20, ofTerm(a), 'f32')).toBeUndefined();
  });

  it('know a multiple of another one', () => {
    const sum = add(ofBase(base(5)), scale(0.3, ofTerm(a), 'f64')!, 1, 'f64')!;
    expect(ratioOf(scale(0.1, sum, 'f64')!, sum)).toBeCloseTo(0.1, 15);
    expect(ratioOf(add(sum, ofTerm(a), 1, 'f64')!, sum)).toBeUndefined();
    expect(ratioOf(add(sum, ofTerm(b), 1, 'f64')!, sum)).toBeUndefined();
  });

  it('know the base that holds them', () => {
    const matrix = ofBase(base(5));
    expect(plainBase(matrix)).toBe(matrix.parts[0]!.base);
    expect(plainBase(scale(2, matrix, 'f64')!)).toBeUndefined();
    expect(plainBase(transpose(matrix, (t) => t))).toBeUndefined();
  });
});
