// The demo of the C++ original: linear regression found from scratch, with six ops and small tasks. The same space and parameters, but
// for shorter experiments.
import type { ConfigInput } from '../config.js';

/** Every function may use them: constant, dot, scalar and vector arithmetic. */
const ops = [56, 27, 2, 3, 18, 23];

export const linear = {
  about: 'Discovers linear regression by gradient descent, in seconds: the demo of the C++ original.',
  space: {
    memory: { scalars: 4, vectors: 3, matrices: 1 },
    setup: { ops, min: 10, max: 10 },
    predict: { ops, min: 2, max: 2 },
    learn: { ops, min: 8, max: 8 },
  },
  search: {
    population: 1000,
    tournament: 10,
    mutationProbability: 0.9,
    mutations: {
      weights: { 'alter-argument': 1, 'randomize-instruction': 1, 'randomize-function': 1 },
      constants: 'released',
    },
    initial: ['random'],
  },
  tasks: {
    search: { set: 'linear-search', count: 10, features: 4, train: 100, valid: 100 },
    select: { set: 'linear-select', count: 100, features: 4, train: 1000, valid: 100 },
    final: { set: 'linear-final', count: 100, features: 4, train: 1000, valid: 100 },
  },
  // No op here draws random numbers, so that two tasks tell programs apart nearly as well as ten.
  evaluation: { fitness: 'mean', budget: null, fingerprint: { tasks: 2 } },
  // The original's experiments are about a million algorithms long (200 million of its training steps). Most that succeed do so
  // early: of 10 seeds, the median until success is 1.2 million algorithms with short experiments, 2.3 million with long ones.
  experiment: { algorithms: 400_000 },
  // Islands that know nothing of each other find it sooner: of 30 seeds, two need 1.6 million algorithms together on the average,
  // and 2.0 million if programs migrate.
  islands: { migration: null },
  select: { at: 'new-best' },
  stop: { fitness: 0.9999, experiments: 100 },
} satisfies ConfigInput;
