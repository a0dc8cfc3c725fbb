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

/** As many as the original was measured beside: fewer would be compiled otherwise. */
const UNITS = 20_000;

function nanoseconds(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) * 1e6;
}

let best = Number.POSITIVE_INFINITY;
let used = 0;

/**
 * The time of one unit of the yardstick, once. New arrays each time: of arrays that it knows the compiler makes code that is
 * twice as fast, sooner or later, and then this would measure the compiler.
 */
export function measureYardstick(): number {
  const matrix = Float64Array.from({ length: F * F }, (_, k) => Math.sin(k + 1));
  const vector = Float64Array.from({ length: F }, (_, k) => Math.cos(k + 1));
  const product = new Float64Array(F);
  const start = performance.now();
  used += yardstickWork(UNITS, matrix, vector, product);
  const ns = ((performance.now() - start) * 1e6) / UNITS;
  if (!Number.isFinite(used)) throw new Error('the yardstick computed nonsense');
  best = Math.min(best, ns);
  return ns;
}

/** The best time of a unit of the yardstick so far. */
export function bestYardstick(): number {
  return best;
}

export interface Timing {
  /** The best time of the work, in nanoseconds. */
  readonly ns: number;
  /** The best time of a unit of the yardstick meanwhile, in nanoseconds. */
  readonly yardstick: number;
}

/** Enough for a thousand calls of what takes longest to warm up: short work. */
const WARM_UP_MS = 150;

interface TimingOptions {
  readonly rounds?: number;
  /** Goes on until at least this much time has passed. */
  readonly milliseconds?: number;
}

/** Times several pieces of work that take between a microsecond and a second, in turns. */
export function timeAll(
  works: readonly (() => void)[],
  { rounds = 12, milliseconds = 300 }: TimingOptions = {},
): Timing[] {
  // Until the compiler has made what it can of it. Then short work is repeated until a round takes about a millisecond.
  const repeats = works.map((work) => {
    const end = performance.now() + WARM_UP_MS;
    let ns = Number.POSITIVE_INFINITY;
    while (performance.now() < end) ns = Math.min(ns, nanoseconds(work));
    return Math.max(1, Math.ceil(1e6 / Math.max(1, ns)));
  });
  const times = works.map(() => Number.POSITIVE_INFINITY);
  let yardstick = Number.POSITIVE_INFINITY;
  const end = performance.now() + milliseconds * works.length;
  for (let round = 0; round < rounds || performance.now() < end; round++) {
    yardstick = Math.min(yardstick, measureYardstick());
    for (const [k, work] of works.entries()) {
      const total = nanoseconds(() => {
        for (let n = 0; n < repeats[k]!; n++) work();
      });
      times[k] = Math.min(times[k]!, total / repeats[k]!);
    }
  }
  return times.map((ns) => ({ ns, yardstick }));
}

export function time(work: () => void, options: TimingOptions = {}): Timing {
  return timeAll([work], options)[0]!;
}

/** Processor time of this process, in seconds; only Node can tell. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
