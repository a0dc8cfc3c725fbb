// What anybody would try first on a table: a linear model and a two-layer network, both by gradient descent, as programs. Must not
// know how they are tuned or trained.
import { builtin } from '../../program/builtin.js';
import type { Program } from '../../program/program.js';
import type { TaskKind } from '../../tasks/task-kind.js';

export interface Baseline {
  readonly name: string;
  readonly program: Program;
}

/** The linear model first. */
export function baselinesFor(kind: TaskKind): readonly Baseline[] {
  const linear = kind === 'regression' ? 'linear regression' : 'logistic regression';
  const network = 'two-layer network';
  if (kind === 'multiclass') {
    return [
      { name: linear, program: builtin('paper/logistic-multiclass')!.program },
      { name: network, program: builtin('paper/neural-net-multiclass')!.program },
    ];
  }
  // Of two classes the same programs are logistic: the prediction is made a probability before Learn.
  return [
    { name: linear, program: builtin('paper/affine')!.program },
    { name: network, program: builtin('paper/neural-net')!.program },
  ];
}
