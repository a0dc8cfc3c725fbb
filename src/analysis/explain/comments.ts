// A few words for each live instruction, from what is known about its value: prediction, error, step of which weights, noise.
// Where no rule is sure, nothing. Must not decide what techniques a program has.
import { opById } from '../../ops/ops.js';
import type { Elements } from '../../ops/semantics.js';
import type { ForFunctions, FunctionName } from '../../program/program.js';
import { forFunctions } from '../../program/program.js';
import { madeOf, type Value } from './flow.js';
import { findAverages, findNormalization } from './learning-techniques.js';
import { type Analysis, type Finding, findActivity, findNoise } from './model-techniques.js';
import { dot, isSame, minus, type Probe, ratio } from './probes.js';
import { findStep, isConstant, type Step, tellingSteps, type Weights } from './weights.js';

export interface Remark {
  readonly comment: string;
  /** What the value is, for the name of its address; empty if that is not sure. */
  readonly meaning: string;
}

const NOTHING: Remark = { comment: '', meaning: '' };

type Rule = (value: Value, at: FunctionName) => Remark | undefined;

function remark(comment: string, meaning = comment): Remark {
  return { comment, meaning };
}

/** How a value changes with the label close to where the weights stay, and what it is there. */
interface Response {
  readonly step: Step;
  readonly slope: Elements;
  readonly atTarget: Elements;
}

const SMALL = 1e-5;

function respond(value: Value, { steps }: Pick<Weights, 'steps'>, { flow, probes }: Analysis): Response[] {
  return tellingSteps({ steps }).map((step) => {
    const at = (error: number): Probe =>
      probes.change(step.point, new Map([[flow.label, step.target.map((x, k) => x + error * step.direction[k]!)]]));
    const [up, down] = [at(SMALL)[value.id]!, at(-SMALL)[value.id]!];
    const slope = minus(up, down).map((x) => x / (2 * SMALL));
    return { step, slope, atTarget: up.map((x, k) => (x + down[k]!) / 2) };
  });
}

function vanishes({ slope, atTarget }: Response): boolean {
  return dot(atTarget, atTarget) <= 1e-12 * dot(slope, slope);
}

/** Whether a large error counts as much as a small one. */
function isLinearResponse(value: Value, { step, slope }: Response, { flow, probes }: Analysis): boolean {
  const label = step.target.map((x, k) => x + 3 * step.direction[k]!);
  const far = probes.change(step.point, new Map([[flow.label, label]]))[value.id]!;
  return isSame(
    far,
    slope.map((x) => 3 * x),
    1e-4,
  );
}

/** Rules for what Setup leaves. */
function setupRules(analysis: Analysis, isRate: (value: Value) => boolean): Rule[] {
  const { flow, weights, probes } = analysis;
  const averages = findAverages(analysis).map(({ average }) => average);
  const addressesOf = (value: Value) => [...flow.initial].filter(([, v]) => v === value).map(([address]) => address);
  const isInitial = (value: Value, states: readonly Value[]) =>
    addressesOf(value).some((address) => states.some((state) => state.address === address));
  return [
    (value) => (isInitial(value, averages) ? remark('initial sum of weights', 'sum of weights') : undefined),
    (value) => {
      const found = weights.find((w) => w.steps.length > 0 && w.core.kind === 'carried' && isInitial(value, [w.core]));
      if (found === undefined) return undefined;
      return isBias(found, analysis) ? remark('initial bias', 'bias') : remark('initial weights', 'weights');
    },
    (value) => {
      const isDecaying = isInitial(value, [...probes.autonomous].filter(isRate));
      return isDecaying ? remark('initial learning rate', 'learning rate') : undefined;
    },
    (value) => (isRate(value) || isScale(value, weights) ? remark('learning rate') : undefined),
  ];
}

/** Whether a constant scales all that the weights add up, which is as good as a rate. */
function isScale(value: Value, weights: readonly Weights[]): boolean {
  const isFactor = ({ used, core }: Weights) => used !== core && used.inputs[0] === value;
  return value.type === 's' && weights.some((w) => w.followsGradient && isFactor(w));
}

/** Whether a prediction only adds these weights. */
function isBias({ used }: Weights, { flow }: Analysis): boolean {
  const users = [...madeOf(flow.prediction)].filter(({ inputs }) => inputs.includes(used));
  return users.length > 0 && users.every(({ instruction }) => opById(instruction!.op).text.includes('+'));
}

