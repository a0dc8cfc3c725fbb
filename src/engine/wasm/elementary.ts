// The elementary functions of util/elementary.ts and util/normal.ts as WebAssembly functions, step for step with
// the same constants, so that they return the same bits. Must not know ops or layouts.
import {
  ARCTAN_SERIES,
  ATANH_SERIES,
  COS_SERIES,
  DIGIT,
  DIGIT_BITS,
  digitsOfTwoOverPi,
  EXP_MAX,
  EXP_MIN,
  EXP_SERIES,
  FRACTION_DIGITS,
  HALF_PI_1,
  HALF_PI_2,
  HALF_PI_3,
  HALF_PI_4,
  HALF_PI_TAIL,
  LN2_HIGH,
  LN2_LOW,
  MAX_QUARTERS,
  QUARTER_PI_TAIL,
  ROUNDER,
  SIN_SERIES,
  SUBNORMAL_SCALE,
  TAN_EIGHTH,
  TINY,
} from '../../util/elementary.js';
import { CENTRE, FAR_TAIL, type Rational, TAIL } from '../../util/normal.js';
import {
  type Code,
  call,
  choose,
  type Func,
  type FunctionBuilder,
  f64,
  f64x2,
  get,
  i32,
  i64,
  i64x2,
  type Local,
  leave,
  type ModuleBuilder,
  select,
  set,
  setAll,
  v128,
  when,
} from '../../wasm/assembler.js';
import { REALS } from './reals.js';

const { add, sub, mul, div, neg, abs, sqrt, floor, lt, gt, le, ge, eq } = f64;
const c = f64.const;

function nearestInteger(x: Code): Code {
  return sub(add(x, c(ROUNDER)), c(ROUNDER));
}

/** 2^k for a whole number k from -1022 to 1023. */
function powerOfTwo(k: Code): Code {
  return f64.fromBits(i64.shl(i64.extendU(i32.add(i32.fromF64(k), i32.const(1023))), i64.const(52n)));
}

function polynomial(x: Local, coefficients: readonly number[]): Code {
  return coefficients.reduceRight<Code>(
    (y, coefficient, k) => (k === coefficients.length - 1 ? c(coefficient) : add(mul(y, get(x)), c(coefficient))),
    [],
  );
}

/** Functions of one f64, but for those of two f64 lanes. */
export interface Elementary {
  /** Of two lanes. */
  readonly exp: Func;
  /** Of two lanes. */
  readonly sigmoid: Func;
  /** Of two lanes. */
  readonly inverseNormal: Func;
  readonly log: Func;
  readonly sin: Func;
  readonly cos: Func;
  readonly tan: Func;
  readonly arcsin: Func;
  readonly arccos: Func;
  readonly arctan: Func;
}

/** A function of one number. */
function unary(module: ModuleBuilder, write: (x: Local, f: FunctionBuilder) => Code): Func {
  return module.func({ params: ['f64'], results: ['f64'] }, (f) => write(f.params[0]!, f));
}

/** A function of two numbers side by side, each by itself. */
function pairwise(module: ModuleBuilder, write: (x: Local, f: FunctionBuilder) => Code): Func {
  return module.func({ params: ['v128'], results: ['v128'] }, (f) => write(f.params[0]!, f));
}

/** Arithmetic on two f64 lanes. */
const pair = REALS.f64;

function pairPolynomial(x: Local, coefficients: readonly number[]): Code {
  return coefficients.reduceRight<Code>(
    (y, coefficient, k) =>
      k === coefficients.length - 1
        ? pair.constant(coefficient)
        : pair.add(pair.mul(y, get(x)), pair.constant(coefficient)),
    [],
  );
}

// Without branches, so that both lanes take the same way: what is not a number stays so in every step.
function addExp(module: ModuleBuilder): Func {
  const nearest = (x: Code) => pair.sub(pair.add(x, pair.constant(ROUNDER)), pair.constant(ROUNDER));
  // The lowest bits of k + 1023 + ROUNDER are those of k + 1023, which become the exponent.
  const power = (k: Code) => i64x2.shl(pair.add(k, pair.constant(ROUNDER + 1023)), i32.const(52));
  return pairwise(module, (x, f) => {
    const { n, r, half, value } = f.locals('v128', 'n', 'r', 'half', 'value');
    const y = pair.add(
      pair.constant(1),
      pair.add(get(r), pair.mul(pair.mul(get(r), get(r)), pairPolynomial(r, EXP_SERIES))),
    );
    return [
      set(n, nearest(pair.mul(get(x), pair.constant(Math.LOG2E)))),
      set(
        r,
        pair.sub(pair.sub(get(x), pair.mul(get(n), pair.constant(LN2_HIGH))), pair.mul(get(n), pair.constant(LN2_LOW))),
      ),
      set(half, nearest(pair.div(get(n), pair.constant(2)))),
      set(value, pair.mul(pair.mul(y, power(get(half))), power(pair.sub(get(n), get(half))))),
      set(
        value,
        v128.select(pair.gt(get(x), pair.constant(EXP_MAX)), pair.constant(Number.POSITIVE_INFINITY), get(value)),
      ),
      v128.select(pair.gt(pair.constant(EXP_MIN), get(x)), pair.constant(0), get(value)),
    ];
  });
}

