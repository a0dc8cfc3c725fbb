// The inverse of the normal distribution function, and the logarithm that its tails need. Only +, -, *, / and sqrt, which
// IEEE 754 rounds the same way everywhere: Math.log differs between machines in the last bit, and a Gaussian draw must not.
// Algorithm AS 241 (Wichura 1988), accurate to about 1e-16.

const SQRT_HALF = Math.SQRT1_2;
const LN2_HIGH = 6.93147180369123816490e-1; // ln 2 with the last 21 bits zero, so that exponent * LN2_HIGH is exact
const LN2_LOW = 1.90821492927058770002e-10;

const bits = new DataView(new ArrayBuffer(8));

/** Natural logarithm of a positive normal number. */
export function naturalLog(x: number): number {
  bits.setFloat64(0, x);
  let exponent = (bits.getUint32(0) >>> 20) - 1022;
  bits.setUint32(0, (bits.getUint32(0) & 0x000fffff) | 0x3fe00000); // mantissa in [0.5, 1)
  let m = bits.getFloat64(0);
  if (m < SQRT_HALF) {
    m *= 2;
    exponent -= 1;
  }
  // ln m = 2 atanh(s) by its power series; |s| < 0.172, so 12 terms reach the last bit.
  const s = (m - 1) / (m + 1);
  const s2 = s * s;
  let series = 0;
  for (let k = 23; k >= 3; k -= 2) series = (series + 1 / k) * s2;
  return exponent * LN2_HIGH + (2 * s + (2 * s * series + exponent * LN2_LOW));
}

/** c[0] + c[1] x + c[2] x^2 + ... */
function polynomial(x: number, c: readonly number[]): number {
  let y = 0;
  for (let k = c.length - 1; k >= 0; k--) y = y * x + c[k]!;
  return y;
}

interface Rational {
  readonly above: readonly number[];
  readonly below: readonly number[];
}

const CENTRE: Rational = {
  above: [
    3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125, 45921.953931549871457,
    67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
  ],
  below: [
    1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867, 39307.89580009271061,
    28729.085735721942674, 5226.495278852854561,
  ],
};
const TAIL: Rational = {
  above: [
    1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
    1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4,
  ],
  below: [
    1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,
    0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9,
  ],
};
const FAR_TAIL: Rational = {
  above: [
    6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
    0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
  ],
  below: [
    1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525, 7.868691311456132591e-4,
    1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15,
  ],
};

function ratio(x: number, r: Rational): number {
  return polynomial(x, r.above) / polynomial(x, r.below);
}

/** The z with P(Z < z) = p, for 0 < p < 1. */
export function inverseNormal(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(0.180625 - q * q, CENTRE);
  const r = Math.sqrt(-naturalLog(q < 0 ? p : 1 - p));
  const z = r <= 5 ? ratio(r - 1.6, TAIL) : ratio(r - 5, FAR_TAIL);
  return q < 0 ? -z : z;
}