/** Whether the steps of some weights are as long as this scalar is large, and nothing else changes with it. */
function findIsRate(analysis: Analysis): (value: Value) => boolean {
  const { flow, probes, weights } = analysis;
  const known = new Map<Value, boolean>();
  const test = (value: Value) => {
    if (value.type !== 's' || probes.dependsOnAny(value, (leaf) => leaf === flow.features || leaf === flow.label))
      return false;
    return weights.some((w) => {
      const telling = tellingSteps(w);
      return (
        telling.length > 0 &&
        telling.every(({ point, change, direction }) => {
          const doubled = probes.change(point, new Map([[value, point[value.id]!.map((x) => 2 * x)]]));
          const step = findStep(w, doubled, w.targetAt(doubled), analysis, direction);
          return (
            step !== undefined &&
            isSame(
              step.change,
              change.map((x) => 2 * x),
              1e-4,
            )
          );
        })
      );
    });
  };
  return (value) => {
    if (!known.has(value)) known.set(value, test(value));
    return known.get(value)!;
  };
}

/** Rules for how the prediction is made. */
function predictionRules(analysis: Analysis, show: (value: Value) => string): Rule[] {
  const { flow, probes, output, relus, weights } = analysis;
  const noise = findNoise(analysis);
  const draws = new Set(noise.flatMap((n) => [...madeOf(n.noise)].map(({ drawnAt }) => drawnAt)));
  const uses = (value: Value) => weights.find(({ used }) => value.inputs.includes(used));
  const isMade = (value: Value) => madeOf(output).has(value) && probes.depends(value, flow.features);
  const opOf = ({ instruction }: Value) => opById(instruction!.op);
  return [
    (value) => {
      if (value.phase === undefined) return undefined;
      return draws.has(value.drawnAt) ? remark('noise') : remark('random numbers', '');
    },
    (value, at) => (value === output && at === 'predict' ? remark('prediction') : undefined),
    (value) => {
      const relu = relus.find((r) => r.output === value);
      if (relu === undefined) return undefined;
      return remark(relu.floor === undefined ? 'ReLU' : 'noisy ReLU', 'hidden layer');
    },
    (value) =>
      relus.some((relu) => findActivity(analysis, relu).includes(value)) ? remark('derivative of the ReLU') : undefined,
    (value) => {
      const found = noise.find(({ sum }) => sum === value);
      if (found === undefined) return undefined;
      const { text } = opOf(value);
      const isDifference = text.includes('-') && value.inputs[1] === found.noise;
      const isOfFeatures = value.inputs.includes(flow.features);
      return remark(isDifference ? 'subtract noise' : 'add noise', isOfFeatures ? 'noisy features' : '');
    },
    (value) => {
      const used = isMade(value) ? uses(value) : undefined;
      if (used === undefined) return undefined;
      const { shape, inputs } = opOf(value);
      if (shape === 'contract' && inputs[0] === 'm')
        return remark(`features through the weights ${show(used.core)}`, '');
      if (shape === 'contract') return remark(`times the weights ${show(used.core)}`, '');
      return isBias(used, analysis) ? remark(`plus the bias ${show(used.core)}`, '') : undefined;
    },
    (value) => (relus.some(({ input }) => input === value) ? remark('input of the ReLU', '') : undefined),
  ];
}

/** Rules for what becomes of the error. */
function learningRules(analysis: Analysis, show: (value: Value) => string, isRate: (value: Value) => boolean): Rule[] {
  const { flow, probes, weights } = analysis;
  const averages = findAverages(analysis);
  const main = weights.find((w) => w.followsGradient) ?? weights.find((w) => w.steps.length > 0);
  const quotients = weights.flatMap((w) => (w.followsGradient ? findNormalization(w, analysis) : []));
  const nextOf = (address: string) => flow.next.get(address);
  const isDecaying = (value: Value) =>
    [...probes.autonomous].some((rate) => isRate(rate) && nextOf(rate.address) === value);
  return [
    (value, at) => {
      const sum = averages.find(({ average }) => nextOf(average.address) === value);
      return sum === undefined || at === 'setup'
        ? undefined
        : remark(`add up the weights ${show(sum.weights.core)}`, 'sum of weights');
    },
    (value) => {
      const updated = weights.find(
        ({ core, steps }) => steps.length > 0 && core.kind === 'carried' && nextOf(core.address) === value,
      );
      if (updated === undefined) return undefined;
      return isBias(updated, analysis)
        ? remark('update of the bias', 'bias')
        : remark('update of the weights', 'weights');
    },
    (value) => (isDecaying(value) ? remark('learning rate of the next step', 'learning rate') : undefined),
    (value) => {
      if (value.type !== flow.label.type || !probes.depends(value, flow.label) || main === undefined) return undefined;
      const responses = respond(value, main, analysis);
      if (responses.length === 0 || !responses.every(vanishes)) return undefined;
      const scales = responses.map(({ slope, step }) => ratio(slope, step.direction));
      if (scales.includes(undefined)) return undefined;
      if (quotients.some(({ quotient }) => quotient === value)) return remark('normalized error');
      if (!responses.every((r) => isLinearResponse(value, r, analysis))) return remark('function of the error');
      if (isConstant([1, ...scales.map((scale) => Math.abs(scale!))])) return remark('error');
      return value.inputs.some(isRate) ? remark('error times learning rate') : remark('scaled error');
    },
    (value) => {
      if (!probes.depends(value, flow.label)) return undefined;
      const target = weights.find((w) => {
        if (w.core.type !== value.type || w.steps.length === 0 || value.type === 's') return false;
        const responses = respond(value, w, analysis);
        return (
          responses.length > 0 && responses.every((r) => vanishes(r) && ratio(r.slope, r.step.gradient) !== undefined)
        );
      });
      return target === undefined ? undefined : remark(`gradient of ${show(target.core)}`, 'gradient');
    },
    (value) => {
      if (main === undefined || value.type === 's' || !probes.depends(value, flow.label)) return undefined;
      const responses = respond(value, main, analysis);
      return responses.length > 0 && responses.every(vanishes) ? remark('error on its way back', '') : undefined;
    },
    (value) =>
      quotients.some(({ norm }) => norm === value) ? remark('norm that steps are divided by', 'norm') : undefined,
    (value) => (quotients.some(({ norm }) => norm.inputs.includes(value)) ? remark('for the norm', '') : undefined),
  ];
}

