// Techniques of learning: gradient descent and what is done to its rate, its gradient and its weights. Each is a test of what a
// step does to the weights at random points. Must not know words for single instructions.
import { opById } from '../../ops/ops.js';
import type { Elements } from '../../ops/semantics.js';
import { madeOf, type Value } from './flow.js';
import type { Analysis, Finding } from './model-techniques.js';
import { dot, isSame, minus, type Probe } from './probes.js';
import { findStep, gradientOf, isConstant, learnFrom, type Step, tellingSteps, type Weights } from './weights.js';

/** What a step does to the weights, without how the prediction is made. */
export function updateOf({ states, delayed }: Weights, { flow, output }: Analysis): Set<Value> {
  const next = [...states, ...delayed].map(({ address }) => flow.next.get(address)!);
  return new Set(next.flatMap((value) => [...madeOf(value, [flow.prediction, flow.seen, output])]));
}

/** The instructions from the error to the new weights. */
function learningValues(weights: readonly Weights[], analysis: Analysis): Value[] {
  const { flow, probes } = analysis;
  return weights.flatMap((w) => [...updateOf(w, analysis)].filter((value) => probes.depends(value, flow.label)));
}

function names(weights: readonly Weights[], show: (value: Value) => string): string {
  return [...new Set(weights.map(({ core }) => show(core)))].join(', ');
}

function descending({ weights }: Analysis): Weights[] {
  return weights.filter(({ followsGradient }) => followsGradient);
}

function findSgd(analysis: Analysis): Finding[] {
  const found = descending(analysis);
  if (found.length === 0) return [];
  const isShifted = found.some(({ target }) => target?.startsWith('shifted'));
  const error = isShifted ? 'the error plus a constant' : 'the error';
  return [
    {
      name: 'sgd',
      why: (show) => `each step moves ${names(found, show)} along the gradient of the prediction, times ${error}`,
      shownBy: learningValues(found, analysis),
    },
  ];
}

/** Whether a step is that of the cross-entropy, where the program makes its prediction a probability itself. */
function isCrossEntropy({ steps, target }: Weights): boolean {
  if (target !== 'prediction' || steps.some((step) => step.target.length > 1)) return false;
  const telling = tellingSteps({ steps }).filter(({ factor }) => factor !== undefined);
  const chances = telling.map((step) => step.target[0]!);
  if (!chances.every((p) => p > 0 && p < 1) || isConstant(chances)) return false;
  return isConstant(telling.map(({ factor }, k) => factor! * chances[k]! * (1 - chances[k]!)));
}

function findLogistic(analysis: Analysis): Finding[] {
  const found = descending(analysis).filter((w) => w.target === 'probability' || isCrossEntropy(w));
  if (found.length === 0) return [];
  return [
    {
      name: 'logistic-gradient',
      why: (show) => `the error that moves ${names(found, show)} is the label minus a probability`,
      shownBy: learningValues(found, analysis),
    },
  ];
}

/** Whether the gradient of some weights turns when others change. */
function goesThrough(first: Weights, second: Value, analysis: Analysis): boolean {
  const { probes } = analysis;
  return tellingSteps(first).some(({ point, direction, gradient }) => {
    const changed = probes.change(point, new Map([[second, probes.resample(second)]]));
    return !isSame(gradientOf(first.used, direction, changed, analysis), gradient, 1e-4);
  });
}

function findBackprop(analysis: Analysis): Finding[] {
  const types = analysis.flow.label.type === 's' ? ['v'] : ['v', 'm'];
  for (const first of descending(analysis).filter(({ used }) => used.type === 'm')) {
    const second = analysis.weights.find(
      ({ used, states, steps }) =>
        types.includes(used.type) &&
        steps.length > 0 &&
        !states.some((state) => first.states.includes(state)) &&
        isAbove(used, first.used, analysis) &&
        goesThrough(first, used, analysis),
    );
    if (second === undefined) continue;
    return [
      {
        name: 'backprop',
        why: (show) => `the error goes back through ${show(second.core)} to the gradient of ${show(first.core)}`,
        shownBy: learningValues([first], analysis),
      },
    ];
  }
  return [];
}

