// Supplement "More Search Method Ablations", tables S2 to S4: the main experiment with the ops of a network only, at 16 features and
// 8,000 examples for 10 epochs, and one upgrade of the method after the other.
import type { ConfigInput } from '../config.js';
import { binaryTasks, hurdles, IMAGE_SEARCH, LARGE, PAPER_MIGRATION } from './images.js';

const HURDLES = hurdles({ train: 500, valid: 500 }, { train: 2000, valid: 1000 });
const MNIST = { set: 'mnist-binary-search' };
const CIFAR10 = { set: 'cifar10-binary-search' };

interface Upgrades {
  readonly migration?: true;
  readonly fingerprint?: true;
  readonly sets?: readonly { readonly set: string }[];
  readonly hurdles?: true;
}

function row(about: string, upgrades: Upgrades) {
  return {
    about: `${about} (supplement, tables S2 to S4).`,
    space: {
      memory: { scalars: 8, vectors: 14, matrices: 3 },
      // The supplement numbers these lists from 1, and its matrix difference is the sum (docs/fidelity.md).
      setup: { ops: [56, 63, 64], ...LARGE.setup },
      predict: { ops: [27, 31, 48], ...LARGE.predict },
      learn: { ops: [2, 3, 16, 18, 23, 25, 28, 39], ...LARGE.learn },
    },
    search: { ...IMAGE_SEARCH, initial: ['empty'] },
    tasks: binaryTasks({ count: 10, train: 8000, valid: 2000, epochs: 10 }),
    evaluation: {
      fitness: 'median' as const,
      budget: 4,
      ...(!upgrades.fingerprint && { fingerprint: null }),
      ...(upgrades.hurdles && { hurdles: HURDLES }),
    },
    islands: {
      migration: upgrades.migration ? PAPER_MIGRATION : null,
      ...(upgrades.sets && { vary: [[...upgrades.sets]] }),
    },
    stop: { minutes: 60 },
  } satisfies ConfigInput;
}

const FEC = { migration: true, fingerprint: true } as const;

export const ablation = {
  'ablation-baseline': row('Ablation 0: regularized evolution alone', {}),
  'ablation-migration': row('Ablation 1: and migration', { migration: true }),
  'ablation-fec': row('Ablation 2: and functional equivalence checking', FEC),
  'ablation-mnist': row('Ablation 3: and half of the islands on MNIST', { ...FEC, sets: [CIFAR10, MNIST] }),
  'ablation-hurdles': row('Ablation 4: and hurdles', { ...FEC, sets: [CIFAR10, MNIST], hurdles: true }),
  'ablation-only-mnist': row('Ablation 5: as 3, but all islands on MNIST', { ...FEC, sets: [MNIST] }),
} as const;
