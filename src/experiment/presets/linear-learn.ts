// Figure 4, "linear backprop": Setup and Predict are those of the known solution, and Learn is searched.
import type { ConfigInput } from '../config.js';
import { figure4 } from './figure-4.js';

const base = `def Setup():
  s2 = 0.05            # learning rate

def Predict(v0):
  s1 = dot(v0, v1)     # v1: weights

def Learn(v0, s0):
`;

export const linearLearn = {
  about: 'Discovers how to learn a linear model that is given (figure 4, only the learning).',
  space: {
    memory: { scalars: 4, vectors: 3, matrices: 1 },
    setup: { frozen: true },
    predict: { frozen: true },
    // The supplement numbers this list from 1: { OP3, OP4, OP19, OP24 }.
    learn: { ops: [2, 3, 18, 23], min: 4, max: 4 },
    base,
  },
  ...figure4('linear'),
  experiment: { algorithms: 10_000 },
} satisfies ConfigInput;
