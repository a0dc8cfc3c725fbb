// The readers of published formats, on bytes made here and on MATLAB files that SciPy wrote (tests/fixtures/matlab/make.py).
import { readFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DataError } from '../data-error.js';
import { ByteReader, type ByteStream } from './byte-reader.js';
import { readIdx } from './idx.js';
import { readMatlab } from './matlab.js';
import { readRecords } from './records.js';

/** Bytes in pieces of a size that fits nothing. */
async function* pieces(bytes: Uint8Array, size: number): ByteStream {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const readerOf = (bytes: Uint8Array | readonly number[], size = 7) =>
  new ByteReader('file', pieces(Uint8Array.from(bytes), size));

describe('readRecords', () => {
  const shape = { dimension: 4, classes: 10 };
  const two = [3, 10, 11, 12, 13, 9, 20, 21, 22, 23];

  test.each([1, 2, 7, 100])('reads labels and pixels, in pieces of %d bytes', async (size) => {
    const images = await readRecords(readerOf(two, size), shape);
    expect(images.count).toBe(2);
    expect([...images.labels]).toEqual([3, 9]);
    expect([...images.pixels]).toEqual([10, 11, 12, 13, 20, 21, 22, 23]);
  });

  test('reads more than it had room for', async () => {
    const record = (k: number) => [k % 10, ...Array.from({ length: 4000 }, (_, j) => (k + j) % 251)];
    const bytes = new Uint8Array(600 * 4001);
    for (let k = 0; k < 600; k++) bytes.set(record(k), 4001 * k);
    const { count, pixels, labels } = await readRecords(readerOf(bytes, 65_536), { dimension: 4000, classes: 10 });
    expect(count).toBe(600);
    for (const k of [0, 261, 262, 599]) {
      expect([labels[k], ...pixels.subarray(4000 * k, 4000 * k + 4000)]).toEqual(record(k));
    }
  });

  test.each([
    ['nothing', [], 'file: is empty (at byte 0)'],
    [
      'a file that ends too early',
      two.slice(0, 8),
      'file: ends in the middle of record 2, which has 5 bytes (at byte 8)',
    ],
    [
      'a label out of range',
      [...two, 10, 0, 0, 0, 0],
      'file: record 3 has label 10, and labels are 0 to 9 (at byte 10)',
    ],
  ])('refuses %s', async (_, bytes, message) => {
    await expect(readRecords(readerOf(bytes), shape)).rejects.toThrow(new DataError(message));
  });
});

describe('readIdx', () => {
  const shape = { width: 3, height: 2, classes: 10 };
  const word = (x: number) => [x >>> 24, (x >>> 16) & 255, (x >>> 8) & 255, x & 255];
  const pixels = Array.from({ length: 12 }, (_, k) => k * 20);
  const images = (count = 2, rows = 2, columns = 3, magic = 0x803) => [
    ...word(magic),
    ...word(count),
    ...word(rows),
    ...word(columns),
    ...pixels,
  ];
  const labels = (...values: number[]) => [...word(0x801), ...word(values.length), ...values];
  const read = (a: number[], b: number[]) =>
    readIdx(readerOf(a), new ByteReader('labels', pieces(Uint8Array.from(b), 3)), shape);

  test('reads images and labels', async () => {
    const found = await read(images(), labels(0, 9));
    expect(found).toMatchObject({ count: 2, dimension: 6 });
    expect([...found.pixels]).toEqual(pixels);
    expect([...found.labels]).toEqual([0, 9]);
  });

  test.each([
    [
      'another magic number',
      images(2, 2, 3, 0x801),
      labels(0, 9),
      'file: is not an IDX file of images: begins with 0x00000801, not 0x00000803',
    ],
    ['images in place of labels', images(), images(), 'labels: is not an IDX file of labels: begins with 0x00000803'],
    ['another size', images(2, 3, 2), labels(0, 9), 'file: has images of 3 rows and 2 columns, not 2 and 3'],
    ['missing images', images(3), labels(0, 9, 1), 'file: ends in the middle of its 3 images'],
    ['more images than it says', images(1), labels(0), 'file: goes on after what should be its end'],
    ['fewer labels', images(), labels(1), 'labels: has 1 labels for the 2 images of file'],
    ['more labels than it says', images(), [...labels(1, 2), 3], 'labels: goes on after what should be its end'],
    ['a label out of range', images(), labels(1, 10), 'labels: label 2 is 10, and labels are 0 to 9 (at byte 9)'],
    ['no images', images(0), labels(), 'file: says that it has 0 items'],
    ['a header that asks for all memory', images(0xffffffff), labels(), 'file: says that it has 4294967295 items'],
    ['a header that is cut off', images().slice(0, 9), labels(), 'file: ends in the middle of its header'],
  ])('refuses %s', async (_, a, b, message) => {
    await expect(read(a, b)).rejects.toThrow(DataError);
    await expect(read(a, b)).rejects.toThrow(message);
  });
});

describe('readMatlab', () => {
  const shape = { width: 3, height: 2, channels: 3, classes: 10 };
  const fixture = (name: string) =>
    readFileSync(new URL(`../../../tests/fixtures/matlab/${name}.mat`, import.meta.url));
  async function* inflate(stream: ByteStream): ByteStream {
    const parts: Uint8Array[] = [];
    for await (const part of stream) parts.push(Uint8Array.from(part));
    yield* pieces(inflateSync(Buffer.concat(parts)), 11);
  }
  const read = (bytes: Uint8Array, size = 13) =>
    readMatlab(new ByteReader('file', pieces(bytes, size)), shape, inflate);
  /** Row after row, channel after channel, as make.py has it. */
  const pixel = (n: number) =>
    [0, 1, 2].flatMap((channel) =>
      [0, 1].flatMap((row) => [0, 1, 2].map((column) => 36 * n + 12 * channel + 4 * row + column)),
    );

  test.each(['plain', 'compressed', 'labels-first'])('reads %s.mat of SciPy', async (name) => {
    for (const size of [1, 13, 100_000]) {
      const images = await read(fixture(name), size);
      expect(images).toMatchObject({ count: 4, dimension: 18 });
      expect([...images.labels]).toEqual([1, 0, 3, 2]);
      expect([...images.pixels]).toEqual([0, 1, 2, 3].flatMap(pixel));
    }
  });

  test('reads a single image, which MATLAB stores with three dimensions', async () => {
    const images = await read(fixture('one-image'));
    expect([...images.pixels]).toEqual(pixel(0));
  });

  test.each([
    ['no-labels', 'file: has no variable y'],
    ['wrong-shape', 'file: has an array X of 2x2x3x4, not 2x3x3x(number of images)'],
    ['floats', 'file: has an array X that is not of bytes'],
    ['label-11', 'label 2 in y is 11, and labels are 1 to 10'],
    ['three-labels', 'file: has 3 labels for 4 images'],
  ])('refuses %s.mat', async (name, message) => {
    await expect(read(fixture(name))).rejects.toThrow(DataError);
    await expect(read(fixture(name))).rejects.toThrow(message);
  });

  test('refuses files of other kinds', async () => {
    const text = (start: string) => Buffer.from(start.padEnd(200, ' '));
    await expect(read(text('MATLAB 7.3 MAT-file'))).rejects.toThrow("version 7.3; save it with '-v7'");
    await expect(read(text('PK archive'))).rejects.toThrow('is not a MATLAB file of version 5');
    await expect(read(Buffer.from('short'))).rejects.toThrow('ends in the middle of its header');
  });

  test('refuses every file that is cut off, without anything but a DataError', async () => {
    for (const name of ['plain', 'labels-first']) {
      const bytes = fixture(name);
      for (let length = 0; length < bytes.length; length += 3) {
        const outcome = await read(bytes.subarray(0, length), 64).then(
          () => 'read',
          (error: unknown) =>
            error instanceof DataError || (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? 'refused' : error,
        );
        expect(outcome).toBe('refused');
      }
    }
  });

  const word = (...values: number[]) => values.flatMap((x) => [x >>> 24, (x >>> 16) & 255, (x >>> 8) & 255, x & 255]);
  const padded = (bytes: number[]) => [...bytes, ...new Array((8 - (bytes.length % 8)) % 8).fill(0)];
  const element = (type: number, bytes: number[]) => [...word(type, bytes.length), ...padded(bytes)];
  const variable = (name: string, dimensions: number[], type: number, bytes: number[], flags = 9) =>
    element(14, [
      ...element(6, word(flags, 0)),
      ...element(5, word(...dimensions)),
      // A small element: its data lies in its tag.
      ...word((1 << 16) | 1),
      name.charCodeAt(0),
      0,
      0,
      0,
      ...element(type, bytes),
    ]);
  const bigEndian = (...parts: number[][]) =>
    Uint8Array.from([
      ...Buffer.from('MATLAB 5.0 MAT-file'.padEnd(124, ' ')),
      1,
      0,
      ...Buffer.from('MI'),
      ...parts.flat(),
    ]);
  const X = variable(
    'X',
    [2, 3, 3, 1],
    2,
    Array.from({ length: 18 }, (_, k) => k),
  );
  const y = variable('y', [1, 1], 4, [0, 10]);

  test.each([
    [
      'complex numbers',
      [variable('X', [2, 3, 3, 1], 2, new Array(18).fill(0), 9 | 0x800), y],
      'X that is not an array',
    ],
    ['cells', [X, variable('y', [1, 1], 4, [0, 10], 1)], 'y that is not an array of numbers'],
    ['half a class', [X, variable('y', [1, 1], 7, word(0x3fc00000))], 'label 1 in y is 1.5'],
    ['class 0', [X, variable('y', [1, 1], 4, [0, 0])], 'label 1 in y is 0, and labels are 1 to 10'],
    ['five dimensions', [variable('X', [2, 3, 3, 1, 1], 2, new Array(18).fill(0)), y], 'X of 2x3x3x1x1'],
    ['no images', [variable('X', [2, 3, 3, 0], 2, []), variable('y', [0, 1], 4, [])], 'X of 0 bytes, not 0'],
    ['a variable that is longer than it says', [[...word(14, 16), ...X.slice(8)], y], 'longer than it says'],
    ['a damaged tag', [[...word(14, 16), ...word((5 << 16) | 6), 0, 0, 0, 9]], 'has a damaged tag'],
    ['HDF5', [], "version 7.3; save it with '-v7'"],
  ])('refuses %s', async (name, parts, message) => {
    const bytes = bigEndian(...parts);
    if (name === 'HDF5') bytes.set(Buffer.from('\x89HDF', 'latin1'));
    await expect(read(bytes)).rejects.toThrow(DataError);
    await expect(read(bytes)).rejects.toThrow(message);
  });

  test('refuses a compressed part that goes on after its variable', async () => {
    const packed = (bytes: number[]) => {
      const data = [...deflateSync(Uint8Array.from(bytes))];
      return [...word(15, data.length), ...data];
    };
    expect((await read(bigEndian(packed(X), packed(y)))).count).toBe(1);
    await expect(read(bigEndian(packed([...X, ...X]), packed(y)))).rejects.toThrow(
      'goes on after what should be its end',
    );
  });

  test('skips elements of other types', async () => {
    expect((await read(bigEndian(element(2, [1, 2, 3, 4, 5, 6, 7, 8]), X, y))).count).toBe(1);
  });

  test('reads big-endian files', async () => {
    const images = await read(bigEndian(X, y));
    expect([...images.labels]).toEqual([0]);
    // Column after column becomes row after row.
    expect([...images.pixels.subarray(0, 6)]).toEqual([0, 2, 4, 1, 3, 5]);
  });
});
