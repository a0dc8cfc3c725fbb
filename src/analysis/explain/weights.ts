// The weights of a program and how a step changes them, found at random points: which state enters the prediction, what the
// label does to it, and whether that is along the gradient of the prediction. Must not know techniques or words.

import { opById } from '../../ops/ops.js';
import type { Elements } from '../../ops/semantics.js';
import { type Flow, madeOf, type Value } from './flow.js';
import { dot, isSame, minus, type Probe, type Probes, ratio, toProbability } from './probes.js';

/** Errors small enough that everything is linear in them, and large enough to be seen. */
const SMALL = 1e-5;
const GRADIENT_STEP = 1e-5;
const MIN_POINTS = 3;
/** Weights that a step multiplies by more or less than this are no memory of what was learned. */
const KEPT = { low: 0.1, high: 1.5 };

/** A program at random points. `flow.prediction` is what the label is compared with. */
export interface Context {
  readonly flow: Flow;
  readonly probes: Probes;
}

/** What the label is compared with: where the update vanishes. */
export type Target = `${'' | 'scaled ' | 'shifted '}${'prediction' | 'probability'}`;

/** How one step changes weights at one point, for labels close to the target. */
export interface Step {
  readonly point: Probe;
  /** The label at which the weights stay, and the direction in which labels were moved away from it. */
  readonly target: Elements;
  readonly direction: Elements;
  /** The change of the weights for an error of one. */
  readonly change: Elements;
  /** The gradient of the prediction, along the direction. */
  readonly gradient: Elements;
  /** change = factor * gradient, if the two are parallel. */
  readonly factor: number | undefined;
  /** Without an error, the weights are multiplied by this. */
  readonly decay: number;
}

export interface Weights {
  /** What the prediction uses. */
  readonly used: Value;
  /** Whether the prediction uses it as it is, not only as a part of some larger `used`. */
  readonly isWhole: boolean;
  /** The same without scalar factors; the update is seen here. */
  readonly core: Value;
  /** The state behind it. */
  readonly states: readonly Value[];
  /** Empty if no target was found. */
  readonly steps: readonly Step[];
  readonly target: Target | undefined;
  /** The label at which the weights stay. */
  readonly targetAt: (point: Probe) => Elements;
  /** What a step leaves to the next one, where the weights change a step late. */
  readonly delayed: readonly Value[];
  /** Whether every step follows the gradient, towards the label. */
  readonly followsGradient: boolean;
}

function isStateOnly(value: Value): boolean {
  return [...madeOf(value)].every(
    ({ kind, phase }) =>
      kind !== 'features' && kind !== 'label' && kind !== 'normalized' && (phase === undefined || phase === 'setup'),
  );
}

/** The largest parts of a value that only state goes into (true), and the state behind those (false). */
function findUsed(prediction: Value, probes: Probes): Map<Value, boolean> {
  const found = new Map<Value, boolean>();
  const visited = new Set<Value>();
  const isState = (value: Value) =>
    isStateOnly(value) && probes.dependsOnAny(value, (leaf) => leaf.kind === 'carried' && !probes.autonomous.has(leaf));
  const visit = (value: Value) => {
    if (visited.has(value)) return;
    visited.add(value);
    if (isState(value)) {
      found.set(value, true);
      for (const part of madeOf(value)) {
        if (part.kind === 'carried' && part !== value && isState(part) && !found.has(part)) found.set(part, false);
      }
    } else value.inputs.forEach(visit);
  };
  visit(prediction);
  return found;
}

/** Without scalar factors. */
function coreOf(value: Value): Value {
  const isScaled = value.instruction !== undefined && opById(value.instruction.op).shape === 'scale';
  return isScaled ? coreOf(value.inputs[1]!) : value;
}

/** The gradient of the prediction, along a direction of labels, by one value. */
export function gradientOf(used: Value, direction: Elements, point: Probe, { probes, flow }: Context): Elements {
  const here = point[used.id]!;
  return here.map((x, k) => {
    const [up, down] = [1, -1].map((sign) => {
      const moved = here.slice();
      moved[k] = x + sign * GRADIENT_STEP;
      const value = probes.change(point, new Map([[used, moved]]))[flow.prediction.id]!;
      return dot(value, direction);
    });
    return (up! - down!) / (2 * GRADIENT_STEP);
  });
}

type Learning = Pick<Weights, 'core' | 'delayed' | 'targetAt'>;

