// Figure 5's tasks, "only the learning": Setup and Predict are those of paper/neural-net-no-bias, with initial weights that suit the tasks
// better, and Learn is searched.
import type { ConfigInput } from '../config.js';
import { network } from './network.js';

const base = `def Setup():
  s3 = 0.01                # learning rate
  v2 = gaussian(0, 0.3)    # second layer's weights
  m0 = gaussian(0, 0.3)    # first layer's weights

def Predict(v0):
  v3 = dot(m0, v0)
  v4 = maximum(v3, v5)     # ReLU; v5 stays zero
  s1 = dot(v4, v2)

def Learn(v0, s0):
`;

export const networkLearn = {
  ...network,
  about: 'Discovers how to learn a two-layer network that is given, from teacher networks.',
  space: { ...network.space, setup: { frozen: true }, predict: { frozen: true }, base },
} satisfies ConfigInput;
