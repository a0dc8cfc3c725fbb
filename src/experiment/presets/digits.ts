// The paper's baseline setting (supplement, "Baselines") on real images that need no files: pairs of handwritten digits, projected to
// 16 features, instead of CIFAR-10. From empty programs to something like logistic regression in a minute.
import type { ConfigInput } from '../config.js';

export const digits = {
  about: "Searches from empty programs on real images that are built in: the paper's baseline space.",
  space: {
    memory: { scalars: 5, vectors: 9, matrices: 2 },
    // The supplement numbers these lists from 1, and its matrix difference is the sum (docs/fidelity.md).
    setup: { ops: [56, 59, 60, 61, 62, 63, 64], min: 0, max: 7 },
    predict: { ops: [1, 23, 27, 31, 48], min: 0, max: 11 },
    learn: { ops: [1, 2, 3, 16, 18, 23, 25, 28, 39], min: 0, max: 23 },
  },
  search: {
    population: 100,
    tournament: 10,
    mutationProbability: 0.9,
    mutations: 'paper',
    initial: ['empty'],
  },
  tasks: {
    search: { set: 'digits-binary-search', count: 10, features: 16, train: 224, valid: 56, epochs: 4 },
    select: { set: 'digits-binary-select', count: 90, features: 16, train: 224, valid: 56, epochs: 4 },
    // All pixels, and images that no other task is made of.
    final: { set: 'digits-binary-final', count: 9, epochs: 4 },
  },
  evaluation: {
    fitness: 'median',
    budget: 4,
    hurdles: {
      percentile: 75,
      stages: [
        { train: 56, valid: 28 },
        { train: 112, valid: 56 },
      ],
    },
  },
  experiment: { algorithms: 200_000 },
  select: { at: 'end' },
  stop: { experiments: 10, minutes: 5 },
} satisfies ConfigInput;
