// Section "Searching with Minimal Human Input": from empty programs, with nearly all ops, on projected pairs of classes of CIFAR-10 and
// MNIST. Workers are divided over all combinations of data, examples and epochs, tasks and features.
import type { ConfigInput } from '../config.js';
import { binaryTasks, hurdles, IMAGE_SEARCH, LARGE, PAPER_MIGRATION } from './images.js';

/** 58 ops, in Predict and in Learn alike; 60 and 61 draw uniform vectors and matrices. */
const ops = '0-55,60,61';

export const main = {
  about: 'Searches from empty programs with nearly all ops on real images: the main experiment (section 4.2).',
  space: {
    memory: { scalars: 8, vectors: 14, matrices: 3 },
    setup: { ops: '56-64', ...LARGE.setup },
    predict: { ops, ...LARGE.predict },
    learn: { ops, ...LARGE.learn },
  },
  search: { ...IMAGE_SEARCH, initial: ['empty'] },
  tasks: binaryTasks({ count: 10, train: 8000, valid: 2000 }),
  // Terminated at 4 times the run time of a plain network; FEC and hurdles.
  evaluation: {
    fitness: 'median',
    budget: 4,
    hurdles: hurdles({ train: 100, valid: 200 }, { train: 400, valid: 500 }),
  },
  islands: {
    migration: PAPER_MIGRATION,
    vary: [
      [{ set: 'cifar10-binary-search' }, { set: 'mnist-binary-search' }],
      [
        { train: 800, epochs: 1 },
        { train: 8000, epochs: 1 },
        { train: 800, epochs: 10 },
      ],
      [{ count: 1 }, { count: 10 }],
      [{ features: 8 }, { features: 16 }, { features: 256 }],
    ],
  },
  stop: { minutes: 60 },
} satisfies ConfigInput;
