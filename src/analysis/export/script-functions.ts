// The functions that exported TypeScript and JavaScript may need, as text: a class comes with those that it uses. Between ⟦ and
// ⟧ stands what is TypeScript only. Must not know programs.
import { CENTRE, FAR_TAIL, type Rational, TAIL } from '../../util/normal.js';

/** Vectors and matrices, row after row, alike. */
const ELEMENTWISE = (name: string, operator: string) => `
function ${name}(a⟦: Float64Array⟧, b⟦: Float64Array⟧)⟦: Float64Array⟧ {
  return a.map((value, k) => value ${operator} b[k]⟦!⟧);
}
`;

const CHOICE = (name: string, choose: string, about: string) => `
/** ${about} */
function ${name}(a⟦: Float64Array⟧, b⟦: Float64Array⟧)⟦: Float64Array⟧ {
  return a.map((value, k) => (${choose}));
}
`;

const BY_ROWS = (name: string, fn: string) => `
function ${name}(m⟦: Float64Array⟧, size⟦: number⟧)⟦: Float64Array⟧ {
  return Float64Array.from({ length: size }, (_, i) => ${fn}(rowOf(m, i, size)));
}
`;

/** Coefficients in lines of four. */
const TERMS = (terms: readonly number[]) => `[
    ${terms.slice(0, 4).join(', ')},
    ${terms.slice(4).join(', ')},
  ]`;
const RATIONAL = ({ above, below }: Rational) => `[
  ${TERMS(above)},
  ${TERMS(below)},
]`;

interface SharedFunction {
  readonly text: string;
  readonly needs?: readonly string[];
}

const FIRST = 'where neither is DIFFERENT, or one is NaN, the first stays.';
const SECOND = 'where neither is DIFFERENT, or one is NaN, the second stays.';

