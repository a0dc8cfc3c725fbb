// Random projections of images (paper, supplement "Tasks"): every feature is the sum of the pixels times draws of
// Gaussian(0, 1). The draws are rounded to multiples of 1/2048, so that all sums are sums of integers: exact, the same on every
// machine in any order, and eight products at a time in SIMD (docs/decisions/0008-integer-projections.md).

import { heap } from '../engine/wasm/heap.js';
import { roundUp } from '../engine/wasm/layout.js';
import { RandomStream } from '../util/random.js';
import { wasm } from '../wasm/api.js';
import {
  branchIf,
  type Code,
  get,
  i32,
  i32x4,
  type Local,
  loop,
  ModuleBuilder,
  set,
  tee,
  v128,
} from '../wasm/assembler.js';
import type { Images } from './images.js';

/** What 1 is in a matrix. No draw reaches 9 standard deviations, so 16 bits hold them all. */
export const UNIT = 2048;

/** Pixels are taken so many at a time; a row of a matrix or an image ends with zeros up to a multiple. */
const STEP = 8;
/** Images and rows that the kernel works on together: eight sums stay in registers. */
const IMAGES_AT_ONCE = 2;
const ROWS_AT_ONCE = 4;
/** Images that are copied to the kernel's memory together: with a few rows they fit into the cache. */
const BLOCK = 64;
const BYTES_OF_WEIGHT = 2;
const BYTES_OF_SUM = 4;
const MAX_PIXEL = 255;
const MAX_SUM = 2 ** 31 - 1;

interface Projection {
  readonly features: number;
  readonly dimension: number;
  /** Row after row, one for each feature, in units of 1/2048. */
  readonly rows: Int16Array;
}

/** The matrix of a seed. The one for fewer features is the beginning of the one for more. */
export function drawProjection(features: number, dimension: number, seed: number): Projection {
  const random = new RandomStream(seed);
  const rows = new Int16Array(features * dimension);
  for (let k = 0; k < rows.length; k++) rows[k] = Math.round(UNIT * random.gaussian());
  return { features, dimension, rows };
}

/** From images at one address to another, four rows of a matrix: four sums of each image, as 32-bit integers. */
type Kernel = (images: number, imagesEnd: number, rows: number, sums: number) => void;

/** The module for images and rows of `length` pixels, a multiple of STEP. */
function kernelBytes(length: number): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder();
  module.func({ params: ['i32', 'i32', 'i32', 'i32'], exportAs: 'project' }, (f) => {
    const [image, imagesEnd, rows, out] = f.params as [Local, Local, Local, Local];
    const { pixels, end, weights } = f.locals('i32', 'pixels', 'end', 'weights');
    const inputs = Array.from({ length: IMAGES_AT_ONCE }, () => f.local('v128'));
    const sums = inputs.map((input, i) =>
      Array.from({ length: ROWS_AT_ONCE }, (_, r) => ({ input, i, r, sum: f.local('v128') })),
    );
    const total = (sum: Local): Code =>
      [1, 2, 3].reduce<Code>((code, lane) => i32.add(code, i32x4.extract(get(sum), lane)), i32x4.extract(get(sum), 0));
    const zero = v128.const(new Array<number>(16).fill(0));
    return loop(
      sums.flat().map(({ sum }) => set(sum, zero)),
      set(weights, get(rows)),
      set(end, i32.add(tee(pixels, get(image)), i32.const(length))),
      loop(
        inputs.map((input, i) => set(input, v128.load8x8U(get(pixels), i * length))),
        sums.flat().map(({ input, r, sum }) => {
          const row = v128.load(get(weights), r * BYTES_OF_WEIGHT * length);
          return set(sum, i32x4.add(get(sum), i32x4.dot16(get(input), row)));
        }),
        set(weights, i32.add(get(weights), i32.const(BYTES_OF_WEIGHT * STEP))),
        branchIf(0, i32.ne(tee(pixels, i32.add(get(pixels), i32.const(STEP))), get(end))),
      ),
      sums.flat().map(({ i, r, sum }) => i32.store(get(out), BYTES_OF_SUM * (i * ROWS_AT_ONCE + r), total(sum))),
      set(out, i32.add(get(out), i32.const(BYTES_OF_SUM * IMAGES_AT_ONCE * ROWS_AT_ONCE))),
      branchIf(0, i32.ltU(tee(image, i32.add(get(image), i32.const(IMAGES_AT_ONCE * length))), get(imagesEnd))),
    );
  });
  return module.bytes();
}

