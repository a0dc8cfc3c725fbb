import { describe, expect, test } from 'vitest';
import { mean, standardDeviation } from '../util/stats.js';
import { ownFloats, sharedFloats } from './allocate.js';
import { DataError } from './data-error.js';
import {
  buildImageTask,
  chooseExamples,
  type ImageSource,
  type ImageTaskRecipe,
  projectionSeed,
} from './image-task.js';
import type { Images } from './images.js';
import { drawProjection } from './projection.js';
import { allocateTask, type TaskMemory } from './task-memory.js';

const CLASSES = 10;
const DIMENSION = 12;

/** Pixel 1 is black in all of them. */
function imagesOf(perClass: number, salt: number): Images {
  const count = CLASSES * perClass;
  const labels = Uint8Array.from({ length: count }, (_, place) => place % CLASSES);
  const pixels = Uint8Array.from(
    { length: count * DIMENSION },
    (_, k) => (Math.imul(k + salt, 2654435761) >>> 11) & 255,
  );
  for (let place = 0; place < count; place++) pixels[place * DIMENSION + 1] = 0;
  return { count, dimension: DIMENSION, pixels, labels };
}

const images = imagesOf(50, 1);
const testImages = imagesOf(20, 9999);
const split: ImageSource = { name: 'toy', train: images, valid: images, classes: CLASSES };
const final: ImageSource = { name: 'toy', train: images, valid: testImages, classes: CLASSES };
const pair: ImageTaskRecipe = { classes: [7, 2], kind: 'binary', trainCount: 40, validCount: 20, seed: 5 };
const all: ImageTaskRecipe = {
  classes: Array.from({ length: CLASSES }, (_, k) => k),
  kind: 'multiclass',
  trainCount: 400,
  validCount: 100,
  seed: 5,
};

function build(source: ImageSource, recipe: ImageTaskRecipe): TaskMemory {
  const memory = allocateTask({ ...recipe, features: recipe.features ?? DIMENSION }, ownFloats);
  buildImageTask(source, recipe, memory);
  return memory;
}

function countOf(labels: Uint8Array): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}

describe('chooseExamples', () => {
  test('takes equally many images of each class, each image once', () => {
    const { train, valid } = chooseExamples(split, pair);
    expect(countOf(train.labels)).toEqual({ 0: 20, 1: 20 });
    expect(countOf(valid.labels)).toEqual({ 0: 10, 1: 10 });
    expect(new Set([...train.places, ...valid.places]).size).toBe(60);
  });

  test('labels a pair by its order, and many classes by their numbers', () => {
    const { train } = chooseExamples(split, pair);
    train.places.forEach((place, k) => {
      expect(images.labels[place]).toBe([7, 2][train.labels[k]!]);
    });
    const many = chooseExamples(split, all);
    many.valid.places.forEach((place, k) => {
      expect(images.labels[place]).toBe(many.valid.labels[k]);
    });
    expect(Object.values(countOf(many.train.labels))).toEqual(new Array(10).fill(40));
  });

  test('mixes the classes', () => {
    const { labels } = chooseExamples(split, pair).train;
    const changes = labels.filter((label, k) => k > 0 && label !== labels[k - 1]).length;
    expect(changes).toBeGreaterThan(10);
  });

  test('can use every image, also where the numbers are odd', () => {
    for (const trainCount of [1, 33, 77, 99]) {
      const { train, valid } = chooseExamples(split, { ...pair, trainCount, validCount: 100 - trainCount });
      expect(new Set([...train.places, ...valid.places]).size).toBe(100);
      for (const { labels } of [train, valid]) {
        const { 0: zeros = 0, 1: ones = 0 } = countOf(labels);
        expect(Math.abs(zeros - ones)).toBeLessThanOrEqual(1);
      }
    }
  });

  test('validates on the same images, however many train', () => {
    const few = chooseExamples(split, { ...pair, trainCount: 4 });
    const many = chooseExamples(split, { ...pair, trainCount: 60 });
    expect(few.valid).toEqual(many.valid);
    expect([...many.train.places]).toEqual(expect.arrayContaining([...few.train.places]));
  });

  test('draws other images with another seed, and the same with the same', () => {
    expect(chooseExamples(split, pair)).toEqual(chooseExamples(split, pair));
    expect(chooseExamples(split, { ...pair, seed: 6 })).not.toEqual(chooseExamples(split, pair));
  });

  test.each([split, final])('draws the images, their order and the projection from the seed, each: %#', (source) => {
    const [a, b] = [5, 6].map((seed) => chooseExamples(source, { ...pair, seed }));
    for (const part of ['train', 'valid'] as const) {
      expect(a![part].places.toSorted()).not.toEqual(b![part].places.toSorted());
      expect(a![part].labels).not.toEqual(b![part].labels);
    }
    expect(projectionSeed({ ...pair, seed: 6 })).not.toBe(projectionSeed(pair));
  });

  test('draws the images of each class on their own', () => {
    // Image k * 10 + c is number k of class c.
    const { train, valid } = chooseExamples(split, pair);
    const places = [...train.places, ...valid.places];
    const numbers = [7, 2].map((c) => places.filter((place) => place % 10 === c).map((place) => (place - c) / 10));
    expect(numbers[0]!.toSorted()).not.toEqual(numbers[1]!.toSorted());
  });

  test('names the class that has too few images', () => {
    expect(() => chooseExamples(split, { ...pair, trainCount: 82 })).toThrow(DataError);
    expect(() => chooseExamples(split, { ...pair, trainCount: 82 })).toThrow(
      'toy: class 7 has 40 images left for training, and 41',
    );
    expect(() => chooseExamples(final, { ...pair, validCount: 42 })).toThrow(
      'class 7 has 20 images left for validation',
    );
  });
});

