// How predictions become errors and fitness: normalization, the three losses, and their arithmetic. The definition that
// every engine follows (docs/fidelity.md, "Training loop"). Must not know programs.
import { sum } from '../ops/semantics.js';
import { arctan, exp } from '../util/elementary.js';
import { CLASSES, type Loss } from './engine.js';

export function sigmoid(x: number): number {
  return 1 / (1 + exp(-x));
}

/** Turns the first components into probabilities of the classes and the others into zero. */
function softmax(prediction: Float64Array): void {
  const classes = prediction.subarray(0, CLASSES);
  const largest = classes.reduce((a, b) => Math.max(a, b));
  for (let k = 0; k < CLASSES; k++) classes[k] = exp(classes[k]! - largest);
  const total = sum(CLASSES, (k) => classes[k]!);
  for (let k = 0; k < CLASSES; k++) classes[k]! /= total;
  prediction.fill(0, CLASSES);
}

/** What Learn sees as the prediction: a probability in classification. Changes the prediction in place. */
export function normalize(loss: Loss, prediction: Float64Array): void {
  if (loss === 'accuracy') prediction[0] = sigmoid(prediction[0]!);
  if (loss === 'multiclass') softmax(prediction);
}

/** The error of a normalized prediction in training. */
export function trainingError(loss: Loss, label: number, prediction: Float64Array): number {
  return loss === 'multiclass' ? Math.abs(1 - prediction[label]!) : Math.abs(label - prediction[0]!);
}

/** The class with the largest component, the first of equals. */
function mostLikely(prediction: Float64Array): number {
  let best = 0;
  for (let k = 1; k < CLASSES; k++) if (prediction[k]! > prediction[best]!) best = k;
  return best;
}

/** The error of a prediction as Predict left it, in validation. In classification NaN counts as class 0. */
export function validationError(loss: Loss, label: number, prediction: Float64Array): number {
  switch (loss) {
    case 'rms':
      return Math.abs(label - prediction[0]!);
    case 'accuracy':
      return label > 0.5 === sigmoid(prediction[0]!) > 0.5 ? 0 : 1;
    case 'multiclass':
      return mostLikely(prediction) === label ? 0 : 1;
  }
}

/**
 * Fitness from the sum of the squared errors of `count` validation examples, added in their order. Errors of classification
 * are 0 or 1, and so are their squares.
 */
export function fitnessOf(loss: Loss, squaredErrors: number, count: number): number {
  if (loss !== 'rms') return 1 - squaredErrors / count;
  return 1 - (2 / Math.PI) * arctan(Math.sqrt(squaredErrors / count));
}
