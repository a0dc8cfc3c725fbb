// The functions that exported Python may need, as text: a class comes with those that it uses. Must not know programs.
import { CENTRE, FAR_TAIL, type Rational, TAIL } from '../../util/normal.js';

/** In lines of four; numpy.polyval wants the highest power first. */
const TERMS = (terms: readonly number[]) => {
  const reversed = [...terms].reverse();
  return `[
        ${reversed.slice(0, 4).join(', ')},
        ${reversed.slice(4).join(', ')},
    ]`;
};
const RATIONAL = ({ above, below }: Rational) => `(
    ${TERMS(above)},
    ${TERMS(below)},
)`;

/** In the order in which they are printed. */
export const PYTHON_FUNCTIONS = {
  std: {
    text: `
def std(values, axis=None):
    """The standard deviation as sqrt(E[x^2] - E[x]^2): NaN where rounding makes that negative."""
    return np.sqrt(np.mean(values * values, axis=axis) - np.mean(values, axis=axis) ** 2)
`,
  },
  sigmoid: {
    text: `
def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))
`,
  },
  softmax: {
    text: `
def softmax(values, classes):
    """Probabilities of the classes; zeros beyond them."""
    powers = np.exp(values[:classes] - np.max(values[:classes]))
    probabilities = np.zeros(len(values))
    probabilities[:classes] = powers / np.sum(powers)
    return probabilities
`,
  },
  most_likely: {
    text: `
def most_likely(values):
    """The place of the largest value, the first of equals. NaN is never larger."""
    best = 0
    for k, value in enumerate(values):
        if value > values[best]:
            best = k
    return best
`,
  },
  one_hot: {
    text: `
def one_hot(label, size):
    """1 at the class, 0 elsewhere."""
    vector = np.zeros(size)
    vector[label] = 1.0
    return vector
`,
  },
  mix: {
    text: `
GAMMA = np.uint64(0x9E3779B97F4A7C15)


def mix(z):
    """The last part of the generator SplitMix64, on an array of 64-bit words."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
`,
  },
  draw: {
    text: `
def draw(shape, path):
    """Numbers from 0 to below 1 that depend on nothing but the seed, the step, the number of the
    instruction (the path), and their place."""
    key = np.zeros(1, dtype=np.uint64)
    for word in path:
        key = mix((key ^ np.uint64(word)) + GAMMA)
    places = np.arange(1, np.prod(shape, dtype=int) + 1, dtype=np.uint64)
    words = mix(key + places * GAMMA) >> np.uint64(12)
    return (words.astype(float) * 2.0**-52).reshape(shape)[()]
`,
    needs: ['mix'],
  },
  uniform: {
    text: `
def uniform(low, high, shape, path):
    return low + (high - low) * draw(shape, path)
`,
    needs: ['draw'],
  },
  inverse_normal: {
    text: `
# Numerators and denominators of algorithm AS 241, from the highest power on.
CENTRE = ${RATIONAL(CENTRE)}
TAIL = ${RATIONAL(TAIL)}
FAR_TAIL = ${RATIONAL(FAR_TAIL)}


def ratio(x, rational):
    above, below = rational
    return np.polyval(above, x) / np.polyval(below, x)


def inverse_normal(p):
    """The inverse of the normal distribution function."""
    q = p - 0.5
    r = np.sqrt(-np.log(np.where(q < 0, p, 1 - p)))
    tail = np.where(r <= 5, ratio(r - 1.6, TAIL), ratio(r - 5, FAR_TAIL))
    centre = q * ratio(0.180625 - q * q, CENTRE)
    return np.where(np.abs(q) <= 0.425, centre, np.where(q < 0, -tail, tail))[()]
`,
  },
  gaussian: {
    text: `
def gaussian(mean, deviation, shape, path):
    return mean + deviation * inverse_normal(draw(shape, path) + 2.0**-53)
`,
    needs: ['draw', 'inverse_normal'],
  },
} as const satisfies Record<string, { readonly text: string; readonly needs?: readonly string[] }>;

export type PythonFunction = keyof typeof PYTHON_FUNCTIONS;

/** Names at the top of the file that are no functions of the table. */
export const PYTHON_CONSTANTS = ['GAMMA', 'CENTRE', 'TAIL', 'FAR_TAIL', 'MAX_ERROR', 'CLASSES', 'ratio', 'check_rows'];