/** In the order in which they are printed. */
export const SCRIPT_FUNCTIONS = {
  add: { text: ELEMENTWISE('add', '+') },
  subtract: { text: ELEMENTWISE('subtract', '-') },
  multiply: { text: ELEMENTWISE('multiply', '*') },
  divide: { text: ELEMENTWISE('divide', '/') },
  minimum: {
    text: CHOICE(
      'minimum',
      'b[k]⟦!⟧ < value ? b[k]⟦!⟧ : value',
      `The smaller of each two; ${FIRST.replace('DIFFERENT', 'smaller')}`,
    ),
  },
  maximum: {
    text: CHOICE(
      'maximum',
      'value < b[k]⟦!⟧ ? b[k]⟦!⟧ : value',
      `The larger of each two; ${FIRST.replace('DIFFERENT', 'larger')}`,
    ),
  },
  matrixMinimum: {
    text: CHOICE(
      'matrixMinimum',
      'value < b[k]⟦!⟧ ? value : b[k]⟦!⟧',
      `The smaller of each two; ${SECOND.replace('DIFFERENT', 'smaller')}`,
    ),
  },
  matrixMaximum: {
    text: CHOICE(
      'matrixMaximum',
      'value > b[k]⟦!⟧ ? value : b[k]⟦!⟧',
      `The larger of each two; ${SECOND.replace('DIFFERENT', 'larger')}`,
    ),
  },
  scale: {
    text: `
function scale(factor⟦: number⟧, values⟦: Float64Array⟧)⟦: Float64Array⟧ {
  return values.map((value) => factor * value);
}
`,
  },
  dot: {
    text: `
function dot(a⟦: Float64Array⟧, b⟦: Float64Array⟧)⟦: number⟧ {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += a[k]⟦!⟧ * b[k]⟦!⟧;
  return total;
}
`,
  },
  outer: {
    text: `
/** The matrix of all products: a is a column, b a row. */
function outer(a⟦: Float64Array⟧, b⟦: Float64Array⟧)⟦: Float64Array⟧ {
  const product = new Float64Array(a.length * b.length);
  a.forEach((value, i) => product.set(scale(value, b), i * b.length));
  return product;
}
`,
    needs: ['scale'],
  },
  rowOf: {
    text: `
/** Matrices are square, one row after the other. */
function rowOf(m⟦: Float64Array⟧, i⟦: number⟧, size⟦: number⟧)⟦: Float64Array⟧ {
  return m.subarray(i * size, (i + 1) * size);
}
`,
  },
  matrixVector: {
    text: `
function matrixVector(m⟦: Float64Array⟧, v⟦: Float64Array⟧)⟦: Float64Array⟧ {
  return v.map((_, i) => dot(rowOf(m, i, v.length), v));
}
`,
    needs: ['dot', 'rowOf'],
  },
  transpose: {
    text: `
function transpose(m⟦: Float64Array⟧, size⟦: number⟧)⟦: Float64Array⟧ {
  return m.map((_, k) => m[(k % size) * size + Math.floor(k / size)]⟦!⟧);
}
`,
  },
  matmul: {
    text: `
function matmul(a⟦: Float64Array⟧, b⟦: Float64Array⟧, size⟦: number⟧)⟦: Float64Array⟧ {
  const columns = transpose(b, size);
  return a.map((_, k) => dot(rowOf(a, Math.floor(k / size), size), rowOf(columns, k % size, size)));
}
`,
    needs: ['dot', 'rowOf', 'transpose'],
  },
  repeatColumn: {
    text: `
/** The matrix whose columns are all v. */
function repeatColumn(v⟦: Float64Array⟧)⟦: Float64Array⟧ {
  return Float64Array.from({ length: v.length ** 2 }, (_, k) => v[Math.floor(k / v.length)]⟦!⟧);
}
`,
  },
  repeatRow: {
    text: `
/** The matrix whose rows are all v. */
function repeatRow(v⟦: Float64Array⟧)⟦: Float64Array⟧ {
  return Float64Array.from({ length: v.length ** 2 }, (_, k) => v[k % v.length]⟦!⟧);
}
`,
  },
  norm: {
    text: `
function norm(values⟦: Float64Array⟧)⟦: number⟧ {
  return Math.sqrt(dot(values, values));
}
`,
    needs: ['dot'],
  },
  mean: {
    text: `
function mean(values⟦: Float64Array⟧)⟦: number⟧ {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
`,
  },
  std: {
    text: `
/** The standard deviation as √(E[x²] - E[x]²): NaN where rounding makes that negative. */
function std(values⟦: Float64Array⟧)⟦: number⟧ {
  return Math.sqrt(dot(values, values) / values.length - mean(values) * mean(values));
}
`,
    needs: ['dot', 'mean'],
  },
  rowNorms: { text: BY_ROWS('rowNorms', 'norm'), needs: ['norm', 'rowOf'] },
  columnNorms: {
    text: `
function columnNorms(m⟦: Float64Array⟧, size⟦: number⟧)⟦: Float64Array⟧ {
  return rowNorms(transpose(m, size), size);
}
`,
    needs: ['rowNorms', 'transpose'],
  },
  rowMeans: { text: BY_ROWS('rowMeans', 'mean'), needs: ['mean', 'rowOf'] },
  rowStds: { text: BY_ROWS('rowStds', 'std'), needs: ['std', 'rowOf'] },
  sigmoid: {
    text: `
function sigmoid(x⟦: number⟧)⟦: number⟧ {
  return 1 / (1 + Math.exp(-x));
}
`,
  },
  softmax: {
    text: `
/** Probabilities of the classes; zeros beyond them. */
function softmax(values⟦: Float64Array⟧)⟦: Float64Array⟧ {
  const largest = Math.max(...values.subarray(0, CLASSES));
  const powers = values.map((value, k) => (k < CLASSES ? Math.exp(value - largest) : 0));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
`,
  },
  mostLikely: {
    text: `
/** The class with the largest value, the first of equals. NaN is never larger. */
function mostLikely(values⟦: readonly number[]⟧)⟦: number⟧ {
  return values.reduce((best, value, k) => (value > values[best]⟦!⟧ ? k : best), 0);
}
`,
  },
  oneHot: {
    text: `
/** 1 at the class, 0 elsewhere. */
function oneHot(label⟦: number⟧, size⟦: number⟧)⟦: Float64Array⟧ {
  return new Float64Array(size).fill(1, label, label + 1);
}
`,
  },
  mix: {
    text: `
const GAMMA = 0x9e3779b97f4a7c15n;

/** The last part of the generator SplitMix64. */
function mix(bits⟦: bigint⟧)⟦: bigint⟧ {
  let z = BigInt.asUintN(64, bits);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}
`,
  },
  draw: {
    text: `
/** Numbers from 0 to below 1 that depend on nothing but seed, step, the number of the instruction, and their place. */
function draw(count⟦: number⟧, path⟦: readonly number[]⟧)⟦: Float64Array⟧ {
  const key = path.reduce((bits, word) => mix((bits ^ BigInt(word)) + GAMMA), 0n);
  return Float64Array.from({ length: count }, (_, k) => Number(mix(key + BigInt(k + 1) * GAMMA) >> 12n) * 2 ** -52);
}
`,
    needs: ['mix'],
  },
  uniform: {
    text: `
function uniform(low⟦: number⟧, high⟦: number⟧, count⟦: number⟧, path⟦: readonly number[]⟧)⟦: Float64Array⟧ {
  return draw(count, path).map((u) => low + (high - low) * u);
}
`,
    needs: ['draw'],
  },
  inverseNormal: {
    text: `
// Numerators and denominators of algorithm AS 241, from the constant term on.
const CENTRE = ${RATIONAL(CENTRE)};
const TAIL = ${RATIONAL(TAIL)};
const FAR_TAIL = ${RATIONAL(FAR_TAIL)};

function ratio(x⟦: number⟧, rational⟦: readonly (readonly number[])[]⟧)⟦: number⟧ {
  const [above, below] = rational.map((terms) => terms.reduceRight((y, term) => y * x + term, 0));
  return above⟦!⟧ / below⟦!⟧;
}

/** The inverse of the normal distribution function. */
function inverseNormal(p⟦: number⟧)⟦: number⟧ {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(0.180625 - q * q, CENTRE);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const z = r <= 5 ? ratio(r - 1.6, TAIL) : ratio(r - 5, FAR_TAIL);
  return q < 0 ? -z : z;
}
`,
  },
  gaussian: {
    text: `
function gaussian(mu⟦: number⟧, sigma⟦: number⟧, count⟦: number⟧, path⟦: readonly number[]⟧)⟦: Float64Array⟧ {
  return draw(count, path).map((u) => mu + sigma * inverseNormal(u + 2 ** -53));
}
`,
    needs: ['draw', 'inverseNormal'],
  },
} as const satisfies Record<string, SharedFunction>;

export type ScriptFunction = keyof typeof SCRIPT_FUNCTIONS;

/** Names at the top of the file that are no functions of the table. */
export const SCRIPT_CONSTANTS = [
  'GAMMA',
  'CENTRE',
  'TAIL',
  'FAR_TAIL',
  'MAX_ERROR',
  'CLASSES',
  'ratio',
  'checkLabels',
  'readRows',
  'Rows',
];
