// Figure 4, "linear regressor": the whole algorithm, with the ops and sizes of the known solution.
import type { ConfigInput } from '../config.js';
import { figure4 } from './figure-4.js';

export const linearPaper = {
  about: 'Discovers linear regression in the space that the paper gives it (figure 4, full algorithm).',
  space: {
    memory: { scalars: 4, vectors: 3, matrices: 1 },
    setup: { ops: [56, 57], min: 5, max: 5 },
    predict: { ops: [27], min: 1, max: 1 },
    learn: { ops: [2, 3, 18, 23], min: 4, max: 4 },
  },
  ...figure4('linear'),
  experiment: { algorithms: 10_000 },
} satisfies ConfigInput;