function addLog(module: ModuleBuilder): Func {
  return unary(module, (x, f) => {
    const { n, m, s, s2 } = f.locals('f64', 'n', 'm', 's', 's2');
    const bits = f.local('i64');
    const exponent = sub(f64.fromI32(i32.wrap(i64.shrU(get(bits), i64.const(52n)))), c(1022));
    const twoS = mul(c(2), get(s));
    return [
      when(eq(get(x), c(0)), leave(c(Number.NEGATIVE_INFINITY))),
      when(i32.eqz(gt(get(x), c(0))), leave(c(Number.NaN))),
      when(eq(get(x), c(Number.POSITIVE_INFINITY)), leave(get(x))),
      set(n, c(0)),
      when(lt(get(x), c(2 ** -1022)), set(x, mul(get(x), c(SUBNORMAL_SCALE))), set(n, c(-54))),
      set(bits, i64.fromBits(get(x))),
      set(n, add(exponent, get(n))),
      set(m, f64.fromBits(i64.or(i64.and(get(bits), i64.const(0xfffffffffffffn)), i64.const(0x3fen << 52n)))),
      when(lt(get(m), c(Math.SQRT1_2)), set(m, mul(get(m), c(2))), set(n, sub(get(n), c(1)))),
      set(s, div(sub(get(m), c(1)), add(get(m), c(1)))),
      set(s2, mul(get(s), get(s))),
      add(
        mul(get(n), c(LN2_HIGH)),
        add(twoS, add(mul(twoS, mul(get(s2), polynomial(s2, ATANH_SERIES))), mul(get(n), c(LN2_LOW)))),
      ),
    ];
  });
}

/** Digits in front of the table, because the first products reach before the point. */
const ZERO_DIGITS = 4;

/** What large angles read from memory. */
export function angleTable(): Float64Array {
  return Float64Array.from([...new Array<number>(ZERO_DIGITS).fill(0), ...digitsOfTwoOverPi()]);
}

/** Of one angle: the rest, its tail, and the number of quarter turns. */
const ANGLE = { params: ['f64'], results: ['f64', 'f64', 'i32'] } as const;

function addReduceLargeAngle(module: ModuleBuilder, table: number): Func {
  return module.func(ANGLE, (f) => {
    const x = f.params[0]!;
    const { q, exponent } = f.locals('f64', 'q', 'exponent');
    const { m, above, total, carry } = f.locals('f64', 'm', 'above', 'total', 'carry');
    const first = f.local('i32');
    const digits = Array.from({ length: 4 }, () => f.local('f64'));
    const places = Array.from({ length: FRACTION_DIGITS + 2 }, () => f.local('f64'));
    const { up, head, middle, fraction, lost, sign } = f.locals(
      'f64',
      'up',
      'head',
      'middle',
      'fraction',
      'lost',
      'sign',
    );
    const [units, p1, p2, p3, p4, p5, p6] = places as [Local, Local, Local, Local, Local, Local, Local];
    const biased = i32.and(i32.wrap(i64.shrU(i64.fromBits(get(x)), i64.const(52n))), i32.const(0x7ff));
    const digitAt = (k: number, place: number) => f64.load(get(first), table + 8 * (k + place));
    const place = (index: number): Code => [
      set(total, get(carry)),
      digits.map((digit, k) => set(total, add(get(total), mul(get(digit), digitAt(k, index))))),
      set(carry, floor(div(get(total), c(DIGIT)))),
      set(places[index]!, sub(get(total), mul(get(carry), c(DIGIT)))),
    ];
    const scaled = (p: Local, power: number) => mul(get(p), c(2 ** power));
    return [
      when(i32.eqz(lt(abs(get(x)), c(Number.POSITIVE_INFINITY))), leave(c(Number.NaN), c(0), i32.const(0))),
      set(exponent, sub(f64.fromI32(biased), c(1075))),
      set(q, floor(div(get(exponent), c(DIGIT_BITS)))),
      set(first, i32.mul(i32.fromF64(add(get(q), c(ZERO_DIGITS - 1))), i32.const(8))),
      set(m, mul(abs(get(x)), powerOfTwo(mul(c(-DIGIT_BITS), get(q))))),
      digits.map((digit) => [
        set(above, floor(div(get(m), c(DIGIT)))),
        set(digit, sub(get(m), mul(get(above), c(DIGIT)))),
        set(m, get(above)),
      ]),
      places.map((_, k) => place(places.length - 1 - k)),
      set(up, select(ge(get(p1), c(DIGIT / 2)), c(1), c(0))),
      set(head, add(mul(sub(get(p1), mul(get(up), c(DIGIT))), c(2 ** -24)), scaled(p2, -48))),
      set(middle, add(scaled(p3, -72), scaled(p4, -96))),
      set(fraction, add(get(head), get(middle))),
      set(lost, add(add(sub(get(head), get(fraction)), get(middle)), add(scaled(p5, -120), scaled(p6, -144)))),
      set(sign, select(lt(get(x), c(0)), c(-1), c(1))),
      mul(mul(get(sign), get(fraction)), c(Math.PI / 2)),
      mul(get(sign), add(mul(get(fraction), c(HALF_PI_TAIL)), mul(get(lost), c(Math.PI / 2)))),
      i32.and(i32.fromF64(mul(get(sign), add(get(units), get(up)))), i32.const(3)),
    ];
  });
}

