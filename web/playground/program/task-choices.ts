// The tasks that a program can be tried on in the page: those that need no files. Must not know programs.
import type { NamedTaskRequest } from '../../../src/tasks/open-tasks.js';

export interface TaskChoice {
  readonly name: string;
  /** What the tasks ask for, in a few words. */
  readonly about: string;
  readonly request: NamedTaskRequest;
  readonly epochs: number;
}

const SEED = 1;
const REGRESSION = { train: 1000, valid: 100, count: 10, seed: SEED };
const DIGITS = { features: 16, seed: SEED };

export const TASK_CHOICES: readonly TaskChoice[] = [
  {
    name: 'linear',
    about: 'a weighted sum of 4 features',
    request: { name: 'linear', features: 4, ...REGRESSION },
    epochs: 1,
  },
  {
    name: 'affine',
    about: 'a weighted sum of 4 features, and a constant',
    request: { name: 'affine', features: 4, ...REGRESSION },
    epochs: 1,
  },
  {
    name: 'network',
    about: 'what a random network makes of 8 features',
    request: { name: 'network', features: 8, ...REGRESSION, train: 10_000 },
    epochs: 1,
  },
  {
    name: 'two digits',
    about: 'which of two handwritten digits an image shows',
    request: { name: 'digits-binary-search', count: 10, train: 224, valid: 56, ...DIGITS },
    epochs: 4,
  },
  {
    name: 'ten digits',
    about: 'which of the ten digits an image shows',
    request: { name: 'digits-multiclass-search', count: 3, ...DIGITS },
    epochs: 4,
  },
];

/** The first if there is none of that name. */
export function findChoice(name: string): TaskChoice {
  return TASK_CHOICES.find((choice) => choice.name === name) ?? TASK_CHOICES[0]!;
}
