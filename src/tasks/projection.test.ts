import { describe, expect, test } from 'vitest';
import { heap } from '../engine/wasm/heap.js';
import { mean, standardDeviation } from '../util/stats.js';
import { drawProjection, project, UNIT } from './projection.js';

function imagesOf(count: number, dimension: number) {
  const pixels = Uint8Array.from({ length: count * dimension }, (_, k) => (Math.imul(k + 1, 2654435761) >>> 13) & 255);
  return { count, dimension, pixels, labels: new Uint8Array(count) };
}

describe('project', () => {
  test.each([
    { features: 16, dimension: 3072, count: 70 },
    { features: 5, dimension: 784, count: 129 },
    { features: 2, dimension: 13, count: 1 },
    { features: 7, dimension: 64, count: 63 },
  ])(
    'gives the sums of pixels times rows, exactly: $features x $dimension, $count images',
    ({ features, dimension, count }) => {
      const images = imagesOf(count, dimension);
      const projection = drawProjection(features, dimension, 7);
      const places = Uint32Array.from({ length: count }, (_, k) => count - 1 - k);
      const out = new Float64Array(count * features).fill(Number.NaN);
      const used = heap.used;
      project(images, places, projection, out);
      expect(heap.used).toBe(used);
      const expected = Array.from(places, (place) =>
        Array.from({ length: features }, (_, j) => {
          let sum = 0;
          for (let k = 0; k < dimension; k++) {
            sum += images.pixels[place * dimension + k]! * projection.rows[j * dimension + k]!;
          }
          return sum;
        }),
      ).flat();
      expect(Array.from(out)).toEqual(expected);
    },
  );

  test('is exact where all pixels are white and the sums are largest', () => {
    const projection = drawProjection(4, 3072, 1);
    const images = { ...imagesOf(2, 3072), pixels: new Uint8Array(2 * 3072).fill(255) };
    const out = new Float64Array(8);
    project(images, Uint32Array.of(0, 1), projection, out);
    const sum = projection.rows.subarray(0, 3072).reduce((total, x) => total + 255 * x, 0);
    expect([out[0], out[4]]).toEqual([sum, sum]);
  });

  test('refuses a matrix whose sums could leave 32 bits', () => {
    const projection = drawProjection(2, 8000, 1);
    expect(() => project(imagesOf(1, 8000), Uint32Array.of(0), projection, new Float64Array(2))).toThrow('32 bits');
  });
});

describe('drawProjection', () => {
  const { rows } = drawProjection(16, 3072, 3);

  test('draws from Gaussian(0, 1)', () => {
    const draws = Array.from(rows, (x) => x / UNIT);
    const error = 1 / Math.sqrt(draws.length);
    expect(Math.abs(mean(draws))).toBeLessThan(4 * error);
    expect(Math.abs(standardDeviation(draws) - 1)).toBeLessThan(4 * error);
    const kurtosis = mean(draws.map((x) => x ** 4));
    expect(Math.abs(kurtosis - 3)).toBeLessThan(40 * error);
  });

  test('begins with the matrix for fewer features, and another seed gives another one', () => {
    expect(drawProjection(8, 3072, 3).rows).toEqual(rows.subarray(0, 8 * 3072));
    expect(drawProjection(16, 3072, 4).rows).not.toEqual(rows);
  });
});
