// Values of a flow at random points. Two expressions that agree at several random points are the same function, however
// differently they are written: this replaces rewriting rules. Must not know programs or techniques.
import { elements, opById } from '../../ops/ops.js';
import { applyOp, type Elements } from '../../ops/semantics.js';
import type { Instruction } from '../../program/program.js';
import { deriveKey, RandomStream } from '../../util/random.js';
import { type Flow, type Memory, madeOf, type Value } from './flow.js';

/** Enough elements that nothing is parallel by chance. */
export const FEATURES = 4;
const PROBES = 6;
/** Points at which something is not a finite number say nothing; after so many, the program is given up. */
const TRIES = 40;
const SEED = 20_200_306;

/** The elements of every value at one point, by the value's number. */
export type Probe = readonly Elements[];

/** Numbers so small or large that they would drown in rounding are probed as others of the same sign. */
const TAME = { low: 0.01, high: 100 };

function tame(c: number): number {
  const size = Math.abs(c);
  return c === 0 ? 0 : Math.sign(c) * Math.min(TAME.high, Math.max(TAME.low, size));
}

function tameConstants(instruction: Instruction): Instruction {
  const op = opById(instruction.op);
  const { const1, const2 } = instruction;
  if (!op.random) return { ...instruction, const1: tame(const1) };
  // A spread that is not zero stays one.
  const spread = op.shape === 'fillRandom' && op.fn === 'uniform' ? const2 - const1 : const2;
  const low = Math.abs(const1) > TAME.high ? tame(const1) : const1;
  return { ...instruction, const1: low, const2: tame(spread) + (spread === const2 ? 0 : low) };
}

function softmax(a: Elements): Elements {
  const powers = a.map((x) => Math.exp(x - Math.max(...a)));
  const total = powers.reduce((x, y) => x + y);
  return powers.map((x) => x / total);
}

/** The prediction as a probability: of the label, or of each class. */
export function toProbability(prediction: Elements): Elements {
  return prediction.length > 1 ? softmax(prediction) : prediction.map((x) => 1 / (1 + Math.exp(-x)));
}

const NOTHING: Elements = new Float64Array(0);

function compute(value: Value, point: Probe, draws: RandomStream): Elements {
  const { kind, type, instruction, inputs } = value;
  if (kind === 'normalized') return toProbability(point[inputs[0]!.id]!);
  const op = opById(instruction!.op);
  const out: Elements = op.overwrites ? new Float64Array(elements(type, FEATURES)) : point[inputs[0]!.id]!.slice();
  const [a, b] = inputs.map(({ id }) => point[id]!);
  const key = op.random ? deriveKey(draws.integer(2 ** 31)) : deriveKey(0);
  const parameters = { ...tameConstants(instruction!), precision: 'f64', features: FEATURES, key } as const;
  applyOp(op, a ?? NOTHING, b ?? NOTHING, out, parameters);
  return out;
}

function isLeaf({ kind, phase }: Value): boolean {
  return kind === 'features' || kind === 'label' || kind === 'carried' || phase !== undefined;
}

export function isSame(a: Elements, b: Elements, tolerance = 1e-9): boolean {
  return a.every((x, k) => {
    const y = b[k]!;
    return Object.is(x, y) || Math.abs(x - y) <= tolerance * (Math.abs(x) + Math.abs(y));
  });
}

export function dot(a: Elements, b: Elements): number {
  return a.reduce((sum, x, k) => sum + x * b[k]!, 0);
}

export function minus(a: Elements, b: Elements): Elements {
  return a.map((x, k) => x - b[k]!);
}

/** The number c with a = c b, or nothing. */
export function ratio(a: Elements, b: Elements, tolerance = 1e-6): number | undefined {
  const [aa, bb, ab] = [dot(a, a), dot(b, b), dot(a, b)];
  if (!(aa > 0 && bb > 0 && Number.isFinite(aa) && Number.isFinite(bb))) return undefined;
  return Math.abs(ab) >= (1 - tolerance) * Math.sqrt(aa) * Math.sqrt(bb) ? ab / bb : undefined;
}

export class Probes {
  readonly flow: Flow;
  readonly points: readonly Probe[];
  /** Carried values that go on without features, labels and draws, such as counters and decaying rates. */
  readonly autonomous: ReadonlySet<Value>;
  private hasPrediction = false;
  private readonly random = new RandomStream(SEED);
  private readonly dependsOn: readonly ReadonlySet<Value>[];
  private readonly tracks = new Map<number, ReadonlyMap<Value, Elements>>();

  constructor(flow: Flow) {
    this.flow = flow;
    const first = this.draw(new Map());
    this.dependsOn = this.findDependencies(first);
    this.autonomous = this.findAutonomous();
    this.points = this.autonomous.size === 0 ? first : this.draw(this.autonomousAt(3));
  }

  /** Whether the prediction was a finite number at any point that was tried. */
  isDefined(): boolean {
    return this.hasPrediction;
  }

  /** Whether a value changes when a leaf does. */
  depends(value: Value, leaf: Value): boolean {
    return this.dependsOn[value.id]?.has(leaf) ?? false;
  }

  dependsOnAny(value: Value, test: (leaf: Value) => boolean): boolean {
    return [...(this.dependsOn[value.id] ?? [])].some(test);
  }

  /** The same point with some values replaced. */
  change(point: Probe, changes: ReadonlyMap<Value, Elements>): Probe {
    const changed = point.slice();
    const isChanged = new Set<Value>();
    for (const value of this.flow.values) {
      const replaced = changes.get(value);
      if (replaced !== undefined) changed[value.id] = replaced;
      else if (value.phase === undefined && value.inputs.some((input) => isChanged.has(input)))
        changed[value.id] = compute(value, changed, this.random);
      else continue;
      isChanged.add(value);
    }
    return changed;
  }

