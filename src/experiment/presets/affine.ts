// Figure 4, "affine regressor": the whole algorithm, with the ops and sizes of the known solution.
import type { ConfigInput } from '../config.js';

export const affine = {
  about: 'Discovers affine regression in the space that the paper gives it (figure 4, full algorithm).',
  space: {
    memory: { scalars: 5, vectors: 3, matrices: 1 },
    setup: { ops: [56, 57], min: 6, max: 6 },
    predict: { ops: [1, 27], min: 2, max: 2 },
    learn: { ops: [1, 2, 3, 18, 23], min: 6, max: 6 },
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
  experiment: { algorithms: 100_000 },
  // On the tasks to select on, paper/affine scores 0.99987 at a learning rate of 0.01 and 0.99999998 at 0.02; from 0.05 to
  // 0.12 only rounding is left.
  stop: { fitness: 0.9999, experiments: 1000 },
} satisfies ConfigInput;
