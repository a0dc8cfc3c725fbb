// Figure 4, "affine backprop": Setup and Predict are those of the known solution, and Learn is searched.
import type { ConfigInput } from '../config.js';
import { figure4 } from './figure-4.js';

const base = `def Setup():
  s2 = 0.05            # learning rate

def Predict(v0):
  s1 = dot(v0, v1)     # v1: weights
  s1 = s1 + s3         # s3: intercept

def Learn(v0, s0):
`;

export const affineLearn = {
  about: 'Discovers how to learn an affine model that is given (figure 4, only the learning).',
  space: {
    memory: { scalars: 5, vectors: 3, matrices: 1 },
    setup: { frozen: true },
    predict: { frozen: true },
    learn: { ops: [1, 2, 3, 18, 23], min: 6, max: 6 },
    base,
  },
  ...figure4('affine'),
  experiment: { algorithms: 10_000 },
} satisfies ConfigInput;
