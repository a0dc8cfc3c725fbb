// Ways to evaluate candidates on tasks of some twenty examples.
import type { EvaluationOptions, HurdleStage } from '../../src/evaluate/candidate-evaluator.js';

/** Everything is evaluated in full. */
export const PLAIN: EvaluationOptions = {
  precision: 'f64',
  epochs: 1,
  fitness: 'mean',
  budget: null,
  fingerprint: null,
  hurdles: null,
};

export const FINGERPRINT = { train: 4, valid: 3, tasks: 2, cache: 1000 };

export const STAGES: readonly HurdleStage[] = [
  { train: 3, valid: 2, epochs: 1 },
  { train: 8, valid: 4, epochs: 1 },
];