/** Whether some weights meet what others make of the features: a layer above theirs. */
function isAbove(upper: Value, lower: Value, { flow, probes }: Analysis): boolean {
  const users = [...madeOf(flow.prediction)].filter((value) => value.inputs.includes(upper));
  return users.some((user) =>
    user.inputs.some((input) => input !== upper && madeOf(input).has(lower) && probes.depends(input, flow.features)),
  );
}

const THROUGH = ['add', 'subtract', 'multiply', 'maxFirst', 'maxSecond', 'minFirst', 'minSecond'];

/** The norms, or sums of squares, that a divisor is made of by sums and products. */
function normsIn(divisor: Value): Value[] {
  const op = divisor.instruction === undefined ? undefined : opById(divisor.instruction.op);
  if (op === undefined) return [];
  const [a, b] = divisor.inputs;
  const isSquare =
    a !== undefined && a === b && (op.shape === 'contract' || (op.shape === 'map2' && op.fn === 'multiply'));
  const isNorm = (op.shape === 'reduce' || op.shape === 'reduceAxis') && op.fn === 'norm';
  if (isNorm || isSquare) return [divisor];
  const isThrough =
    (op.shape === 'map2' && THROUGH.includes(op.fn)) ||
    (op.shape === 'map1' && op.fn === 'abs') ||
    op.shape === 'scale' ||
    op.shape === 'broadcast' ||
    (op.shape === 'reduce' && op.fn === 'mean');
  return isThrough ? divisor.inputs.flatMap(normsIn) : [];
}

function divisorOf({ instruction, inputs }: Value): Value | undefined {
  const op = instruction === undefined ? undefined : opById(instruction.op);
  if (op?.shape === 'map2' && op.fn === 'divide') return inputs[1];
  return op?.shape === 'map1' && op.fn === 'reciprocal' ? inputs[0] : undefined;
}

/** Divisions by a norm of the features, of what is made of them, or of the gradient, on the way to an update. */
export function findNormalization(
  weights: Weights,
  analysis: Analysis,
): { readonly quotient: Value; readonly norm: Value }[] {
  const { flow, probes } = analysis;
  return [...updateOf(weights, analysis)].flatMap((quotient) => {
    const divisor = divisorOf(quotient);
    const norms = divisor === undefined ? [] : normsIn(divisor);
    const norm = norms.find((value) => value.inputs[0]!.type !== 's' && probes.depends(value, flow.features));
    return norm === undefined ? [] : [{ quotient, norm }];
  });
}

/** Whether other features give a step another length for the same gradient. */
function isRescaled(weights: Weights, analysis: Analysis): boolean {
  const { flow, probes } = analysis;
  return weights.steps.some(({ point, factor }) => {
    const changed = probes.change(point, new Map([[flow.features, point[flow.features.id]!.map((x) => 2 * x)]]));
    const step = findStep(weights, changed, weights.targetAt(changed), analysis);
    return step?.factor !== undefined && factor !== undefined && step.factor < 0.9 * factor;
  });
}

function findNormalized(analysis: Analysis): Finding[] {
  for (const weights of descending(analysis)) {
    const [found] = findNormalization(weights, analysis);
    if (found === undefined || !isRescaled(weights, analysis)) continue;
    const { quotient, norm } = found;
    return [
      {
        name: 'normalized-gradient',
        why: (show) =>
          `a division by the norm ${show(norm)} gives ${show(quotient)}, which goes into the step of ${show(weights.core)}`,
        shownBy: [norm, quotient],
      },
    ];
  }
  return [];
}

