// A replay: `network-evozero` as it was when it invented backpropagation (docs/discovery.md), with that seed: with more programs and
// longer experiments than now. Others come sooner, but this is what textbooks have.
import type { ConfigInput } from '../config.js';
import { networkEvozero } from './network-evozero.js';

export const inventBackprop = {
  ...networkEvozero,
  about: 'Invents backpropagation from random programs, again: network-evozero, as it once found it.',
  seed: 1012,
  search: { ...networkEvozero.search, population: 4000 },
  experiment: { algorithms: 4_000_000, noProgress: 500_000 },
  islands: { ...networkEvozero.islands, count: 3 },
  stop: { ...networkEvozero.stop, fitness: 0.8 },
} satisfies ConfigInput;
