// exp, log and the trigonometric functions with the same bits on every machine: only +, -, *, / and sqrt, which IEEE 754
// rounds one way, in a fixed order. Math.sin and its kin may differ in the last bit between engines and versions, and a
// search that ran in Chromium would not be the one that ran in Node. Accurate to a few units in the last place.
// The WebAssembly engine repeats these steps with the same constants, which is why they are exported
// (engine/wasm/elementary.ts). Knows nothing of programs. docs/decisions/0004-elementary-functions.md says more.

// The bits of a number: i32[1] holds sign, exponent and upper mantissa (all machines with JavaScript are little-endian).
const f64 = new Float64Array(1);
const i32 = new Int32Array(f64.buffer);

/** 2^k for a normal result, -1022 to 1023. */
function powerOfTwo(k: number): number {
  i32[1] = (k + 1023) << 20;
  i32[0] = 0;
  return f64[0]!;
}

/** Adding and subtracting this rounds to the nearest integer, ties to even. */
export const ROUNDER = 1.5 * 2 ** 52;

function nearestInteger(x: number): number {
  return x + ROUNDER - ROUNDER;
}

/** c[0] + c[1] x + c[2] x^2 + ... */
export function polynomial(x: number, c: readonly number[]): number {
  let y = 0;
  for (let k = c.length - 1; k >= 0; k--) y = y * x + c[k]!;
  return y;
}

/** The first coefficients of a power series. */
function series(count: number, coefficient: (k: number) => number): readonly number[] {
  return Array.from({ length: count }, (_, k) => coefficient(k));
}

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1);
}

// --- exp and log -------------------------------------------------------------------------------------------------------

// ln 2 in two parts; the last bits of the first are zero, so that its product with an exponent is exact.
export const LN2_HIGH = 0.6931471803691238;
export const LN2_LOW = 1.9082149292705877e-10;

/** (e^r - 1 - r) / r^2 */
export const EXP_SERIES = series(13, (k) => 1 / factorial(k + 2));

/** Where e^x becomes infinite, and where it becomes zero. */
export const EXP_MAX = 709.782712893384;
export const EXP_MIN = -745.1332191019412;

export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > EXP_MAX) return Number.POSITIVE_INFINITY;
  if (x < EXP_MIN) return 0;
  const n = nearestInteger(x * Math.LOG2E);
  const r = x - n * LN2_HIGH - n * LN2_LOW;
  const y = 1 + (r + r * r * polynomial(r, EXP_SERIES));
  // In two steps, because 2^n alone may be too large or too small for a number that is not.
  const half = nearestInteger(n / 2);
  return y * powerOfTwo(half) * powerOfTwo(n - half);
}

/** atanh(s) / s - 1 over s^2 */
export const ATANH_SERIES = series(11, (k) => 1 / (2 * k + 3));
export const SUBNORMAL_SCALE = 2 ** 54;

export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  const isSubnormal = x < 2 ** -1022;
  f64[0] = isSubnormal ? x * SUBNORMAL_SCALE : x;
  // x = m 2^n with m between the roots of 1/2 and 2.
  let n = (i32[1]! >>> 20) - 1022 - (isSubnormal ? 54 : 0);
  i32[1] = (i32[1]! & 0x000fffff) | 0x3fe00000;
  let m = f64[0]!;
  if (m < Math.SQRT1_2) {
    m *= 2;
    n -= 1;
  }
  // ln m = 2 atanh(s), and |s| < 0.172
  const s = (m - 1) / (m + 1);
  const s2 = s * s;
  return n * LN2_HIGH + (2 * s + (2 * s * (s2 * polynomial(s2, ATANH_SERIES)) + n * LN2_LOW));
}

// --- sin, cos and tan --------------------------------------------------------------------------------------------------

