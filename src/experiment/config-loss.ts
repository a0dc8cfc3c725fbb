// What the programs of a configuration are trained for, which tells what Learn finds as the prediction: a number, or what became of it as
// a probability. Must not know explanations.
import { type Loss, labelKind } from '../engine/engine.js';
import type { LabelKind } from '../program/program.js';
import { LOSS_OF_KIND } from '../tasks/task-kind.js';
import { parseTaskSet } from '../tasks/task-sets.js';

/** How predictions are judged on a set of tasks, by its name. Throws DataError if there is none of that name. */
export function lossOfTaskSet(name: string): Loss {
  const set = parseTaskSet(name);
  return LOSS_OF_KIND['family' in set ? 'regression' : set.kind];
}

/** Whether their labels are scalars or vectors. */
export function labelsOf(name: string): LabelKind {
  return labelKind(lossOfTaskSet(name));
}

/** What a search by this configuration trains its programs for. */
export function lossOfConfig({ tasks }: { readonly tasks: { readonly search: { readonly set: string } } }): Loss {
  return lossOfTaskSet(tasks.search.set);
}

/** The loss, if programs with such labels can be trained for it. */
export function fittingLoss(loss: Loss | undefined, labels: LabelKind): Loss | undefined {
  return loss !== undefined && labelKind(loss) === labels ? loss : undefined;
}