/** Whether a = α b + β c with α from 0 to 1. */
function isBlend(a: Elements, b: Elements, c: Elements): boolean {
  const [bb, cc, bc, ab, ac] = [dot(b, b), dot(c, c), dot(b, c), dot(a, b), dot(a, c)];
  const determinant = bb * cc - bc * bc;
  if (!(determinant > 1e-9 * bb * cc)) return false;
  const alpha = (ab * cc - ac * bc) / determinant;
  const beta = (ac * bb - ab * bc) / determinant;
  const isExact = isSame(
    a,
    b.map((x, k) => alpha * x + beta * c[k]!),
    1e-6,
  );
  return isExact && alpha > 1e-6 && alpha < 1 + 1e-6 && Math.abs(beta) > 1e-9;
}

/** State that adds up the weights, for validation. */
export function findAverages(analysis: Analysis): { readonly average: Value; readonly weights: Weights }[] {
  const { flow, probes, output } = analysis;
  return flow.values.flatMap((average) => {
    if (average.kind !== 'carried' || average.type === 's') return [];
    const isForLater = [output, flow.validation].some((value) => probes.depends(value, average));
    if (!isForLater || probes.depends(flow.prediction, average)) return [];
    const next = flow.next.get(average.address)!;
    const weights = analysis.weights.find(({ core, steps, states }) => {
      if (core.type !== average.type || steps.length === 0 || states.includes(average)) return false;
      const blends = (later: (point: Probe) => Elements) =>
        probes.points.every((point) => isBlend(point[next.id]!, point[average.id]!, later(point)));
      return blends((point) => probes.advance(point)[core.id]!) || blends((point) => point[core.id]!);
    });
    return weights === undefined ? [] : [{ average, weights }];
  });
}

function findAveraging(analysis: Analysis): Finding[] {
  const { flow } = analysis;
  const [found] = findAverages(analysis);
  if (found === undefined) return [];
  const { average, weights } = found;
  return [
    {
      name: 'weight-averaging',
      why: (show) =>
        `validation predicts with ${show(average)}, which adds up the weights ${show(weights.core)} over the steps`,
      shownBy: [flow.next.get(average.address)!],
    },
  ];
}

const LATER = [1, 10, 100, 1000];

/** How long steps are, for the same error, when that many are over; nothing if the prediction changes as well. */
function lengthAt(
  steps: number,
  weights: Weights,
  { point, target, direction }: Step,
  analysis: Analysis,
): number | undefined {
  const { flow, probes } = analysis;
  const later = probes.change(point, probes.autonomousAt(steps));
  if (!isSame(later[flow.prediction.id]!, point[flow.prediction.id]!)) return undefined;
  const [up, down] = [1, -1].map((sign) =>
    learnFrom(
      target.map((x, k) => x + sign * 1e-3 * direction[k]!),
      weights,
      later,
      analysis,
    ),
  );
  const change = minus(up!, down!);
  return Math.sqrt(dot(change, change));
}

/** Weights whose steps get shorter with time alone. */
function hasDecay(weights: Weights, analysis: Analysis): boolean {
  const telling = tellingSteps(weights);
  return (
    telling.length > 1 &&
    telling.every((step) => {
      const lengths = LATER.map((steps) => lengthAt(steps, weights, step, analysis) ?? Number.NaN);
      const isFalling = lengths.every((length, k) => k === 0 || length <= lengths[k - 1]! * (1 + 1e-6) + 1e-12);
      return isFalling && lengths.at(-1)! < 0.9 * lengths[0]!;
    })
  );
}

/** Autonomous values in the update, which make its rate. */
function findRates(weights: Weights, { flow, probes }: Analysis): Value[] {
  const next = weights.states.map(({ address }) => flow.next.get(address)!);
  return [...probes.autonomous].filter((value) => next.some((n) => probes.depends(n, value)));
}

function findRateDecay(analysis: Analysis): Finding[] {
  const { flow, probes } = analysis;
  if (probes.autonomous.size === 0) return [];
  const found = analysis.weights.find((w) => w.steps.length > 0 && hasDecay(w, analysis));
  if (found === undefined) return [];
  const rates = findRates(found, analysis);
  return [
    {
      name: 'learning-rate-decay',
      why: (show) =>
        `the rate ${rates.map(show).join(', ')} makes the steps of ${show(found.core)} smaller and smaller`,
      shownBy: rates.flatMap(({ address }) =>
        [...madeOf(flow.next.get(address)!)].filter((v) => probes.dependsOnAny(v, (l) => rates.includes(l))),
      ),
    },
  ];
}