describe('buildImageTask', () => {
  const projected = { ...pair, features: 6 };

  test('standardizes projected features by the training examples alone', () => {
    const { train, valid } = build(split, projected);
    for (let j = 0; j < 6; j++) {
      const column = Array.from({ length: 40 }, (_, k) => train.features[k * 6 + j]!);
      expect(mean(column)).toBeCloseTo(0, 12);
      expect(standardDeviation(column)).toBeCloseTo(1, 12);
    }
    const first = Array.from({ length: 20 }, (_, k) => valid.features[k * 6]!);
    expect(Math.abs(mean(first))).toBeGreaterThan(1e-6);
  });

  test('does not look at validation images when it scales', () => {
    const changed = { ...testImages, pixels: testImages.pixels.map((pixel) => 255 - pixel) };
    const before = build(final, projected);
    const after = build({ ...final, valid: changed }, projected);
    expect(after.train).toEqual(before.train);
    expect(after.valid.features).not.toEqual(before.valid.features);
  });

  test('projects by a Gaussian matrix: the features are those of the definition', () => {
    const { train, valid } = chooseExamples(split, projected);
    const sums = (places: Uint32Array, rows: Int16Array) =>
      Array.from(places, (place) =>
        Array.from({ length: 6 }, (_, j) => {
          let sum = 0;
          for (let k = 0; k < DIMENSION; k++) sum += images.pixels[place * DIMENSION + k]! * rows[j * DIMENSION + k]!;
          return sum;
        }),
      );
    const { rows } = drawProjection(6, DIMENSION, projectionSeed(projected));
    const trainSums = sums(train.places, rows);
    const built = build(split, projected);
    for (let j = 0; j < 6; j++) {
      const column = trainSums.map((row) => row[j]!);
      const [centre, deviation] = [mean(column), standardDeviation(column)];
      sums(valid.places, rows).forEach((row, k) => {
        expect(built.valid.features[k * 6 + j]).toBeCloseTo((row[j]! - centre) / deviation, 10);
      });
    }
  });

  test('centres whole images pixel by pixel and divides them by one number', () => {
    const { train } = build(final, pair);
    const columns = Array.from({ length: DIMENSION }, (_, j) =>
      Array.from({ length: 40 }, (_, k) => train.features[k * DIMENSION + j]!),
    );
    for (const column of columns) expect(mean(column)).toBeCloseTo(0, 12);
    expect(mean(columns.map((column) => standardDeviation(column) ** 2))).toBeCloseTo(1, 12);
    expect(columns[1]).toEqual(new Array(40).fill(0));
    const raw = chooseExamples(final, pair).train.places;
    const pixel = (k: number) => images.pixels[raw[k]! * DIMENSION + 3]!;
    const ratio = (columns[3]![0]! - columns[3]![1]!) / (pixel(0) - pixel(1));
    expect((columns[3]![2]! - columns[3]![3]!) / (pixel(2) - pixel(3))).toBeCloseTo(ratio, 12);
  });

  test('takes whole validation images from where they are kept apart', () => {
    const { train, valid } = build(final, pair);
    const chosen = chooseExamples(final, pair);
    const at = (part: 'train' | 'valid', j: number) =>
      Array.from(chosen[part].places, (place) => final[part].pixels[place * DIMENSION + j]!);
    const variances = Array.from({ length: DIMENSION }, (_, j) => standardDeviation(at('train', j)) ** 2);
    const common = Math.sqrt(mean(variances));
    for (let j = 0; j < DIMENSION; j++) {
      const centre = mean(at('train', j));
      at('valid', j).forEach((pixel, k) => {
        expect(valid.features[k * DIMENSION + j]).toBeCloseTo((pixel - centre) / common, 10);
      });
    }
    expect([...train.labels, ...valid.labels]).toEqual([...chosen.train.labels, ...chosen.valid.labels]);
  });

  test('leaves a feature that never changes at zero', () => {
    const black = { ...images, pixels: new Uint8Array(images.pixels.length) };
    for (const recipe of [projected, pair]) {
      const { train, valid } = build({ ...split, train: black, valid: black }, recipe);
      expect([...train.features, ...valid.features].every((x) => x === 0)).toBe(true);
    }
  });

  test('is the same in shared memory and in memory of its own, whatever was in it', () => {
    const shared = allocateTask({ ...projected }, sharedFloats);
    shared.numbers.fill(Number.NaN);
    buildImageTask(split, projected, shared);
    expect(shared.numbers.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(Array.from(shared.numbers)).toEqual(Array.from(build(split, projected).numbers));
  });
});