function addReduceAngle(module: ModuleBuilder, reduceLargeAngle: Func): Func {
  return module.func(ANGLE, (f) => {
    const x = f.params[0]!;
    const { n, a, p2, b, p3, p, lost, rest } = f.locals('f64', 'n', 'a', 'p2', 'b', 'p3', 'p', 'lost', 'rest');
    return [
      set(n, nearestInteger(mul(get(x), c(2 / Math.PI)))),
      when(gt(abs(get(n)), c(MAX_QUARTERS)), leave(call(reduceLargeAngle, get(x)))),
      set(a, sub(get(x), mul(get(n), c(HALF_PI_1)))),
      set(p2, mul(get(n), c(HALF_PI_2))),
      set(b, sub(get(a), get(p2))),
      set(p3, mul(get(n), c(HALF_PI_3))),
      set(p, sub(get(b), get(p3))),
      set(
        lost,
        sub(add(sub(sub(get(a), get(b)), get(p2)), sub(sub(get(b), get(p)), get(p3))), mul(get(n), c(HALF_PI_4))),
      ),
      set(rest, add(get(p), get(lost))),
      get(rest),
      add(sub(get(p), get(rest)), get(lost)),
      i32.and(i32.fromF64(get(n)), i32.const(3)),
    ];
  });
}

/** The functions of an angle, of the sine and cosine of its rest. */
function addTrigonometric(module: ModuleBuilder, reduceAngle: Func): Pick<Elementary, 'sin' | 'cos' | 'tan'> {
  const ofRest = (write: (r: Local, tail: Local, r2: Local) => Code): Func =>
    module.func({ params: ['f64', 'f64'], results: ['f64'] }, (f) => {
      const [r, tail] = f.params as [Local, Local];
      const r2 = f.local('f64');
      return [set(r2, mul(get(r), get(r))), write(r, tail, r2)];
    });
  const sinOfRest = ofRest((r, tail, r2) => {
    const head = sub(c(1), div(get(r2), c(2)));
    return add(get(r), add(mul(get(r), mul(get(r2), polynomial(r2, SIN_SERIES))), mul(get(tail), head)));
  });
  const cosOfRest = ofRest((r, tail, r2) => {
    const half = div(get(r2), c(2));
    const head = sub(c(1), half);
    const series = mul(mul(get(r2), get(r2)), polynomial(r2, COS_SERIES));
    return add(head, add(sub(sub(c(1), head), half), sub(series, mul(get(r), get(tail)))));
  });
  const ofAngle = (write: (quarters: Local, sine: Code, cosine: Code, f: FunctionBuilder) => Code, keepTiny: boolean) =>
    unary(module, (x, f) => {
      const [rest, tail, quarters] = [f.local('f64'), f.local('f64'), f.local('i32')];
      return [
        keepTiny ? when(lt(abs(get(x)), c(TINY)), leave(get(x))) : [],
        setAll([rest, tail, quarters], call(reduceAngle, get(x))),
        write(quarters, call(sinOfRest, get(rest), get(tail)), call(cosOfRest, get(rest), get(tail)), f),
      ];
    });
  const isOdd = (quarters: Local) => i32.and(get(quarters), i32.const(1));
  const withSign = (value: Code, isNegative: Code, f: FunctionBuilder): Code => {
    const result = f.local('f64');
    return [set(result, value), choose('f64', isNegative, neg(get(result)), get(result))];
  };
  return {
    sin: ofAngle((quarters, sine, cosine, f) => {
      const isNegative = i32.and(get(quarters), i32.const(2));
      return withSign(choose('f64', isOdd(quarters), cosine, sine), isNegative, f);
    }, true),
    cos: ofAngle((quarters, sine, cosine, f) => {
      const isNegative = i32.and(i32.add(get(quarters), i32.const(1)), i32.const(2));
      return withSign(choose('f64', isOdd(quarters), sine, cosine), isNegative, f);
    }, false),
    tan: ofAngle(
      (quarters, sine, cosine) => choose('f64', isOdd(quarters), div(neg(cosine), sine), div(sine, cosine)),
      true,
    ),
  };
}

