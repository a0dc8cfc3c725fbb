// A replay: `network-evozero` with the seed and the islands with which it has invented backpropagation (docs/discovery.md), before
// learning from errors had niches of its own. Others come sooner, but this is what textbooks have.
import type { ConfigInput } from '../config.js';
import { networkEvozero } from './network-evozero.js';

export const inventBackprop = {
  ...networkEvozero,
  about: 'Invents backpropagation from random programs, again: network-evozero, as it once found it.',
  seed: 1012,
  search: { ...networkEvozero.search, without: ['feedback'] },
  islands: { ...networkEvozero.islands, count: 3 },
  stop: { ...networkEvozero.stop, fitness: 0.8 },
} satisfies ConfigInput;
