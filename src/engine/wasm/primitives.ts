// The scalar functions of ops/primitives.ts as SIMD code. Elementary functions are computed in f64, lane by lane or two lanes
// at a time (elementary.ts), so that f32 rounds their result once. Must not know shapes or layouts.
import type { Map1, Map2 } from '../../ops/primitives.js';
import { type Code, call, type Func, type FunctionBuilder, get, set, v128 } from '../../wasm/assembler.js';
import type { Elementary } from './elementary.js';
import type { Real } from './reals.js';

type Emit1 = (real: Real, x: Code, f: FunctionBuilder, elementary: Elementary) => Code;
type Emit2 = (real: Real, a: Code, b: Code) => Code;

/** Replaces every lane by a function of it. */
function eachLane(real: Real, f: FunctionBuilder, x: Code, func: Func): Code {
  const value = f.local('v128');
  const lane = (k: number) => set(value, real.replace(get(value), k, call(func, real.extract(get(value), k))));
  return [set(value, x), Array.from({ length: real.lanes }, (_, k) => lane(k)), get(value)];
}

/** Replaces every lane by a function that takes two f64 lanes at a time. */
export function eachPair(real: Real, f: FunctionBuilder, x: Code, func: Func): Code {
  const value = f.local('v128');
  return [set(value, x), real.inPairs(value, (pair) => call(func, pair))];
}

const elementaryOf =
  (name: keyof Elementary): Emit1 =>
  (real, x, f, elementary) =>
    eachLane(real, f, x, elementary[name]);

export const EMIT_MAP1 = {
  abs: (real, x) => real.abs(x),
  reciprocal: (real, x) => real.div(real.constant(1), x),
  sin: elementaryOf('sin'),
  cos: elementaryOf('cos'),
  tan: elementaryOf('tan'),
  arcsin: elementaryOf('arcsin'),
  arccos: elementaryOf('arccos'),
  arctan: elementaryOf('arctan'),
  exp: (real, x, f, { exp }) => eachPair(real, f, x, exp),
  log: elementaryOf('log'),
  step: (real, x) => v128.and(real.ge(x, real.constant(0)), real.constant(1)),
  stepAbove: (real, x) => v128.and(real.gt(x, real.constant(0)), real.constant(1)),
} as const satisfies Record<Map1, Emit1>;

export const EMIT_MAP2 = {
  add: (real, a, b) => real.add(a, b),
  subtract: (real, a, b) => real.sub(a, b),
  multiply: (real, a, b) => real.mul(a, b),
  divide: (real, a, b) => real.div(a, b),
  minFirst: (real, a, b) => real.pmin(a, b),
  minSecond: (real, a, b) => real.pmin(b, a),
  maxFirst: (real, a, b) => real.pmax(a, b),
  maxSecond: (real, a, b) => real.pmax(b, a),
} as const satisfies Record<Map2, Emit2>;
