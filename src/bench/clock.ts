// Timing on machines that are never quiet: the work and the yardstick take turns, and the best round of each counts. The
// yardstick tells how fast the machine is at that moment, so that figures of other machines can be compared with.

const F = 16;

/** Work that every machine can do: so many units of a 16 x 16 matrix-vector product, a rectifier, a dot product, an exponential. */
function yardstickWork(units: number, m: Float64Array, x: Float64Array, y: Float64Array): number {
  let last = 0;
  for (let unit = 0; unit < units; unit++) {
    for (let i = 0; i < F; i++) {
      let total = 0;
      for (let j = 0; j < F; j++) total += m[i * F + j]! * x[j]!;
      y[i] = total > 0 ? total : 0;
    }
    let dot = 0;
    for (let i = 0; i < F; i++) dot += y[i]! * x[i]!;
    last = Math.exp(-Math.abs(dot + last * 1e-9));
    x[unit % F]! += last * 1e-12;
  }
  return last;
}

const MATRIX = Float64Array.from({ length: F * F }, (_, k) => Math.sin(k + 1));
const VECTOR = Float64Array.from({ length: F }, (_, k) => Math.cos(k + 1));
const PRODUCT = new Float64Array(F);
const UNITS = 5000;

function nanoseconds(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) * 1e6;
}

/** The time of one unit of the yardstick, once. */
function yardstickOnce(): number {
  return nanoseconds(() => void yardstickWork(UNITS, MATRIX, VECTOR, PRODUCT)) / UNITS;
}

export interface Timing {
  /** The best time of the work, in nanoseconds. */
  readonly ns: number;
  /** The best time of a unit of the yardstick meanwhile, in nanoseconds. */
  readonly yardstick: number;
}

export interface TimingOptions {
  readonly rounds?: number;
  /** Goes on until at least this much time has passed. */
  readonly milliseconds?: number;
}

/** Times work that takes between a microsecond and a second. */
export function time(work: () => void, { rounds = 12, milliseconds = 300 }: TimingOptions = {}): Timing {
  for (let k = 0; k < 3; k++) work();
  // Short work is repeated until a round takes about a millisecond.
  const repeats = Math.max(1, Math.ceil(1e6 / Math.max(1, nanoseconds(work))));
  let [ns, yardstick] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const end = performance.now() + milliseconds;
  for (let round = 0; round < rounds || performance.now() < end; round++) {
    yardstick = Math.min(yardstick, yardstickOnce());
    const total = nanoseconds(() => {
      for (let k = 0; k < repeats; k++) work();
    });
    ns = Math.min(ns, total / repeats);
  }
  return { ns, yardstick };
}
