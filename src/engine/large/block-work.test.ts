import { afterEach, describe, expect, it } from 'vitest';
import { RandomStream } from '../../util/random.js';
import { heap } from '../wasm/heap.js';
import { combine, multiplyMany, multiplyTransposed, packedBytes } from './block-work.js';
import { largeKernels } from './compile.js';
import { Regions } from './regions.js';

// Rows and columns that fill strips and panels, that do not, and that are fewer than one.
const SIZES = [2, 3, 8, 17, 33, 64].flatMap((features) => [
  { features, precision: 'f64' as const, tolerance: 1e-12 },
  { features, precision: 'f32' as const, tolerance: 1e-4 },
]);

let regions: Regions | undefined;
afterEach(() => {
  regions?.dispose();
  expect(heap.used).toBe(0);
});

describe.each(SIZES)('at $features features in $precision', ({ features: F, precision, tolerance }) => {
  function setUp() {
    const made = new Regions();
    regions = made;
    const kernels = largeKernels(F, precision);
    const { real } = kernels.layout;
    const random = new RandomStream(F);
    const read = (address: number, count: number) =>
      Array.from(heap.numbers(real).subarray(address / real.bytes, address / real.bytes + count));
    const write = (address: number, count: number) => {
      for (let k = 0; k < count; k++) heap.numbers(real)[address / real.bytes + k] = random.gaussian();
    };
    const matrix = () => {
      const address = made.allocate(kernels.layout.operandBytes('m'));
      write(address, F * F);
      return { address, values: read(address, F * F) };
    };
    const vectors = (count: number) => {
      const first = made.allocate((count + 1) * kernels.stride);
      return Array.from({ length: count }, (_, k) => {
        const address = first + k * kernels.stride;
        write(address, F);
        return { address, values: read(address, F) };
      });
    };
    return { kernels, made, read, matrix, vectors };
  }

  function expectClose(actual: readonly number[], expected: readonly number[]): void {
    expect(actual).toHaveLength(expected.length);
    const worst = expected.reduce((most, value, k) => Math.max(most, Math.abs(value - actual[k]!)), 0);
    expect(worst).toBeLessThan(tolerance);
  }

  it.each([
    [0, 3],
    [1, 0],
    [1, 5],
    [2, 4],
  ])('combines %i bases and %i terms, in place too', (bases, count) => {
    const { kernels, made, read, matrix, vectors } = setUp();
    const parts = Array.from({ length: bases }, (_, k) => ({ ...matrix(), factor: k === 0 ? -0.5 : 2 }));
    const sides = vectors(2 * count);
    const terms = Array.from({ length: count }, (_, k) => ({
      column: sides[2 * k]!,
      row: sides[2 * k + 1]!,
      factor: k - 1.5,
    }));
    const expected = Array.from({ length: F * F }, (_, e) => {
      const ofParts = parts.reduce((sum, { values, factor }) => sum + factor * values[e]!, 0);
      const [i, j] = [Math.floor(e / F), e % F];
      return terms.reduce((sum, { column, row, factor }) => sum + factor * column.values[i]! * row.values[j]!, ofParts);
    });
    const scratch = made.allocate(packedBytes(kernels, count));
    const packed = terms.map(({ column, row, factor }) => ({ column: column.address, row: row.address, factor }));
    for (const out of [matrix().address, ...parts.slice(0, 1).map(({ address }) => address)]) {
      combine(kernels, out, parts, packed, scratch);
      expectClose(read(out, F * F), expected);
    }
  });

  it('multiplies a matrix with vectors, and transposed with one', () => {
    const { kernels, made, read, matrix, vectors } = setUp();
    const { address, values } = matrix();
    const several = vectors(5);
    const results = made.allocate(6 * kernels.stride);
    multiplyMany(kernels, address, several[0]!.address, results, 5);
    const product = (vector: readonly number[], at: (i: number, k: number) => number) =>
      Array.from({ length: F }, (_, i) => vector.reduce((sum, x, k) => sum + at(i, k) * x, 0));
    for (const [k, vector] of several.entries()) {
      expectClose(
        read(results + k * kernels.stride, F),
        product(vector.values, (i, n) => values[i * F + n]!),
      );
    }
    multiplyTransposed(kernels, address, several[1]!.address, results);
    expectClose(
      read(results, F),
      product(several[1]!.values, (i, n) => values[n * F + i]!),
    );
  });

  it('keeps the sign of zeros', () => {
    const { kernels, made, read, matrix, vectors } = setUp();
    const [column, row] = vectors(2);
    const { real } = kernels.layout;
    const fill = (address: number, value: number) =>
      heap.numbers(real).fill(value, address / real.bytes, address / real.bytes + F);
    fill(column!.address, -0);
    fill(row!.address, 1);
    const { address } = matrix();
    const term = { column: column!.address, row: row!.address, factor: 1 };
    combine(kernels, address, [], [term, term], made.allocate(packedBytes(kernels, 2)));
    expect(read(address, F * F).every((x) => Object.is(x, -0))).toBe(true);
  });
});
