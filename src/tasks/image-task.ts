// One classification task made of images (paper, supplement "Tasks" and "Algorithm Selection and Evaluation"): which images, in
// which order, projected or whole, scaled by the training examples alone. Must not know which tasks make up a set.
import type { Examples } from '../engine/engine.js';
import { deriveSeed, RandomStream } from '../util/random.js';
import { shuffle } from '../util/shuffle.js';
import { DataError } from './data-error.js';
import { type Images, placesByClass } from './images.js';
import { drawProjection, project } from './projection.js';
import type { TaskKind } from './task-kind.js';
import type { TaskMemory } from './task-memory.js';

export type ImageTaskKind = Exclude<TaskKind, 'regression'>;

/** Everything that decides the numbers of a task, besides the images. */
export interface ImageTaskRecipe {
  /** Two class numbers, labelled 0 and 1, or all classes, labelled by their numbers. */
  readonly classes: readonly number[];
  readonly kind: ImageTaskKind;
  /** Features to project to; undefined: all pixels, centred and scaled. */
  readonly features?: number;
  readonly trainCount: number;
  readonly validCount: number;
  /** Draws the examples, their order and the projection. */
  readonly seed: number;
}

/** Where the examples come from: the same images, of which each is used once, or images that were kept apart. */
export interface ImageSource {
  readonly name: string;
  readonly train: Images;
  readonly valid: Images;
  /** Of the data set, also those that a task does not use. */
  readonly classes: number;
}

/** What a seed draws, each from a stream of its own. */
const DRAW = { trainImages: 0, validImages: 1, trainOrder: 2, validOrder: 3, projection: 4 };

/** Validation examples of a class, as equal as can be: the first classes get one more where they must differ. */
function validShare(total: number, classes: number, index: number): number {
  return Math.floor(total / classes) + (index < total % classes ? 1 : 0);
}

/** The same for training, where the last classes get one more: so that no class needs more than its part of both together. */
function trainShare(total: number, classes: number, index: number): number {
  return validShare(total, classes, classes - 1 - index);
}

interface Chosen {
  readonly places: Uint32Array;
  readonly labels: Uint8Array;
}

/** Training and validation images, equally many of each class, in a random order. */
export function chooseExamples(source: ImageSource, recipe: ImageTaskRecipe): { train: Chosen; valid: Chosen } {
  const { classes, kind, trainCount, validCount, seed } = recipe;
  const isSplit = source.train === source.valid;
  const train: [place: number, label: number][] = [];
  const valid: [place: number, label: number][] = [];
  classes.forEach((number, index) => {
    const label = kind === 'binary' ? index : number;
    const shuffled = (images: Images, draw: number): number[] => {
      const places = Array.from(placesByClass(images, source.classes)[number]!);
      shuffle(places, new RandomStream(deriveSeed(seed, draw, number)));
      return places;
    };
    const take = (places: number[], count: number, part: string): [number, number][] => {
      if (places.length < count) {
        throw new DataError(
          `${source.name}: class ${number} has ${places.length} images left for ${part}, and ${count} are asked for`,
        );
      }
      return places.splice(0, count).map((place) => [place, label]);
    };
    // Validation first: the same images are validated on, whatever the number of training examples.
    const forValid = shuffled(source.valid, DRAW.validImages);
    valid.push(...take(forValid, validShare(validCount, classes.length, index), 'validation'));
    const forTrain = isSplit ? forValid : shuffled(source.train, DRAW.trainImages);
    train.push(...take(forTrain, trainShare(trainCount, classes.length, index), 'training'));
  });
  const ordered = (examples: [number, number][], draw: number): Chosen => {
    shuffle(examples, new RandomStream(deriveSeed(seed, draw)));
    return {
      places: Uint32Array.from(examples, ([place]) => place),
      labels: Uint8Array.from(examples, ([, label]) => label),
    };
  };
  return { train: ordered(train, DRAW.trainOrder), valid: ordered(valid, DRAW.validOrder) };
}

function columnMeans({ count, features }: Examples, F: number): Float64Array {
  const means = new Float64Array(F);
  for (let k = 0; k < count * F; k += F) for (let j = 0; j < F; j++) means[j]! += features[k + j]!;
  return means.map((sum) => sum / count);
}

function columnVariances({ count, features }: Examples, F: number, means: Float64Array): Float64Array {
  const sums = new Float64Array(F);
  for (let k = 0; k < count * F; k += F) {
    for (let j = 0; j < F; j++) {
      const distance = features[k + j]! - means[j]!;
      sums[j]! += distance * distance;
    }
  }
  return sums.map((sum) => sum / count);
}

function scaleColumns({ count, features }: Examples, F: number, means: Float64Array, deviations: Float64Array): void {
  for (let k = 0; k < count * F; k += F) {
    for (let j = 0; j < F; j++) features[k + j] = (features[k + j]! - means[j]!) / deviations[j]!;
  }
}

/** A feature that never changes in training is left as it is: a distance of 0 from its mean. */
function orOne(deviation: number): number {
  return deviation === 0 ? 1 : deviation;
}

/**
 * Scales all examples by the training examples. Projected features are standardized one by one, as in the paper. Pixels are centred
 * one by one and divided by one number, the root of their mean variance: dividing each by its own deviation would make
 * pixels that are nearly always black as loud as all others, and huge where a test image is not black there.
 */
function scale({ train, valid }: TaskMemory, F: number, isProjected: boolean): void {
  const means = columnMeans(train, F);
  const variances = columnVariances(train, F, means);
  const common = orOne(Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0) / F));
  const deviations = variances.map((variance) => (isProjected ? orOne(Math.sqrt(variance)) : common));
  scaleColumns(train, F, means, deviations);
  scaleColumns(valid, F, means, deviations);
}

function copyPixels({ pixels, dimension }: Images, places: Uint32Array, features: Float64Array): void {
  places.forEach((place, k) => {
    features.set(pixels.subarray(place * dimension, (place + 1) * dimension), k * dimension);
  });
}

export function projectionSeed({ seed }: ImageTaskRecipe): number {
  return deriveSeed(seed, DRAW.projection);
}

/** Writes the numbers of a task into memory of its shape. */
export function buildImageTask(source: ImageSource, recipe: ImageTaskRecipe, memory: TaskMemory): void {
  const { dimension } = source.train;
  const F = recipe.features ?? dimension;
  const chosen = chooseExamples(source, recipe);
  const projection = recipe.features === undefined ? undefined : drawProjection(F, dimension, projectionSeed(recipe));
  for (const part of ['train', 'valid'] as const) {
    const { places, labels } = chosen[part];
    if (projection === undefined) copyPixels(source[part], places, memory[part].features);
    else project(source[part], places, projection, memory[part].features);
    memory[part].labels.set(labels);
  }
  scale(memory, F, projection !== undefined);
}
