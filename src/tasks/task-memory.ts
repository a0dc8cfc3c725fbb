// One stretch of memory for all numbers of a task, which threads can share and which is written to disk as it is. Must not know what
// the numbers mean.
import type { Examples } from '../engine/engine.js';
import type { Allocate } from './allocate.js';
import { DataError } from './data-error.js';

interface TaskShape {
  readonly features: number;
  readonly trainCount: number;
  readonly validCount: number;
}

export interface TaskMemory {
  /** Features then labels of the training examples, then of the validation examples. */
  readonly numbers: Float64Array;
  readonly train: Examples;
  readonly valid: Examples;
}

/** Of one task; more do not fit into the memory of most machines. */
const MAX_NUMBERS = 2 ** 28;

/** Throws DataError for tasks that are too large to be made. */
export function checkTaskShape({ features, trainCount, validCount }: TaskShape): void {
  const count = trainCount + validCount;
  if (features * count <= MAX_NUMBERS) return;
  const [f, n, limit] = [features, count, MAX_NUMBERS].map((x) => x.toLocaleString('en-US'));
  throw new DataError(`${f} features of ${n} examples do not fit into memory: at most ${limit} numbers do`);
}

export function allocateTask(shape: TaskShape, allocate: Allocate): TaskMemory {
  checkTaskShape(shape);
  const { features, trainCount, validCount } = shape;
  const numbers = allocate((features + 1) * (trainCount + validCount));
  const examples = (begin: number, count: number): Examples => {
    const labels = begin + count * features;
    return { count, features: numbers.subarray(begin, labels), labels: numbers.subarray(labels, labels + count) };
  };
  return { numbers, train: examples(0, trainCount), valid: examples((features + 1) * trainCount, validCount) };
}