// pi/2 in four parts. The first three have 33 bits, so that their products with a number of up to 20 bits are exact.
export const HALF_PI_1 = 1.5707963267341256;
export const HALF_PI_2 = 6.077100506303966e-11;
export const HALF_PI_3 = 2.0222662487111665e-21;
export const HALF_PI_4 = 8.4784276603689e-32;
export const MAX_QUARTERS = 2 ** 20;
/** What the number pi/2 lacks to its exact value. */
export const HALF_PI_TAIL = 6.123233995736766e-17;

/** An angle as a number of quarter turns and a rest of at most an eighth turn, the rest as a sum of two numbers. */
interface Angle {
  readonly quarters: number;
  readonly rest: number;
  readonly tail: number;
}

function reduceAngle(x: number): Angle {
  const n = nearestInteger(x * (2 / Math.PI));
  if (Math.abs(n) > MAX_QUARTERS) return reduceLargeAngle(x);
  const a = x - n * HALF_PI_1;
  const p2 = n * HALF_PI_2;
  const b = a - p2;
  const p3 = n * HALF_PI_3;
  const c = b - p3;
  // What the two subtractions lost, exactly, and the last part of pi/2.
  const lost = a - b - p2 + (b - c - p3) - n * HALF_PI_4;
  const rest = c + lost;
  return { quarters: n & 3, rest, tail: c - rest + lost };
}

// Larger angles: 2/pi in digits of 24 bits, of which only those that matter for an exponent are multiplied. Products of digits
// and their sums stay below 2^53, so everything before the last step is exact.
export const DIGIT = 2 ** 24;
export const DIGIT_BITS = 24;
/** Enough for the largest exponent, 971, and the fraction of a quarter turn behind it. */
const TWO_OVER_PI_DIGITS = 52;
/** Digits of the fraction. No double comes closer than 2^-62 to a whole number of quarter turns. */
export const FRACTION_DIGITS = 6;

/** The digits of 2/pi behind the point, from Machin's formula for pi in integers. */
export function digitsOfTwoOverPi(): Float64Array {
  const precision = BigInt(DIGIT_BITS * (TWO_OVER_PI_DIGITS + 4));
  const arctanOfInverse = (n: bigint): bigint => {
    let [total, power] = [0n, (1n << precision) / n];
    for (let k = 1n; power !== 0n; k += 2n, power = -power / (n * n)) total += power / k;
    return total;
  };
  const quarterPi = 4n * arctanOfInverse(5n) - arctanOfInverse(239n);
  const twoOverPi = (1n << (2n * precision - 1n)) / quarterPi;
  const digit = (k: number) => Number((twoOverPi >> (precision - BigInt(DIGIT_BITS * (k + 1)))) & BigInt(DIGIT - 1));
  return Float64Array.from({ length: TWO_OVER_PI_DIGITS }, (_, k) => digit(k));
}

let twoOverPi: Float64Array | undefined;

function reduceLargeAngle(x: number): Angle {
  if (!Number.isFinite(x)) return { quarters: 0, rest: Number.NaN, tail: 0 };
  twoOverPi ??= digitsOfTwoOverPi();
  // |x| = m 2^(24 q) with m a whole number of up to 77 bits, in four digits.
  f64[0] = x;
  const exponent = ((i32[1]! >>> 20) & 0x7ff) - 1075;
  const q = Math.floor(exponent / DIGIT_BITS);
  let m = Math.abs(x) * powerOfTwo(-DIGIT_BITS * q);
  const digits: number[] = [];
  for (let k = 0; k < 4; k++) {
    const above = Math.floor(m / DIGIT);
    digits.push(m - above * DIGIT);
    m = above;
  }
  // The product with 2/pi from behind the last digit of the fraction up to the digit of units; multiples of 2^24 are whole turns.
  const product: number[] = [];
  let carry = 0;
  for (let place = FRACTION_DIGITS + 1; place >= 0; place--) {
    let total = carry;
    for (let k = 0; k < 4; k++) total += digits[k]! * (twoOverPi[q + k + place - 1] ?? 0);
    carry = Math.floor(total / DIGIT);
    product[place] = total - carry * DIGIT;
  }
  const [units, p1, p2, p3, p4, p5, p6] = product as [number, number, number, number, number, number, number];
  const up = p1 >= DIGIT / 2 ? 1 : 0;
  const head = (p1 - up * DIGIT) * 2 ** -24 + p2 * 2 ** -48;
  const middle = p3 * 2 ** -72 + p4 * 2 ** -96;
  const fraction = head + middle;
  const lost = head - fraction + middle + (p5 * 2 ** -120 + p6 * 2 ** -144);
  const sign = x < 0 ? -1 : 1;
  const rest = sign * fraction * (Math.PI / 2);
  const tail = sign * (fraction * HALF_PI_TAIL + lost * (Math.PI / 2));
  return { quarters: (sign * (units + up)) & 3, rest, tail };
}