function findWeightDecay(analysis: Analysis): Finding[] {
  const found = analysis.weights.filter(
    ({ isWhole, steps }) => isWhole && steps.length > 0 && steps[0]!.decay < 1 - 1e-6,
  );
  if (found.length === 0) return [];
  const { flow, probes } = analysis;
  const shrinking = found.flatMap(({ states, ...w }) =>
    [...updateOf({ states, ...w }, analysis)].filter(
      (value) =>
        !probes.depends(value, flow.label) &&
        states.some((state) => probes.depends(value, state) && value !== state && value.type === state.type),
    ),
  );
  return [
    {
      name: 'weight-decay',
      why: (show) => `each step shrinks ${names(found, show)}, whatever the error`,
      shownBy: shrinking.some(({ places }) => places.length > 0) ? shrinking : learningValues(found, analysis),
    },
  ];
}

function isBound({ instruction }: Value): boolean {
  const op = instruction === undefined ? undefined : opById(instruction.op);
  const isExtreme = op?.shape === 'map2' && /^(min|max)/.test(op.fn);
  return isExtreme || (op?.shape === 'map1' && /^step/.test(op.fn));
}

/** Errors so large that every bound holds. */
const LARGE = [1e5, 1e7];

/** Whether steps grow with small errors and no longer with large ones, of either sign. */
function isBounded(weights: Weights, step: Step, analysis: Analysis): boolean {
  const { core } = weights;
  const { point, target, direction, decay } = step;
  const { probes } = analysis;
  const here = point[core.id]!.map((x) => decay * x);
  const change = (error: number, at = point, from = here) =>
    minus(
      learnFrom(
        target.map((x, k) => x + error * direction[k]!),
        weights,
        at,
        analysis,
      ),
      from,
    );
  const isLinear = isSame(
    change(2e-4),
    change(1e-4).map((x) => 2 * x),
    1e-3,
  );
  const isFlat = [1, -1].every((sign) => isSame(change(sign * LARGE[0]!), change(sign * LARGE[1]!), 1e-6));
  if (!isLinear || !isFlat) return false;
  // Where the weights themselves are bounded, they no longer follow what they were.
  const nudged = probes.change(point, new Map(weights.states.map((s) => [s, point[s.id]!.map((x) => x * 1.001)])));
  const before = learnFrom(
    target.map((x, k) => x + LARGE[0]! * direction[k]!),
    weights,
    point,
    analysis,
  );
  const after = learnFrom(
    target.map((x, k) => x + LARGE[0]! * direction[k]!),
    weights,
    nudged,
    analysis,
  );
  const [moved, by] = [minus(after, before), minus(nudged[core.id]!, point[core.id]!)];
  return dot(moved, by) > 0.5 * decay * dot(by, by);
}

function findClipping(analysis: Analysis): Finding[] {
  const { flow, probes } = analysis;
  for (const weights of analysis.weights.filter(({ steps }) => steps.length > 0)) {
    const bounds = [...updateOf(weights, analysis)].filter((v) => isBound(v) && probes.depends(v, flow.label));
    const telling = tellingSteps(weights);
    if (bounds.length === 0 || telling.length < 2 || !telling.every((s) => isBounded(weights, s, analysis))) continue;
    return [
      {
        name: 'gradient-clipping',
        why: (show) =>
          `the step of ${show(weights.core)} stays within bounds, however large the error (${bounds.map(show).join(', ')})`,
        shownBy: bounds,
      },
    ];
  }
  return [];
}

export const LEARNING_TECHNIQUES: readonly ((analysis: Analysis) => Finding[])[] = [
  findSgd,
  findLogistic,
  findBackprop,
  findNormalized,
  findAveraging,
  findRateDecay,
  findWeightDecay,
  findClipping,
];
