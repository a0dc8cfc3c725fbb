// Techniques of the prediction: linear model, bilinear form, ReLU and its derivative, noise. Each is a test at random points.
// Must not know how weights are learned, nor words for single instructions.
import { opById } from '../../ops/ops.js';
import type { Elements } from '../../ops/semantics.js';
import type { TechniqueName } from './explanation.js';
import { madeOf, type Value } from './flow.js';
import { isSame, minus, type Probe } from './probes.js';
import type { Context, Weights } from './weights.js';

/** What a program is known to do when techniques are looked for. */
export interface Analysis extends Context {
  readonly weights: readonly Weights[];
  /** Carried values that labels have an effect on. */
  readonly learned: ReadonlySet<Value>;
  /** The value that Predict leaves; `flow.prediction` may be another that Learn compares the label with. */
  readonly output: Value;
  readonly relus: readonly Relu[];
}

export interface Finding {
  readonly name: TechniqueName;
  /** One sentence without its end. */
  readonly why: (show: (value: Value) => string) => string;
  readonly shownBy: readonly Value[];
}

/** `output` is the larger of `input` and `floor`; no floor is zero. */
export interface Relu {
  readonly output: Value;
  readonly input: Value;
  readonly floor: Value | undefined;
}

function plus(a: Elements, b: Elements): Elements {
  return a.map((x, k) => x + b[k]!);
}

function isZero(a: Elements, ofThisSize: readonly Elements[]): boolean {
  const size = Math.max(...ofThisSize.flatMap((b) => [...b].map(Math.abs)));
  return a.every((x) => Math.abs(x) <= 1e-8 * size);
}

/** A function of the features at a point: some value, with some others replaced. */
function alongFeatures(value: Value, point: Probe, changes: ReadonlyMap<Value, Elements>, { flow, probes }: Context) {
  return (features: Elements) => probes.change(point, new Map([...changes, [flow.features, features]]))[value.id]!;
}

type OfFeatures = (features: Elements) => Elements;

/** Differences of the first three orders from x on, along u, and the values they are made of. */
function differences(f: OfFeatures, x: Elements, u: Elements) {
  const values = [0, 1, 2, 3].map((k) => f(x.map((a, i) => a + k * u[i]!)));
  const next = (row: readonly Elements[]) => row.slice(1).map((a, k) => minus(a, row[k]!));
  const first = next(values);
  const second = next(first);
  return { values, first: first[0]!, second: second[0]!, third: next(second)[0]! };
}

/** Weights that labels change, used with the features. */
function learnedWeights({ weights, learned }: Analysis): Weights[] {
  return weights.filter(({ states }) => states.some((state) => learned.has(state)));
}

function changesOf(weights: readonly Weights[], point: Probe, by: readonly Elements[]): Map<Value, Elements> {
  return new Map(weights.map(({ used }, k) => [used, plus(point[used.id]!, by[k]!)]));
}

/** Whether the output is a linear function of the features, and of all the weights together. */
function isLinear(analysis: Analysis, weights: readonly Weights[]): boolean {
  const { flow, probes, output } = analysis;
  return probes.points.every((point) => {
    const x = point[flow.features.id]!;
    const u = probes.resample(flow.features);
    const steps = weights.map(({ used }) => probes.resample(used));
    const row = [0, 1, 2].map((k) =>
      changesOf(
        weights,
        point,
        steps.map((step) => step.map((a) => k * a)),
      ),
    );
    const along = row.map((changes) => differences(alongFeatures(output, point, changes, analysis), x, u));
    if (along.some(({ values, second }) => !isZero(second, values))) return false;
    const [at0, at1, at2] = along.map(({ values }) => values);
    const curve = plus(minus(at2![0]!, at1![0]!), minus(at0![0]!, at1![0]!));
    const interaction = minus(along[1]!.first, along[0]!.first);
    return isZero(curve, [...at0!, ...at2!]) && !isZero(interaction, [...at0!, ...at1!]);
  });
}

/** How the part of the output that comes from some weights depends on the features. */
function isBilinear({ used }: Weights, analysis: Analysis): boolean {
  const { flow, probes, output } = analysis;
  return probes.points.every((point) => {
    const step = probes.resample(used);
    const at = (k: number) =>
      alongFeatures(output, point, new Map([[used, point[used.id]!.map((a, i) => a + k * step[i]!)]]), analysis);
    const [f0, f1, f2] = [at(0), at(1), at(2)];
    const part: OfFeatures = (features) => minus(f1(features), f0(features));
    const x = point[flow.features.id]!;
    const { values, second, third } = differences(part, x, probes.resample(flow.features));
    const curve = minus(minus(f2(x), f1(x)), part(x));
    return isZero(third, values) && !isZero(second, values) && isZero(curve, [f0(x), f2(x)]);
  });
}

