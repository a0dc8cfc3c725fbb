// From a program to what explain, LaTeX and diagrams share: its flow, its weights and its techniques. Works on the canonical
// form, so that names and dead code make no difference. Must not know words for single instructions.
import { type Loss, labelKind } from '../../engine/engine.js';
import { canonicalize } from '../../program/canonical.js';
import type { LabelKind, Program } from '../../program/program.js';
import { type Flow, followFlow, type Value } from './flow.js';
import { LEARNING_TECHNIQUES } from './learning-techniques.js';
import { type Analysis, type Finding, findRelus, MODEL_TECHNIQUES } from './model-techniques.js';
import { Probes } from './probes.js';
import { findLearned, findWeights, type Weights } from './weights.js';

/** The loss that is assumed if none is given: what a program does to a regression, or to many classes. */
export function lossFor(labels: LabelKind, loss?: Loss): Loss {
  if (loss !== undefined && labelKind(loss) === labels) return loss;
  return labels === 'scalar' ? 'rms' : 'multiclass';
}

function isLearnable({ weights }: { readonly weights: readonly Weights[] }): boolean {
  return weights.some(({ followsGradient }) => followsGradient);
}

/** Values that Learn might compare the label with in place of the prediction. */
function otherPredictions(flow: Flow, probes: Probes): Value[] {
  return flow.at.learn.filter(
    (value) =>
      value.type === flow.label.type && probes.depends(value, flow.features) && !probes.depends(value, flow.label),
  );
}

export function analyse(program: Program, labels: LabelKind, loss?: Loss): Analysis {
  const flow = followFlow(canonicalize(program, labels), labels, lossFor(labels, loss));
  const probes = new Probes(flow);
  const output = flow.prediction;
  const learned = findLearned({ flow, probes });
  const main = { flow, weights: findWeights({ flow, probes }) };
  const flows = isLearnable(main) ? [] : otherPredictions(flow, probes).map((prediction) => ({ ...flow, prediction }));
  const others = flows.map((other) => ({ flow: other, weights: findWeights({ flow: other, probes }) }));
  const analysis = { ...(others.find(isLearnable) ?? main), probes, learned, output, relus: [] };
  return { ...analysis, relus: probes.points.length === 0 ? [] : findRelus(analysis) };
}

export function findTechniques(analysis: Analysis): Finding[] {
  if (analysis.probes.points.length === 0) return [];
  return [...MODEL_TECHNIQUES, ...LEARNING_TECHNIQUES].flatMap((find) => find(analysis));
}
