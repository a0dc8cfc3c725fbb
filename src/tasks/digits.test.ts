// The embedded digits against the published file.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { digitImages } from './digits.js';

const PUBLISHED = new URL('../../../shared/data/digits/digits.csv.gz', import.meta.url);

test('are the 1,797 published images, each once', () => {
  const rows = gunzipSync(readFileSync(PUBLISHED)).toString().trim().split('\n');
  const embedded = (['train', 'test'] as const).flatMap((part) => {
    const { count, dimension, pixels, labels } = digitImages(part);
    return Array.from({ length: count }, (_, k) =>
      [...pixels.subarray(k * dimension, (k + 1) * dimension), labels[k]].join(),
    );
  });
  expect(embedded).toHaveLength(1797);
  expect([...embedded].sort()).toEqual([...rows].sort());
});

test('keep 34 images of each digit for the final evaluation', () => {
  const counts = new Array<number>(10).fill(0);
  for (const label of digitImages('test').labels) counts[label]!++;
  expect(counts).toEqual(new Array(10).fill(34));
});