const kernels = new Map<number, Kernel>();

function kernelFor(length: number): Kernel {
  let kernel = kernels.get(length);
  if (kernel === undefined) {
    const instance = new wasm.Instance(new wasm.Module(kernelBytes(length)), { env: { memory: heap.memory } });
    kernel = (instance.exports as { project: Kernel }).project;
    kernels.set(length, kernel);
  }
  return kernel;
}

/** Every sum must fit into 32 bits, whatever the pixels are. With Gaussian draws it does up to about 5,000 pixels. */
function checkSums({ features, dimension, rows }: Projection): void {
  for (let j = 0; j < features; j++) {
    const row = rows.subarray(j * dimension, (j + 1) * dimension);
    const largest = row.reduce((sum, x) => sum + MAX_PIXEL * Math.abs(x), 0);
    if (largest > MAX_SUM) throw new RangeError('too many pixels for sums of 32 bits');
  }
}

/** Copies the matrix, row after row, each with zeros up to `length`. */
function copyMatrix(
  { features: F, dimension, rows }: Projection,
  length: number,
  address: number,
  bytes: number,
): void {
  heap.u8.fill(0, address, address + bytes);
  const weights = new Int16Array(heap.u8.buffer, address, bytes / BYTES_OF_WEIGHT);
  for (let j = 0; j < F; j++) weights.set(rows.subarray(j * dimension, (j + 1) * dimension), j * length);
}

function copyImages({ pixels, dimension }: Images, places: Uint32Array, length: number, address: number): void {
  places.forEach((place, k) => {
    heap.u8.set(pixels.subarray(place * dimension, (place + 1) * dimension), address + k * length);
  });
}

/** Copies the sums of some rows, from `firstRow` on, to the features of the images from `first` on. */
function copySums(
  address: number,
  count: number,
  first: number,
  firstRow: number,
  F: number,
  features: Float64Array,
): void {
  const rows = Math.min(ROWS_AT_ONCE, F - firstRow);
  for (let i = 0; i < count; i++) {
    const from = address / BYTES_OF_SUM + i * ROWS_AT_ONCE;
    const to = (first + i) * F + firstRow;
    for (let r = 0; r < rows; r++) features[to + r] = heap.i32[from + r]!;
  }
}

/** Writes the sums of the images at `places`, F for each, in units of 1/2048: integers. */
export function project(images: Images, places: Uint32Array, projection: Projection, features: Float64Array): void {
  const { features: F, dimension } = projection;
  checkSums(projection);
  const length = roundUp(dimension, STEP);
  const kernel = kernelFor(length);
  const groups = Math.ceil(F / ROWS_AT_ONCE);
  const groupBytes = BYTES_OF_WEIGHT * ROWS_AT_ONCE * length;
  const sumsBytes = BLOCK * ROWS_AT_ONCE * BYTES_OF_SUM;
  // The sums, then the matrix, then a block of images.
  const sumsAt = heap.allocate(sumsBytes + groups * groupBytes + BLOCK * length);
  const matrixAt = sumsAt + sumsBytes;
  const imagesAt = matrixAt + groups * groupBytes;
  try {
    copyMatrix(projection, length, matrixAt, groups * groupBytes);
    heap.u8.fill(0, imagesAt, imagesAt + BLOCK * length);
    for (let first = 0; first < places.length; first += BLOCK) {
      const block = places.subarray(first, first + BLOCK);
      copyImages(images, block, length, imagesAt);
      for (let group = 0; group < groups; group++) {
        kernel(imagesAt, imagesAt + block.length * length, matrixAt + group * groupBytes, sumsAt);
        copySums(sumsAt, block.length, first, group * ROWS_AT_ONCE, F, features);
      }
    }
  } finally {
    heap.release(sumsAt);
  }
}