  /** The points with draws of zero, where noise hides nothing; those where something else becomes undefined are left out. */
  quietPoints(): Probe[] {
    const draws = this.flow.values.filter(({ phase }) => phase !== undefined && phase !== 'setup');
    if (draws.length === 0) return [];
    const quiet = new Map(draws.map((draw) => [draw, new Float64Array(elements(draw.type, FEATURES))]));
    return this.finite(this.points.map((point) => this.change(point, quiet)));
  }

  private finite(points: readonly Probe[]): Probe[] {
    const ends = [...this.flow.next.values(), this.flow.prediction];
    return points.filter((point) => ends.every(({ id }) => point[id]!.every(Number.isFinite)));
  }

  /**
   * What the points become when the next step begins, with another example: where state that every step writes anew has no random
   * values. What is in `empty` is zero there. Those where something is not a finite number are left out.
   */
  settledPoints(empty: readonly Value[]): Probe[] {
    const { flow } = this;
    const zero = (value: Value): [Value, Elements] => [value, new Float64Array(elements(value.type, FEATURES))];
    const points = this.points.map((point) => {
      const example = [flow.features, flow.label].map((leaf): [Value, Elements] => [leaf, this.resample(leaf)]);
      return this.change(this.advance(point), new Map([...example, ...empty.map(zero)]));
    });
    return this.finite(points);
  }

  /** The point when the next step begins. */
  advance(point: Probe): Probe {
    return this.change(point, this.carriedFrom(point));
  }

  private carriedFrom(point: Probe): Map<Value, Elements> {
    const { start, next } = this.flow;
    const carried = [...start].filter(([address, value]) => value.kind === 'carried' && value.address === address);
    return new Map(carried.map(([address, value]) => [value, point[next.get(address)!.id]!]));
  }

  /** Random elements for a leaf. */
  resample(value: Value, scale = 1): Elements {
    if (value.phase !== undefined) return compute(value, [], this.random);
    return Float64Array.from({ length: elements(value.type, FEATURES) }, () => scale * this.random.gaussian());
  }

  private sample(value: Value, known: ReadonlyMap<Value, Elements>, point: Probe, scale: number): Elements {
    const fixed = known.get(value);
    if (fixed !== undefined) return fixed;
    if (!isLeaf(value)) {
      return value.kind === 'zero'
        ? new Float64Array(elements(value.type, FEATURES))
        : compute(value, point, this.random);
    }
    const drawn = this.resample(value, scale);
    const isScalarState = value.kind === 'carried' && value.type === 's';
    const initial = isScalarState ? point[this.flow.initial.get(value.address)!.id] : undefined;
    // Rates and the like keep the sign that Setup gave them.
    return initial?.[0] ? drawn.map((x) => Math.abs(x) * Math.sign(initial[0]!)) : drawn;
  }

  private draw(known: ReadonlyMap<Value, Elements>): Probe[] {
    const { values, next, prediction, validation } = this.flow;
    const points: Probe[] = [];
    // Initial values first: signs are taken from them.
    const setup = new Set([...this.flow.initial.values()].flatMap((value) => [...madeOf(value)]));
    const order = [...values.filter((v) => setup.has(v)), ...values.filter((v) => !setup.has(v))];
    for (let k = 0; k < TRIES && points.length < PROBES; k++) {
      const point: Elements[] = [];
      for (const value of order) point[value.id] = this.sample(value, known, point, [1, 0.5, 0.2][k % 3]!);
      if (point[prediction.id]!.every(Number.isFinite)) this.hasPrediction = true;
      const shown = [...next.values(), prediction, validation];
      if (shown.every(({ id }) => point[id]!.every(Number.isFinite))) points.push(point);
    }
    return points;
  }

  private findDependencies(points: readonly Probe[]): ReadonlySet<Value>[] {
    const { values } = this.flow;
    const found: Set<Value>[] = [];
    for (const value of values) found[value.id] = new Set();
    for (const leaf of values.filter(isLeaf)) {
      for (const point of points) {
        const changed = this.change(point, new Map([[leaf, this.resample(leaf)]]));
        for (const value of values) {
          if (!isSame(point[value.id]!, changed[value.id]!, 1e-12)) found[value.id]!.add(leaf);
        }
      }
    }
    return found;
  }

  private findAutonomous(): Set<Value> {
    const { values, next } = this.flow;
    const found = new Set(values.filter(({ kind }) => kind === 'carried'));
    for (;;) {
      const stranger = [...found].find((value) =>
        this.dependsOnAny(next.get(value.address)!, (leaf) => leaf.phase !== 'setup' && !found.has(leaf)),
      );
      if (stranger === undefined) return found;
      found.delete(stranger);
    }
  }

  /** What the autonomous values hold when that many steps are over. */
  autonomousAt(steps: number): ReadonlyMap<Value, Elements> {
    const known = this.tracks.get(steps);
    if (known !== undefined) return known;
    const { values, initial, next } = this.flow;
    const targets = [...this.autonomous].flatMap(({ address }) => [next.get(address)!, initial.get(address)!]);
    const needed = new Set(targets.flatMap((value) => [...madeOf(value)]));
    const point: Elements[] = [];
    const carry = (memory: Memory) =>
      new Map([...this.autonomous].map((value) => [value, point[memory.get(value.address)!.id]!]));
    let held = new Map<Value, Elements>();
    for (let step = 0; step <= steps; step++) {
      for (const value of values) {
        // What Setup draws is drawn once.
        if (!needed.has(value) || (step > 0 && value.phase !== undefined)) continue;
        point[value.id] = this.sample(value, held, point, 0);
      }
      held = carry(step === 0 ? initial : next);
    }
    this.tracks.set(steps, held);
    return held;
  }
}