/** (sin r - r) / r^3 and (cos r - 1 + r^2 / 2) / r^4 */
export const SIN_SERIES = series(9, (k) => (k % 2 === 0 ? -1 : 1) / factorial(2 * k + 3));
export const COS_SERIES = series(8, (k) => (k % 2 === 0 ? 1 : -1) / factorial(2 * k + 4));

function sinOfRest({ rest: r, tail }: Angle): number {
  const r2 = r * r;
  return r + (r * (r2 * polynomial(r2, SIN_SERIES)) + tail * (1 - r2 / 2));
}

function cosOfRest({ rest: r, tail }: Angle): number {
  const r2 = r * r;
  const head = 1 - r2 / 2;
  return head + (1 - head - r2 / 2 + (r2 * r2 * polynomial(r2, COS_SERIES) - r * tail));
}

/** Below this, sin x, tan x and arctan x are x. */
export const TINY = 2 ** -27;

export function sin(x: number): number {
  if (Math.abs(x) < TINY) return x;
  const angle = reduceAngle(x);
  const value = angle.quarters % 2 === 0 ? sinOfRest(angle) : cosOfRest(angle);
  return angle.quarters >= 2 ? -value : value;
}

export function cos(x: number): number {
  const angle = reduceAngle(x);
  const value = angle.quarters % 2 === 0 ? cosOfRest(angle) : sinOfRest(angle);
  return angle.quarters === 1 || angle.quarters === 2 ? -value : value;
}

export function tan(x: number): number {
  if (Math.abs(x) < TINY) return x;
  const angle = reduceAngle(x);
  const [s, c] = [sinOfRest(angle), cosOfRest(angle)];
  return angle.quarters % 2 === 0 ? s / c : -c / s;
}

// --- arcsin, arccos and arctan -----------------------------------------------------------------------------------------

export const TAN_EIGHTH = Math.SQRT2 - 1;
export const ARCTAN_SERIES = series(22, (k) => (k % 2 === 0 ? -1 : 1) / (2 * k + 3));
export const QUARTER_PI_TAIL = HALF_PI_TAIL / 2;

export function arctan(x: number): number {
  const a = Math.abs(x);
  if (!(a >= TINY)) return x;
  // arctan a = pi/2 - arctan(1/a), and arctan t = pi/4 + arctan((t - 1) / (t + 1))
  const isSteep = a > 1;
  const t = isSteep ? 1 / a : a;
  const isMiddle = t > TAN_EIGHTH;
  const u = isMiddle ? (isSteep ? (1 - a) / (1 + a) : (a - 1) / (a + 1)) : t;
  const u2 = u * u;
  const correction = u * (u2 * polynomial(u2, ARCTAN_SERIES));
  const flat = isMiddle ? Math.PI / 4 + (u + (correction + QUARTER_PI_TAIL)) : u + correction;
  const value = isSteep ? Math.PI / 2 - (flat - HALF_PI_TAIL) : flat;
  return x < 0 ? -value : value;
}

export function arcsin(x: number): number {
  return Math.abs(x) < TINY ? x : arctan(x / Math.sqrt((1 - x) * (1 + x)));
}

export function arccos(x: number): number {
  return 2 * arctan(Math.sqrt((1 - x) / (1 + x)));
}
