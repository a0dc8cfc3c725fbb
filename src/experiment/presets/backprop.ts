// Figure 5 as the paper ran it: the space of `network`, on teacher networks, with workers in four groups that trade examples and tasks
// for population.
import type { ConfigInput } from '../config.js';
import { network } from './network.js';

export const backprop = {
  ...network,
  about:
    'Rediscovers neural networks with backpropagation from teacher networks (figure 5), at the scale of the paper.',
  islands: {
    // Training examples, tasks, population.
    vary: [
      [
        { train: 100_000, count: 100, population: 100 },
        { train: 100_000, count: 22, population: 215 },
        { train: 10_000, count: 5, population: 464 },
        { train: 100, count: 1, population: 1000 },
      ],
    ],
  },
  stop: { fitness: network.stop.fitness, minutes: 600 },
} satisfies ConfigInput;