/** Rules for what is prepared for later. */
function laterRules(analysis: Analysis, show: (value: Value) => string, isRate: (value: Value) => boolean): Rule[] {
  const { flow, probes, weights } = analysis;
  const averages = findAverages(analysis).map(({ average }) => average);
  const inTraining = new Set([flow.prediction, ...flow.next.values()].flatMap((value) => [...madeOf(value)]));
  const lasting = new Set([...flow.next.values()]);
  const rates = [...inTraining].filter((value) => value.phase === undefined && value.kind === 'op' && isRate(value));
  const isForRate = (value: Value) => rates.some((rate) => madeOf(rate).has(value)) && !probes.autonomous.has(value);
  const heldLater = (value: Value) =>
    [...flow.next].filter(([, v]) => v === value).map(([address]) => flow.start.get(address)!);
  const isSameAs = (value: Value, other: Value) =>
    other !== value &&
    other.type === value.type &&
    probes.points.every((point) => isSame(point[value.id]!, point[other.id]!));
  return [
    (value, at) => {
      const isForValidation = at === 'predict' && madeOf(flow.validation).has(value) && !lasting.has(value);
      const isSum = averages.some((average) => probes.depends(value, average));
      return isForValidation && isSum && !madeOf(flow.prediction).has(value)
        ? remark('in validation: the sum of the weights', 'weights')
        : undefined;
    },
    (value, at) => {
      const isUsed = heldLater(value).some(
        (held) => held.kind !== 'carried' && weights.some(({ used }) => used === held),
      );
      return at === 'learn' && isUsed ? remark('weights of the next prediction', 'weights') : undefined;
    },
    (value, at) => (at !== 'setup' && isRate(value) ? remark('learning rate') : undefined),
    (value, at) => {
      const isLater = at === 'learn' && heldLater(value).some((held) => held.kind === 'op' && isForRate(held));
      return at !== 'setup' && (isForRate(value) || isLater) ? remark('for the learning rate', '') : undefined;
    },
    (value) => {
      if (probes.dependsOnAny(value, () => true)) return undefined;
      const elements = new Set(probes.points[0]![value.id]!);
      return elements.size === 1 && elements.has(0) ? remark('always zero', 'zero') : undefined;
    },
    (value) => {
      const original = flow.values.find((v) => (v.kind === 'carried' || v === flow.features) && isSameAs(value, v));
      return original === undefined ? undefined : remark(`copy of ${show(original)}`, '');
    },
    (value) => {
      const isMultiple = probes.points.map((point) => ratio(point[value.id]!, point[flow.prediction.id]!));
      const isScaled =
        value.type === flow.prediction.type && isMultiple.every((r) => r !== undefined) && isConstant(isMultiple);
      return isScaled && value !== flow.prediction && value.type === 's' ? remark('scaled prediction') : undefined;
    },
    (value, at) => (at === 'predict' && !inTraining.has(value) ? remark('for validation only', '') : undefined),
  ];
}

/** What each live instruction does. */
export function commentsOn(
  analysis: Analysis,
  findings: readonly Finding[],
  show: (value: Value) => string,
): ForFunctions<readonly Remark[]> {
  const { flow, probes } = analysis;
  if (probes.points.length === 0) return forFunctions((name) => flow.at[name].map(() => NOTHING));
  const isRate = findIsRate(analysis);
  const running = [
    ...predictionRules(analysis, show),
    ...learningRules(analysis, show, isRate),
    ...laterRules(analysis, show, isRate),
  ];
  const isLearning = findings.length > 0 || analysis.learned.size > 0;
  const rules: ForFunctions<readonly Rule[]> = {
    setup: setupRules(analysis, isRate),
    predict: running,
    learn: isLearning ? running : [],
  };
  return forFunctions((name) =>
    flow.at[name].map((value) => {
      for (const rule of rules[name]) {
        const found = rule(value, name);
        if (found !== undefined) return found;
      }
      return NOTHING;
    }),
  );
}