function findLinear(analysis: Analysis): Finding[] {
  const largest = learnedWeights(analysis).filter(({ isWhole }) => isWhole);
  const slopes = largest.filter(({ used }) => used.type !== 's');
  const { output, flow } = analysis;
  if (slopes.length === 0 || output.type === 'm' || !isLinear(analysis, largest)) return [];
  const names = (show: (v: Value) => string) => slopes.map(({ core }) => show(core)).join(', ');
  const parts = [...madeOf(output)].filter((value) => analysis.probes.depends(value, flow.features));
  return [
    {
      name: 'linear-model',
      why: (show) => `the prediction is a linear function of the features with learned weights ${names(show)}`,
      shownBy: parts,
    },
  ];
}

function findBilinear(analysis: Analysis): Finding[] {
  const found = learnedWeights(analysis).find((w) => w.used.type === 'm' && isBilinear(w, analysis));
  if (found === undefined) return [];
  const { output, flow, probes } = analysis;
  const parts = [...madeOf(output)].filter(
    (value) => probes.depends(value, flow.features) && madeOf(value).has(found.used),
  );
  return [
    {
      name: 'bilinear',
      why: (show) => `the features are on both sides of the weight matrix ${show(found.core)}`,
      shownBy: parts,
    },
  ];
}

function hasBothSigns(value: Value, { probes }: Context): boolean {
  const all = probes.points.flatMap((point) => [...point[value.id]!]);
  return all.some((x) => x > 0) && all.some((x) => x < 0);
}

/** Whether `a` is the same positive multiple of `b` at every point. */
function isMultiple(a: (point: Probe) => Elements, b: (point: Probe) => Elements, { probes }: Context): boolean {
  let factor: number | undefined;
  for (const point of probes.points) {
    const [of, by] = [a(point), b(point)];
    const k = by.findIndex((x) => x !== 0);
    if (k >= 0) factor ??= of[k]! / by[k]!;
    if (
      factor !== undefined &&
      !isSame(
        of,
        by.map((x) => factor! * x),
      )
    )
      return false;
    if (factor === undefined && of.some((x) => x !== 0)) return false;
  }
  return factor !== undefined && factor > 0 && Number.isFinite(factor);
}

function isMaximum(value: Value): boolean {
  const op = value.instruction === undefined ? undefined : opById(value.instruction.op);
  return op?.shape === 'map2' && (op.fn === 'maxFirst' || op.fn === 'maxSecond');
}

const isDrawn = ({ phase }: Value) => phase !== undefined && phase !== 'setup';

/** The larger of an activation and of a threshold that is drawn anew in each step: a noisy ReLU. */
function findNoisyFloor(value: Value, { probes, flow, learned }: Analysis): Relu | undefined {
  if (!isMaximum(value)) return undefined;
  const isFloor = (v: Value) =>
    probes.dependsOnAny(v, isDrawn) && !probes.dependsOnAny(v, ({ kind }) => kind === 'carried');
  const isActive = (v: Value) =>
    probes.depends(v, flow.features) && probes.dependsOnAny(v, (leaf) => learned.has(leaf));
  const [a, b] = value.inputs as [Value, Value];
  if (isFloor(b) && isActive(a)) return { output: value, input: a, floor: b };
  return isFloor(a) && isActive(b) ? { output: value, input: b, floor: a } : undefined;
}

/** Activations that are cut off at zero and matter to the output. */
export function findRelus(analysis: Analysis): Relu[] {
  const { flow, probes, output } = analysis;
  const values = [...madeOf(output)]
    .filter((value) => probes.depends(value, flow.features))
    .sort((a, b) => a.id - b.id);
  const found: Relu[] = [];
  for (const value of values) {
    const inputs = values.filter(
      (input) =>
        input.id < value.id && input.type === value.type && madeOf(value).has(input) && hasBothSigns(input, analysis),
    );
    const isCut = (input: Value) =>
      isMultiple(
        (point) => point[value.id]!,
        (point) => point[input.id]!.map((x) => Math.max(x, 0)),
        analysis,
      );
    const input = inputs.findLast(isCut);
    const relu = input === undefined ? findNoisyFloor(value, analysis) : { output: value, input, floor: undefined };
    // A multiple of one that is known says nothing new.
    if (relu !== undefined && !found.some((known) => known.input === relu.input)) found.push(relu);
  }
  return found;
}

