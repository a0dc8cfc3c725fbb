// What `npm start` runs: the original's demo, searched by our own method (docs/discovery.md), which needs less than half of the time.
import type { ConfigInput } from '../config.js';
import { linear } from './linear.js';

export const linearEvozero = {
  ...linear,
  about: 'Discovers linear regression by gradient descent, in seconds, by our own method, evozero.',
  search: { ...linear.search, method: 'evozero', population: 500, tournament: 3 },
  // Most searches that succeed do so early; one that is stuck begins again with other tasks.
  experiment: { algorithms: 300_000, noProgress: 50_000 },
} satisfies ConfigInput;
