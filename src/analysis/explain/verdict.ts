// What is plain about a prediction before any technique: nothing makes it, nothing changes it, it is no number. Must not know
// techniques.
import { simplify } from '../../program/liveness.js';
import { countInstructions, type LabelKind, type Program } from '../../program/program.js';
import { analyse } from './analyse.js';

/**
 * - empty: no instruction can reach the prediction, which stays zero
 * - undefined: not a finite number at any of many random points
 * - constant: the same whatever was learned
 * - blind: the same for all features, though what was learned, or a random draw, may change it
 */
export type Verdict = 'empty' | 'undefined' | 'constant' | 'blind' | 'ordinary';

/** The verdicts in a sentence each; nothing is plain about an ordinary prediction. */
export const VERDICT_TEXTS: { readonly [verdict in Verdict]: string | undefined } = {
  empty: 'Nothing in it reaches the prediction, which is always zero.',
  undefined: 'Its prediction is no finite number, whatever random inputs it was tried on.',
  constant: 'It always predicts the same: neither features nor learning matter.',
  blind: 'What it predicts does not depend on the features.',
  ordinary: undefined,
};

export function judgePrediction(program: Program, labels: LabelKind): Verdict {
  if (countInstructions(simplify(program, labels)) === 0) return 'empty';
  const { probes, flow, learned } = analyse(program, labels);
  if (!probes.isDefined()) return 'undefined';
  if (probes.points.length === 0) return 'ordinary';
  const outputs = [flow.prediction, flow.validation];
  if (outputs.some((value) => probes.depends(value, flow.features))) return 'ordinary';
  const changes = outputs.some((value) =>
    probes.dependsOnAny(value, (leaf) => leaf.kind === 'carried' || learned.has(leaf) || leaf.phase !== undefined),
  );
  return changes ? 'blind' : 'constant';
}