function findRelu({ relus }: Analysis): Finding[] {
  const [relu] = relus;
  if (relu === undefined) return [];
  const { output, input, floor } = relu;
  return [
    {
      name: 'relu',
      why: (show) =>
        floor === undefined
          ? `the activation ${show(output)} is ${show(input)} where that is positive, and zero elsewhere`
          : `a noisy ReLU: ${show(output)} is the larger of ${show(input)} and of the random threshold ${show(floor)}`,
      shownBy: relus.map((r) => r.output),
    },
  ];
}

/** Values that say where a ReLU is active, and reach an update other than through its output. */
export function findActivity({ flow, probes, learned, ...rest }: Analysis, relu: Relu): Value[] {
  const { input, floor, output } = relu;
  const updates = [...learned].map(({ address }) => flow.next.get(address)!);
  const reached = new Set(updates.flatMap((value) => [...madeOf(value, [flow.prediction, rest.output, output])]));
  const isActive = (point: Probe) =>
    point[input.id]!.map((x, k) => (x > (floor === undefined ? 0 : point[floor.id]![k]!) ? 1 : 0));
  return [...reached].filter(
    (value) =>
      value.type === input.type &&
      value !== output &&
      new Set(probes.points.flatMap((point) => [...point[value.id]!])).size > 1 &&
      isMultiple((point) => point[value.id]!, isActive, { flow, probes }),
  );
}

function findReluGradient(analysis: Analysis): Finding[] {
  for (const relu of analysis.relus) {
    const [active] = findActivity(analysis, relu);
    if (active === undefined) continue;
    return [
      {
        name: 'relu-gradient',
        why: (show) => `a step uses ${show(active)}, which says where the ReLU ${show(relu.output)} is active`,
        shownBy: [active],
      },
    ];
  }
  return [];
}

/** Sums of noise that is drawn in each step with something that is none. */
export function findNoise({
  flow,
  probes,
  learned,
  output,
}: Analysis): { readonly sum: Value; readonly noise: Value }[] {
  const isNoise = (value: Value) =>
    probes.dependsOnAny(value, isDrawn) &&
    !probes.dependsOnAny(value, (leaf) => !isDrawn(leaf) && leaf.phase !== 'setup' && !probes.autonomous.has(leaf));
  const isSignal = (value: Value) =>
    probes.dependsOnAny(value, (leaf) => leaf === flow.features || leaf === flow.label || learned.has(leaf));
  const ends = [output, flow.validation, ...[...learned].map(({ address }) => flow.next.get(address)!)];
  const sums = flow.values.flatMap((sum) => {
    const op = sum.instruction === undefined ? undefined : opById(sum.instruction.op);
    if (op?.shape !== 'map2' || (op.fn !== 'add' && op.fn !== 'subtract')) return [];
    const [a, b] = sum.inputs as [Value, Value];
    const noise = isNoise(a) && isSignal(b) ? a : isNoise(b) && isSignal(a) ? b : undefined;
    return noise === undefined ? [] : [{ sum, noise }];
  });
  return sums.filter(({ sum, noise }) => {
    const draws = [...madeOf(noise)].filter(isDrawn);
    const isFelt = ends.some((end) => draws.some((draw) => probes.depends(end, draw)) && madeOf(end).has(sum));
    return isFelt && sum.places.length > 0;
  });
}

function findNoiseTechnique(analysis: Analysis): Finding[] {
  const found = findNoise(analysis);
  if (found.length === 0) return [];
  const { sum, noise } = found[0]!;
  const draws = found.flatMap((n) => [...madeOf(n.noise)].filter(isDrawn));
  // A draw of the step before is made by the same instruction as one of this step.
  const made = analysis.flow.values.filter(
    ({ drawnAt, places }) => places.length > 0 && draws.some((d) => d.drawnAt === drawnAt && drawnAt !== ''),
  );
  return [
    {
      name: 'noise',
      why: (show) => `noise ${show(noise)}, drawn anew in each step, goes into ${show(sum)}`,
      shownBy: [...found.map((n) => n.sum), ...made],
    },
  ];
}

export const MODEL_TECHNIQUES: readonly ((analysis: Analysis) => Finding[])[] = [
  findLinear,
  findRelu,
  findReluGradient,
  findBilinear,
  findNoiseTechnique,
];
