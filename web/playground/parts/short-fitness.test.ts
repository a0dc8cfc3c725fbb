import { expect, it } from 'vitest';
import { shortFitness } from './short-fitness.js';

it('writes as many digits as say something, and never 1 for what is not', () => {
  expect([0, 0.32846, 0.99512, 0.99999, 0.9999999912, 1 - 2 ** -53, 1].map(shortFitness)).toEqual([
    '0.0000',
    '0.3285',
    '0.9951',
    '0.99999',
    '0.9999999912',
    'nearly 1',
    '1',
  ]);
});
