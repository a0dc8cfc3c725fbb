// The embedded images: 1,797 handwritten digits of 8 x 8 pixels with values 0 to 16 (UCI, optical recognition of handwritten
// digits; NOTICE). There is no published split: the last 34 images of each digit are the test images.

import type { Part } from './datasets.js';
import { DIGIT_ROWS } from './digits-data.js';
import type { Images } from './images.js';

const SIZE = 8;
export const DIGITS_DIMENSION = SIZE * SIZE;
const TEST_IMAGES_OF_CLASS = 34;
const ZERO = 'a'.charCodeAt(0);

interface Row {
  readonly label: number;
  readonly pixels: readonly number[];
}

/** A letter for each pixel, a for 0 to q for 16, then the digit. */
function decode(row: string): Row {
  return {
    label: Number(row[DIGITS_DIMENSION]),
    pixels: Array.from({ length: DIGITS_DIMENSION }, (_, k) => row.charCodeAt(k) - ZERO),
  };
}

function imagesOf(rows: readonly Row[]): Images {
  return {
    count: rows.length,
    dimension: DIGITS_DIMENSION,
    pixels: Uint8Array.from(rows.flatMap(({ pixels }) => pixels)),
    labels: Uint8Array.from(rows, ({ label }) => label),
  };
}

let parts: Readonly<Record<Part, Images>> | undefined;

export function digitImages(part: Part): Images {
  if (parts === undefined) {
    const rows = DIGIT_ROWS.trim().split('\n').map(decode);
    const left = new Array<number>(10).fill(0);
    for (const { label } of rows) left[label]!++;
    const isTest = rows.map(({ label }) => left[label]!-- <= TEST_IMAGES_OF_CLASS);
    parts = {
      train: imagesOf(rows.filter((_, k) => !isTest[k])),
      test: imagesOf(rows.filter((_, k) => isTest[k])),
    };
  }
  return parts[part];
}
