// Figure 4, "linear backprop": Setup and Predict are those of the known solution, and Learn is searched.
import type { ConfigInput } from '../config.js';

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
  search: {
    population: 1000,
    tournament: 10,
    mutationProbability: 0.9,
    // Without insert and remove, which would change the sizes.
    mutations: { weights: { 'randomize-function': 1, 'alter-argument': 1 }, constants: 'paper' },
    initial: ['random'],
  },
  tasks: {
    search: { set: 'linear-search', count: 3, features: 8, train: 1000, valid: 100 },
    select: { set: 'linear-select', count: 100, features: 8, train: 1000, valid: 100 },
    final: { set: 'linear-final', count: 100, features: 8, train: 1000, valid: 100 },
  },
  evaluation: { fitness: 'mean', budget: null },
  experiment: { algorithms: 10_000 },
  // On the tasks to select on, paper/linear scores 0.99988 at a learning rate of 0.01 and 0.99999998 at 0.02; from 0.05 to
  // 0.15 only rounding is left.
  stop: { fitness: 0.9999, experiments: 1000 },
} satisfies ConfigInput;
