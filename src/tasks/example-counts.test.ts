import { expect, test } from 'vitest';
import { exampleCounts } from './example-counts.js';

const usual = { trainCount: 8000, validCount: 2000 };
const cifar = { train: new Array<number>(10).fill(5000) };
const rare = { train: [1000, 900, 1000] };

test.each([
  ['the usual numbers where there are enough', cifar, {}, [8000, 2000]],
  ['fewer in the same ratio where there are not', rare, {}, [1440, 360]],
  ['at least one of both', { train: [2, 1] }, {}, [1, 1]],
  ['what was asked for', cifar, { train: 800, valid: 100 }, [800, 100]],
  ['what was asked for, and less of the other', cifar, { train: 9000 }, [9000, 1000]],
  ['what was asked for, and less training', cifar, { valid: 9000 }, [1000, 9000]],
  ['all of both', cifar, { train: 1, valid: 9999 }, [1, 9999]],
  ['images of their own for validation', { ...cifar, valid: [1000, 892] }, {}, [8000, 1784]],
  ['more training images where validation has its own', { ...cifar, valid: [1000] }, { train: 10_000 }, [10_000, 2000]],
])('%s', (_, available, wanted, [trainCount, validCount]) => {
  expect(exampleCounts('toy', available, 2, wanted, usual)).toEqual({ trainCount, validCount });
});

test.each([
  [
    cifar,
    { train: 9000, valid: 2000 },
    'toy: 11,000 training and validation examples were asked for, and its images suffice for 10,000',
  ],
  [cifar, { train: 10_000 }, '10,000 training examples were asked for, and its images suffice for 9,999'],
  [cifar, { valid: 20_000 }, '20,000 validation examples'],
  [
    { ...cifar, valid: [500] },
    { valid: 1001 },
    '1,001 validation examples were asked for, and its images suffice for 1,000',
  ],
  [{ ...cifar, valid: [500] }, { train: 10_001 }, '10,001 training examples'],
])('refuses more than there is: %#', (available, wanted, message) => {
  expect(() => exampleCounts('toy', available, 2, wanted, usual)).toThrow(message);
});
