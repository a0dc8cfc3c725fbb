// The embedded digits as a table, so that there is one without any file. Must not know what is done with it.
import { DIGITS_DIMENSION, digitImages } from '../../tasks/digits.js';
import type { Table } from '../../tasks/tabular/table.js';

export const DIGIT_COLUMN = 'digit';

/** A column for each of the 64 pixels, and the digit; training images, then test images. */
export function digitsTable(): Table {
  const header = [...Array.from({ length: DIGITS_DIMENSION }, (_, k) => `pixel${k + 1}`), DIGIT_COLUMN];
  const rows = (['train', 'test'] as const).flatMap((part) => {
    const { count, pixels, labels } = digitImages(part);
    return Array.from({ length: count }, (_, k) =>
      [...pixels.subarray(k * DIGITS_DIMENSION, (k + 1) * DIGITS_DIMENSION), labels[k]!].map(String),
    );
  });
  return { name: 'digits', header, rows };
}
