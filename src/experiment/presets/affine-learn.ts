// Figure 4, "affine backprop": Setup and Predict are those of the known solution, and Learn is searched.
import type { ConfigInput } from '../config.js';

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
  search: {
    population: 1000,
    tournament: 10,
    mutationProbability: 0.9,
    // Without insert and remove, which would change the sizes.
    mutations: { weights: { 'randomize-function': 1, 'alter-argument': 1 }, constants: 'paper' },
    initial: ['random'],
  },
  tasks: {
    search: { set: 'affine-search', count: 3, features: 8, train: 1000, valid: 100 },
    select: { set: 'affine-select', count: 100, features: 8, train: 1000, valid: 100 },
    final: { set: 'affine-final', count: 100, features: 8, train: 1000, valid: 100 },
  },
  evaluation: { fitness: 'mean', budget: null },
  experiment: { algorithms: 10_000 },
  // On the tasks to select on, paper/affine scores 0.99987 at a learning rate of 0.01 and 0.99999998 at 0.02; from 0.05 to
  // 0.12 only rounding is left.
  stop: { fitness: 0.9999, experiments: 1000 },
} satisfies ConfigInput;