/** The weights after a step with this label; what it leaves to the next one has its effect there, with another example and no error. */
export function learnFrom(label: Elements, weights: Learning, point: Probe, { flow, probes }: Context): Elements {
  const { core, delayed, targetAt } = weights;
  const after = probes.advance(probes.change(point, new Map([[flow.label, label]])));
  if (delayed.length === 0) return after[core.id]!;
  const other = point[flow.features.id]!.map((_, k, all) => all[(k + 1) % all.length]!);
  const next = probes.change(after, new Map([[flow.features, other]]));
  return probes.advance(probes.change(next, new Map([[flow.label, targetAt(next)]])))[core.id]!;
}

/** Carried values that hold nothing after a step without an error: what the step before has left to be learned. */
function findDelayed(targetAt: (point: Probe) => Elements, { flow, probes }: Context): Value[] {
  const quiet = probes.points.map((point) => probes.change(point, new Map([[flow.label, targetAt(point)]])));
  return flow.values.filter(({ kind, address }) => {
    if (kind !== 'carried') return false;
    const next = flow.next.get(address)!;
    return probes.depends(next, flow.label) && quiet.every((point) => point[next.id]!.every((x) => x === 0));
  });
}

function moved(target: Elements, direction: Elements, by: number): Elements {
  return target.map((x, k) => x + by * direction[k]!);
}

/** How a step changes the weights if the label is close to a target; nothing if they do not stay there. */
export function findStep(
  weights: Learning & Pick<Weights, 'used'>,
  point: Probe,
  target: Elements,
  context: Context,
  direction = target.length === 1 ? Float64Array.of(1) : context.probes.resample(context.flow.label),
): Step | undefined {
  const { used, core } = weights;
  const [up, down] = [1, -1].map((sign) => learnFrom(moved(target, direction, sign * SMALL), weights, point, context));
  const change = minus(up!, down!).map((x) => x / (2 * SMALL));
  const middle = up!.map((x, k) => (x + down![k]!) / 2);
  const here = point[core.id]!;
  const decay = isSame(middle, here, 1e-6) ? 1 : ratio(middle, here);
  if (decay === undefined || !change.every(Number.isFinite)) return undefined;
  const gradient = gradientOf(used, direction, point, context);
  const isSeen = Math.sqrt(dot(change, change)) > 1e-9;
  const scale = ratio(point[used.id]!, here) ?? 1;
  const factor = isSeen ? ratio(change, gradient) : undefined;
  return {
    point,
    target,
    direction,
    change,
    gradient,
    decay,
    factor: factor === undefined ? undefined : factor * Math.sign(scale),
  };
}

/**
 * The label at which the weights stay, if errors are differences of the label and that; NaN if they do not stay at any, and nothing
 * if they do at all, as where a ReLU is not active.
 */
function labelToStay(weights: Learning, point: Probe, target: Elements, context: Context): number | undefined {
  if (target.length > 1) return Number.NaN;
  const { core } = weights;
  const [low, high] = [-1, 1].map((sign) => learnFrom(Float64Array.of(target[0]! + sign), weights, point, context));
  const slope = minus(high!, low!).map((x) => x / 2);
  const middle = high!.map((x, k) => (x + low![k]!) / 2);
  const shift = minus(middle, point[core.id]!);
  if ([slope, shift].every((change) => change.every((x) => x === 0))) return undefined;
  return target[0]! - (ratio(shift, slope) ?? Number.NaN);
}

const TARGETS: readonly {
  readonly target: 'prediction' | 'probability';
  readonly of: (prediction: Elements) => Elements;
}[] = [
  { target: 'prediction', of: (prediction) => prediction },
  { target: 'probability', of: toProbability },
];

const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * (Math.abs(a) + Math.abs(b));

/** Whether the same numbers come up at every point. */
export function isConstant(numbers: readonly number[]): boolean {
  return numbers.every((x) => isClose(x, numbers[0]!));
}

type Found = Pick<Weights, 'steps' | 'target' | 'targetAt' | 'delayed'>;

const NOT_FOUND: Found = { steps: [], target: undefined, targetAt: () => new Float64Array(), delayed: [] };

/** Where it is looked for steps: at any points, or where the last steps have come to, without an error in the last one. */
type Where = readonly Probe[] | 'settled';

