// Figure 4, "affine regressor": the whole algorithm, with the ops and sizes of the known solution.
import type { ConfigInput } from '../config.js';
import { figure4 } from './figure-4.js';

export const affine = {
  about: 'Discovers affine regression in the space that the paper gives it (figure 4, full algorithm).',
  space: {
    memory: { scalars: 5, vectors: 3, matrices: 1 },
    setup: { ops: [56, 57], min: 6, max: 6 },
    predict: { ops: [1, 27], min: 2, max: 2 },
    learn: { ops: [1, 2, 3, 18, 23], min: 6, max: 6 },
  },
  ...figure4('affine'),
  experiment: { algorithms: 100_000 },
} satisfies ConfigInput;
