// Supplement "Baselines", table S5: a small space on projected pairs of CIFAR-10 at 16 features, searched by the basic method and by
// the full one. The paper gives every process 100 billion training steps.
import type { ConfigInput } from '../config.js';
import { binaryTasks, hurdles, IMAGE_SEARCH, PAPER_MIGRATION } from './images.js';

const COMMON = {
  space: {
    memory: { scalars: 5, vectors: 9, matrices: 2 },
    // The supplement numbers these lists from 1, and its matrix difference is the sum (docs/fidelity.md).
    setup: { ops: [56, 59, 60, 61, 62, 63, 64], min: 0, max: 7 },
    predict: { ops: [1, 23, 27, 31, 48], min: 0, max: 11 },
    learn: { ops: [1, 2, 3, 16, 18, 23, 25, 28, 39], min: 0, max: 23 },
  },
  search: { ...IMAGE_SEARCH, initial: ['empty'] },
  tasks: binaryTasks({ count: 10, train: 8000, valid: 2000 }),
  stop: { steps: 100_000_000_000 },
};

export const baselineBasic = {
  about: 'The basic method in the small space of the baselines: no FEC, no hurdles, no MNIST (supplement, table S5).',
  ...COMMON,
  evaluation: { fitness: 'median', budget: 4, fingerprint: null },
  islands: { migration: PAPER_MIGRATION },
} satisfies ConfigInput;

export const baselineFull = {
  about: 'The full method in the small space of the baselines: FEC, hurdles, half MNIST (supplement, table S5).',
  ...COMMON,
  evaluation: {
    fitness: 'median',
    budget: 4,
    hurdles: hurdles({ train: 500, valid: 500 }, { train: 2000, valid: 1000 }),
  },
  islands: {
    migration: PAPER_MIGRATION,
    vary: [[{ set: 'cifar10-binary-search' }, { set: 'mnist-binary-search' }]],
  },
} satisfies ConfigInput;