function findSteps({ used, core }: Pick<Weights, 'used' | 'core'>, where: Where, context: Context): Found {
  const { flow, probes } = context;
  for (const { target, of } of TARGETS) {
    const at =
      (scale: number, shift = 0) =>
      (point: Probe) =>
        of(point[flow.prediction.id]!).map((x) => scale * x + shift);
    const delayed = where === 'settled' ? findDelayed(at(1), context) : [];
    const points = where === 'settled' ? probes.settledPoints(delayed) : where;
    if (points.length < MIN_POINTS) continue;
    const attempt = (targetAt: (point: Probe) => Elements) => {
      const weights = { used, core, delayed, targetAt };
      const steps = points.map((point) => findStep(weights, point, targetAt(point), context));
      const found = steps.filter((step) => step !== undefined);
      const isFound = found.length === steps.length && isConstant(found.map(({ decay }) => decay));
      const isMoved = found.some(({ change }) => dot(change, change) > 1e-18);
      const isKept = found.length > 0 && found[0]!.decay > KEPT.low && found[0]!.decay < KEPT.high;
      return isFound && isMoved && isKept ? found : undefined;
    };
    const steps = attempt(at(1));
    if (steps !== undefined) return { steps, target, targetAt: at(1), delayed };
    if (where === 'settled') continue;
    const weights = { core, delayed, targetAt: at(1) };
    const staying = points.flatMap((point) => {
      const [here] = at(1)(point);
      const label = labelToStay(weights, point, at(1)(point), context);
      return label === undefined ? [] : [{ scale: label / here!, shift: label - here! }];
    });
    if (staying.length < MIN_POINTS) continue;
    const others = [
      { name: 'scaled', numbers: staying.map(({ scale }) => scale), of: (x: number) => at(x) },
      { name: 'shifted', numbers: staying.map(({ shift }) => shift), of: (x: number) => at(1, x) },
    ] as const;
    for (const { name, numbers, of: targetBy } of others) {
      const number = numbers[0]!;
      if (!isConstant(numbers) || (name === 'scaled' && !(number > 0.1 && number < 10))) continue;
      const found = attempt(targetBy(number));
      if (found !== undefined && found[0]!.decay === 1)
        return { steps: found, target: `${name} ${target}`, targetAt: targetBy(number), delayed };
    }
  }
  return NOT_FOUND;
}

/** Whether a step adds to the weights, rather than put something else in their place. */
function accumulates(core: Value, states: readonly Value[], { flow, probes }: Context): boolean {
  return probes.points.some((point) => {
    const changes = new Map(states.map((state) => [state, probes.resample(state)]));
    // What it does to the prediction, and so to the error, does not count.
    if (flow.prediction !== core) changes.set(flow.prediction, point[flow.prediction.id]!);
    const changed = probes.advance(probes.change(point, changes));
    return !isSame(changed[core.id]!, probes.advance(point)[core.id]!);
  });
}

/** Steps where neither the change nor the gradient is zero, which say something. */
export function tellingSteps(weights: Pick<Weights, 'steps'>): Step[] {
  return weights.steps.filter(({ change, gradient }) => dot(change, change) > 1e-18 || dot(gradient, gradient) > 1e-12);
}

/** Whether every step follows the gradient, towards the label. */
function isDescent(found: Found): boolean {
  const telling = tellingSteps(found);
  return telling.length > 1 && telling.every(({ factor }) => factor !== undefined && factor > 0);
}

/** The carried values that labels have an effect on, sooner or later. */
export function findLearned({ flow, probes }: Context): Set<Value> {
  const learned = new Set<Value>();
  const carried = flow.values.filter(({ kind }) => kind === 'carried');
  for (;;) {
    const more = carried.find((value) => {
      const next = flow.next.get(value.address)!;
      return !learned.has(value) && probes.dependsOnAny(next, (leaf) => leaf === flow.label || learned.has(leaf));
    });
    if (more === undefined) return learned;
    learned.add(more);
  }
}

/** Every weight of the prediction. */
export function findWeights(context: Context): Weights[] {
  const { flow, probes } = context;
  if (probes.points.length < MIN_POINTS) return [];
  const learned = findLearned(context);
  return [...findUsed(flow.prediction, probes)].map(([used, isWhole]) => {
    const core = coreOf(used);
    const states = [...madeOf(core)].filter(({ kind }) => kind === 'carried');
    const isSum = states.some((state) => learned.has(state)) && accumulates(core, states, context);
    const tries: Where[] = isSum ? [probes.points, probes.quietPoints(), 'settled'] : [];
    const attempts = tries.map((where) => findSteps({ used, core }, where, context));
    const found = attempts.find(isDescent) ?? attempts.find(({ steps }) => steps.length > 0) ?? NOT_FOUND;
    return { used, isWhole, core, states, ...found, followsGradient: isDescent(found) };
  });
}
