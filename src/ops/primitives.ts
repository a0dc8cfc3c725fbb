// The functions of single numbers that ops are made of. A row of the op table names one; an engine must provide every one.
// Must not know ops, shapes or memory.
import { arccos, arcsin, arctan, cos, exp, log, sin, tan } from '../util/elementary.js';

/** Functions of one number. */
export const MAP1 = {
  abs: Math.abs,
  reciprocal: (x) => 1 / x,
  sin,
  cos,
  tan,
  arcsin,
  arccos,
  arctan,
  exp,
  log,
  /** 1 from zero on. The scalar op. */
  step: (x) => (x >= 0 ? 1 : 0),
  /** 1 above zero. The vector and matrix ops. */
  stepAbove: (x) => (x > 0 ? 1 : 0),
} as const satisfies Record<string, (x: number) => number>;

/**
 * Functions of two numbers. The minima and maxima are spelled out because NaN and signed zeros make the order of their
 * inputs matter: `first` keeps the first input where neither is smaller (larger), as the C++ original does for scalars and
 * vectors; `second` keeps the second, as it does for matrices.
 */
export const MAP2 = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  minFirst: (a, b) => (b < a ? b : a),
  minSecond: (a, b) => (a < b ? a : b),
  maxFirst: (a, b) => (a < b ? b : a),
  maxSecond: (a, b) => (a > b ? a : b),
} as const satisfies Record<string, (a: number, b: number) => number>;

export type Map1 = keyof typeof MAP1;
export type Map2 = keyof typeof MAP2;

/** What a reduction computes from the numbers it is given. */
export type Reduction = 'norm' | 'mean' | 'std';

/** What a random op draws. */
export type Distribution = 'uniform' | 'gaussian';
