// The whole space of section "Searching with Minimal Human Input" on teacher networks, as the C++ original was measured on it:
// a workload to compare speed on, rather than an experiment of the paper.
import type { ConfigInput } from '../config.js';

export const fullSpace = {
  about:
    'Searches from empty programs with nearly all ops on teacher networks, as the speed of the original was measured.',
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
    mutations: {
      weights: { 'alter-argument': 1, 'randomize-function': 1, insert: 1, remove: 1 },
      constants: 'released',
    },
    initial: ['empty'],
  },
  tasks: {
    search: { set: 'network-search', count: 10, features: 16, train: 800, valid: 100 },
    select: { set: 'network-select', count: 20, features: 16, train: 800, valid: 100 },
    final: { set: 'network-final', count: 100, features: 16, train: 800, valid: 100 },
  },
  evaluation: { fitness: 'mean', budget: 4 },
  experiment: { algorithms: 120_000 },
  select: { at: 'end' },
  stop: { experiments: 1 },
} satisfies ConfigInput;
