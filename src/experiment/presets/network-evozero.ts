// Figure 5's space, searched by our own method (docs/discovery.md), with what suits it: more tasks with fewer examples, so that chance
// helps nobody, in f32; islands that train shortly, on which much is tried, beside islands that train long and longer, on which what
// they find is refined, with programs that travel between them; and short experiments with few programs, since what comes at all comes soon.
import type { ConfigInput } from '../config.js';
import { network } from './network.js';

export const networkEvozero = {
  ...network,
  about:
    'Searches for neural networks with backpropagation from random programs (figure 5) by our own method, evozero.',
  precision: 'f32',
  search: { ...network.search, method: 'evozero', population: 400, tournament: 3, without: ['feedback'] },
  tasks: { ...network.tasks, search: { ...network.tasks.search, count: 16, valid: 50 } },
  islands: { vary: [[{ train: 200 }, { train: 1000 }, { train: 5000 }]] },
  evaluation: { ...network.evaluation, fingerprint: { cache: 1_000_000 } },
  // Of each island: about three minutes of one core for all. Then the search is most often stuck, and another beginning helps.
  experiment: { steps: 3_000_000_000 },
  // As good as the known network with tuned constants, or nearly: that differs with the tasks (0.69 to 0.82).
  stop: { fitness: 0.75, minutes: 60 },
} satisfies ConfigInput;
