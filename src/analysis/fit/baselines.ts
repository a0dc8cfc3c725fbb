// What anybody would try first on a table: a linear model and a two-layer network, both by gradient descent, as programs. Must not
// know how they are tuned or trained.
import { builtin } from '../../program/builtin.js';
import { parseSource } from '../../program/parse.js';
import type { Program } from '../../program/program.js';
import type { TaskKind } from '../../tasks/task-kind.js';

export interface Baseline {
  readonly name: string;
  readonly program: Program;
}

/** Logistic regression of many classes: the softmax is the engine's. */
const MULTICLASS_LINEAR = `
def Setup():
  s2 = 0.01            # learning rate

def Predict(v0):
  v2 = dot(m0, v0)     # m0: weights
  v2 = v2 + v3         # v3: biases

def Learn(v0, v1):
  v4 = v1 - v2         # error
  v4 = s2 * v4
  v3 = v3 + v4
  m1 = outer(v4, v0)   # gradient step
  m0 = m0 + m1
`;

/** paper/neural-net with a vector of outputs. */
const MULTICLASS_NETWORK = `
def Setup():
  s2 = 0.01                # learning rate
  m0 = gaussian(0, 0.1)    # first layer's weights
  m1 = gaussian(0, 0.1)    # second layer's weights

def Predict(v0):
  v3 = dot(m0, v0)
  v3 = v3 + v4             # v4: first layer's biases
  v5 = maximum(v3, v6)     # ReLU; v6 stays zero
  v2 = dot(m1, v5)
  v2 = v2 + v7             # v7: second layer's biases

def Learn(v0, v1):
  v8 = v1 - v2             # error
  v8 = s2 * v8
  v7 = v7 + v8
  m2 = transpose(m1)
  v9 = dot(m2, v8)         # back through the second layer
  m2 = outer(v8, v5)       # step of the second layer
  m1 = m1 + m2
  v10 = heaviside(v3)      # derivative of ReLU
  v9 = v10 * v9
  v4 = v4 + v9
  m2 = outer(v9, v0)       # step of the first layer
  m0 = m0 + m2
`;

/** The linear model first. */
export function baselinesFor(kind: TaskKind): readonly Baseline[] {
  const linear = kind === 'regression' ? 'linear regression' : 'logistic regression';
  const network = 'two-layer network';
  if (kind === 'multiclass') {
    return [
      { name: linear, program: parseSource(MULTICLASS_LINEAR).program },
      { name: network, program: parseSource(MULTICLASS_NETWORK).program },
    ];
  }
  // Of two classes the same programs are logistic: the prediction is made a probability before Learn.
  return [
    { name: linear, program: builtin('paper/affine')!.program },
    { name: network, program: builtin('paper/neural-net')!.program },
  ];
}
