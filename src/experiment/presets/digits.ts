// Section "Searching with Minimal Human Input" on real images that need no files: pairs of handwritten digits, projected to 16
// features. The paper's space and method; one process and the small embedded images instead of 10,000 and CIFAR-10.
import type { ConfigInput } from '../config.js';

export const digits = {
  about: 'Searches from empty programs with nearly all ops (section 4.2), on real images that are built in.',
  space: {
    memory: { scalars: 8, vectors: 14, matrices: 3 },
    setup: { ops: '56-64', min: 0, max: 21 },
    predict: { ops: '0-55,60,61', min: 0, max: 21 },
    learn: { ops: '0-55,60,61', min: 0, max: 45 },
  },
  search: {
    population: 100,
    tournament: 10,
    mutationProbability: 0.9,
    mutations: 'paper',
    initial: ['empty'],
  },
  tasks: {
    search: { set: 'digits-binary-search', count: 10, features: 16, train: 224, valid: 56 },
    select: { set: 'digits-binary-select', count: 90, features: 16, train: 224, valid: 56 },
    // All pixels, and images that no other task is made of.
    final: { set: 'digits-binary-final', count: 9 },
  },
  evaluation: {
    fitness: 'median',
    budget: 4,
    hurdles: {
      percentile: 75,
      stages: [
        { train: 40, valid: 20 },
        { train: 112, valid: 56 },
      ],
    },
  },
  experiment: { algorithms: 200_000 },
  select: { at: 'end' },
  stop: { experiments: 10, minutes: 5 },
} satisfies ConfigInput;
