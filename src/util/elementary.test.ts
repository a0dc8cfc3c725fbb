import { describe, expect, it } from 'vitest';
import * as elementary from './elementary.js';
import { Hasher } from './hash.js';
import { RandomStream } from './random.js';

const f64 = new Float64Array(1);
const i64 = new BigInt64Array(f64.buffer);

/** How many representable numbers lie between two of the same sign. */
function unitsApart(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  f64[0] = a;
  const bitsOfA = i64[0]!;
  f64[0] = b;
  const distance = Number(bitsOfA - i64[0]!);
  return Math.sign(a) === Math.sign(b) ? Math.abs(distance) : Number.POSITIVE_INFINITY;
}

const random = new RandomStream(11);
const spread = (low: number, high: number, count = 20_000) =>
  Array.from({ length: count }, () => low + (high - low) * random.uniform());
/** Numbers of all sizes between two powers of two, of both signs. */
const sizes = (low: number, high: number) =>
  spread(low, high).map((e, k) => (k % 2 === 0 ? 1 : -1) * 2 ** e * (1 + random.uniform()));

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  -5e-324,
];
const EXTREME = [
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  2 ** -1022,
  1e-310,
  709.78,
  709.79,
  -708.5,
  -745.1,
  -745.2,
  1e22,
  2 ** 120,
];

/** Math's functions are within one unit of the exact value themselves. */
const FUNCTIONS = [
  { name: 'exp', ours: elementary.exp, theirs: Math.exp, inputs: [...spread(-745, 710), ...sizes(-40, 0)], units: 2 },
  {
    name: 'log',
    ours: elementary.log,
    theirs: Math.log,
    inputs: [...sizes(-1074, 1023).map(Math.abs), ...spread(0.5, 2)],
    units: 2,
  },
  {
    name: 'sin',
    ours: elementary.sin,
    theirs: Math.sin,
    inputs: [...spread(-10, 10), ...sizes(-40, 19), ...sizes(19, 1000)],
    units: 2,
  },
  {
    name: 'cos',
    ours: elementary.cos,
    theirs: Math.cos,
    inputs: [...spread(-10, 10), ...sizes(-40, 19), ...sizes(19, 1000)],
    units: 2,
  },
  {
    name: 'tan',
    ours: elementary.tan,
    theirs: Math.tan,
    inputs: [...spread(-10, 10), ...sizes(-40, 19), ...sizes(19, 1000)],
    units: 4,
  },
  {
    name: 'arcsin',
    ours: elementary.arcsin,
    theirs: Math.asin,
    inputs: [...spread(-1, 1), ...sizes(-60, -1)],
    units: 3,
  },
  {
    name: 'arccos',
    ours: elementary.arccos,
    theirs: Math.acos,
    inputs: [...spread(-1, 1), ...sizes(-60, -1)],
    units: 3,
  },
  {
    name: 'arctan',
    ours: elementary.arctan,
    theirs: Math.atan,
    inputs: [...spread(-3, 3), ...sizes(-60, 60)],
    units: 2,
  },
];

describe.each(FUNCTIONS)('$name', ({ ours, theirs, inputs, units }) => {
  it('is right to the last bits everywhere', () => {
    let worst = { x: 0, apart: 0 };
    for (const x of inputs) {
      const apart = unitsApart(ours(x), theirs(x));
      if (apart > worst.apart) worst = { x, apart };
    }
    expect(worst.apart, `at ${worst.x}`).toBeLessThanOrEqual(units);
  });

  it('is right at special and extreme numbers', () => {
    for (const x of [...SPECIAL, ...EXTREME]) {
      expect(unitsApart(ours(x), theirs(x)), `at ${x}: ${ours(x)} and ${theirs(x)}`).toBeLessThanOrEqual(units);
    }
  });
});

describe('angles', () => {
  it('next to multiples of a quarter turn keep all bits', () => {
    for (let k = 1; k < 3000; k++) {
      const x = (k * Math.PI) / 2;
      expect(unitsApart(elementary.sin(x), Math.sin(x)), `sin ${x}`).toBeLessThanOrEqual(2);
      expect(unitsApart(elementary.cos(x), Math.cos(x)), `cos ${x}`).toBeLessThanOrEqual(2);
    }
    // The double that is closest to a multiple of a quarter turn of all.
    const closest = 6381956970095103 * 2 ** 797;
    expect(elementary.cos(closest)).toBeCloseTo(-4.687165924254628e-19, 34);
  });
});

it('gives these bits on every machine', () => {
  // A change here is a change of what programs compute.
  const hashes = FUNCTIONS.map(({ name, ours }) => {
    const hasher = new Hasher();
    for (let k = -500; k <= 500; k++)
      hasher
        .number(ours(k * 0.03))
        .number(ours(k / 500))
        .number(ours(k ** 7));
    return [name, hasher.hex()];
  });
  expect(Object.fromEntries(hashes)).toEqual({
    arccos: '71e16957968446d6',
    arcsin: 'f8b6633fe0edd1e3',
    arctan: '4383b4b5a8a37248',
    cos: '7e0e283eee7f72b4',
    exp: 'ad0d24f60e45230d',
    log: '6edc0b33b0317458',
    sin: '557af73c4762aa6d',
    tan: 'b44ba14c63c5e047',
  });
});
