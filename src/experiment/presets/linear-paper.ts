// Figure 4, "linear regressor": the whole algorithm, with the ops and sizes of the known solution.
import type { ConfigInput } from '../config.js';

export const linearPaper = {
  about: 'Discovers linear regression in the space that the paper gives it (figure 4, full algorithm).',
  space: {
    memory: { scalars: 4, vectors: 3, matrices: 1 },
    setup: { ops: [56, 57], min: 5, max: 5 },
    predict: { ops: [27], min: 1, max: 1 },
    learn: { ops: [2, 3, 18, 23], min: 4, max: 4 },
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