function addArctan(module: ModuleBuilder): Func {
  return unary(module, (x, f) => {
    const { a, t, u, u2, correction, value } = f.locals('f64', 'a', 't', 'u', 'u2', 'correction', 'value');
    const { isSteep, isMiddle } = f.locals('i32', 'isSteep', 'isMiddle');
    const one = c(1);
    const middle = choose(
      'f64',
      get(isSteep),
      div(sub(one, get(a)), add(one, get(a))),
      div(sub(get(a), one), add(get(a), one)),
    );
    const flat = choose(
      'f64',
      get(isMiddle),
      add(c(Math.PI / 4), add(get(u), add(get(correction), c(QUARTER_PI_TAIL)))),
      add(get(u), get(correction)),
    );
    return [
      set(a, abs(get(x))),
      when(i32.eqz(ge(get(a), c(TINY))), leave(get(x))),
      set(isSteep, gt(get(a), one)),
      set(t, choose('f64', get(isSteep), div(one, get(a)), get(a))),
      set(isMiddle, gt(get(t), c(TAN_EIGHTH))),
      set(u, choose('f64', get(isMiddle), middle, get(t))),
      set(u2, mul(get(u), get(u))),
      set(correction, mul(get(u), mul(get(u2), polynomial(u2, ARCTAN_SERIES)))),
      set(value, flat),
      when(get(isSteep), set(value, sub(c(Math.PI / 2), sub(get(value), c(HALF_PI_TAIL))))),
      choose('f64', lt(get(x), c(0)), neg(get(value)), get(value)),
    ];
  });
}

/** Far from the middle, where a logarithm is needed: of one number. */
function addTailOfNormal(module: ModuleBuilder, log: Func): Func {
  return unary(module, (probability, f) => {
    const { r, z } = f.locals('f64', 'r', 'z');
    const isLow = lt(get(probability), c(0.5));
    const ratioAt = (centre: number, { above, below }: Rational): Code => [
      set(r, sub(get(r), c(centre))),
      div(polynomial(r, above), polynomial(r, below)),
    ];
    return [
      set(r, sqrt(neg(call(log, choose('f64', isLow, get(probability), sub(c(1), get(probability))))))),
      set(z, choose('f64', le(get(r), c(5)), ratioAt(1.6, TAIL), ratioAt(5, FAR_TAIL))),
      choose('f64', isLow, neg(get(z)), get(z)),
    ];
  });
}

function addInverseNormal(module: ModuleBuilder, tail: Func): Func {
  return pairwise(module, (probability, f) => {
    const { q, r, value } = f.locals('v128', 'q', 'r', 'value');
    const isCentral = pair.le(pair.abs(get(q)), pair.constant(0.425));
    const fix = (lane: number) =>
      when(
        gt(abs(f64x2.extract(get(q), lane)), c(0.425)),
        set(value, f64x2.replace(get(value), lane, call(tail, f64x2.extract(get(probability), lane)))),
      );
    return [
      set(q, pair.sub(get(probability), pair.constant(0.5))),
      set(r, pair.sub(pair.constant(0.180625), pair.mul(get(q), get(q)))),
      set(value, pair.mul(get(q), pair.div(pairPolynomial(r, CENTRE.above), pairPolynomial(r, CENTRE.below)))),
      when(i32.eqz(i64x2.allTrue(isCentral)), fix(0), fix(1)),
      get(value),
    ];
  });
}

/** Adds the functions to a module. `table` is where memory holds `angleTable()`. */
export function addElementary(module: ModuleBuilder, table: number): Elementary {
  const exp = addExp(module);
  const log = addLog(module);
  const arctan = addArctan(module);
  const reduceAngle = addReduceAngle(module, addReduceLargeAngle(module, table));
  return {
    exp,
    log,
    ...addTrigonometric(module, reduceAngle),
    arctan,
    arcsin: unary(module, (x) =>
      choose(
        'f64',
        lt(abs(get(x)), c(TINY)),
        get(x),
        call(arctan, div(get(x), sqrt(mul(sub(c(1), get(x)), add(c(1), get(x)))))),
      ),
    ),
    arccos: unary(module, (x) => mul(c(2), call(arctan, sqrt(div(sub(c(1), get(x)), add(c(1), get(x))))))),
    inverseNormal: addInverseNormal(module, addTailOfNormal(module, log)),
    sigmoid: pairwise(module, (x) =>
      pair.div(pair.constant(1), pair.add(pair.constant(1), call(exp, f64x2.neg(get(x))))),
    ),
  };
}
