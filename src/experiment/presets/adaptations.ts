// Section "Discovering Algorithm Adaptations": populations that begin with the two-layer network and adapt it to a kind of task. Each
// experiment has a control that differs in one thing only.
import type { ConfigInput } from '../config.js';
import { binaryTasks, hurdles, IMAGE_SEARCH, LARGE, PAPER_MIGRATION } from './images.js';

/** As in the main experiment, but Gaussian draws (63, 64) where that has uniform ones. */
const ops = '0-55,63,64';

const COMMON = {
  space: {
    memory: { scalars: 10, vectors: 16, matrices: 4 },
    setup: { ops: '56-64', ...LARGE.setup },
    predict: { ops, ...LARGE.predict },
    learn: { ops, ...LARGE.learn },
  },
  search: { ...IMAGE_SEARCH, initial: ['paper/neural-net'] },
  // Half of the workers are fast, the other half accurate.
  islands: { migration: PAPER_MIGRATION, vary: [[{ count: 10 }, { count: 100 }]] },
  stop: { minutes: 60 },
};

/** Epochs and training examples of binary tasks, with a budget of 4 networks and hurdles after a tenth and two fifths of the training. */
function onPairs(train: number, epochs: number) {
  const after = (part: number) => (epochs === 1 ? { train: train * part } : { train, epochs: epochs * part });
  return {
    tasks: binaryTasks({ count: 10, train, valid: 2000, epochs }),
    evaluation: {
      fitness: 'median' as const,
      budget: 4,
      hurdles: hurdles({ ...after(0.1), valid: 500 }, { ...after(0.4), valid: 1000 }),
    },
  };
}

export const fewExamples = {
  about: 'Adapts a network to few examples, 80 for 100 epochs: the noisy ReLU (section 4.3).',
  ...COMMON,
  ...onPairs(80, 100),
} satisfies ConfigInput;

export const fewExamplesControl = {
  about: 'The control of few-examples and of fast-training: 800 examples for 100 epochs (section 4.3).',
  ...COMMON,
  ...onPairs(800, 100),
} satisfies ConfigInput;

export const fastTraining = {
  about: 'Adapts a network to fast training, 800 examples for 10 epochs: learning-rate decay (section 4.3).',
  ...COMMON,
  ...onPairs(800, 10),
} satisfies ConfigInput;

export const multiClass = {
  about: 'Adapts a network to ten classes: the learning rate made of the mean of the weights (section 4.3).',
  ...COMMON,
  search: { ...IMAGE_SEARCH, initial: ['paper/neural-net-multiclass'] },
  tasks: {
    search: { set: 'cifar10-multiclass-search', count: 10, features: 16, train: 45_000, valid: 5000 },
    select: { set: 'cifar10-multiclass-select', count: 100, features: 16, train: 45_000, valid: 5000 },
    final: { set: 'cifar10-multiclass-final', count: 9, features: 16, train: 45_000, valid: 5000 },
  },
  evaluation: {
    fitness: 'median',
    budget: 4,
    hurdles: hurdles({ train: 2000, valid: 1000 }, { train: 10_000, valid: 2500 }),
  },
} satisfies ConfigInput;

export const multiClassControl = {
  about: 'The control of multi-class: two classes, 8,000 examples (section 4.3).',
  ...COMMON,
  ...onPairs(8000, 1),
} satisfies ConfigInput;
