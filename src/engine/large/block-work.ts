// Work on whole matrices, cut into strips and blocks that stay in the cache: linear combinations with many rank-one terms, products
// with many vectors, transposed products. Knows places in memory only, not whose they are.
import { heap } from '../wasm/heap.js';
import { roundUp } from '../wasm/layout.js';
import { CHUNK } from '../wasm/reals.js';
import { ADDED_ROWS, type BaseCount, panelColumns, STRIP, VECTOR_GROUP } from './block-kernels.js';
import type { LargeKernels } from './compile.js';

/** Packed rows of the terms that are gone through for every strip: a part of the second-level cache. */
const PANELS_BYTES = 192 * 1024;
/** Columns of a strip that are multiplied with all vectors before the next: the strip stays in the first-level cache. */
const COLUMNS_BYTES = 4096;

/** A matrix in memory, and what it is multiplied with. */
export interface Part {
  readonly address: number;
  readonly factor: number;
}

/** factor * (column ⊗ row), by the addresses of the two vectors. */
export interface RankOne {
  readonly column: number;
  readonly row: number;
  readonly factor: number;
}

/** Bytes that `combine` needs for so many terms. */
export function packedBytes({ layout }: LargeKernels, terms: number): number {
  const { features: F, real } = layout;
  return terms * (F + F + panelColumns(layout)) * real.bytes + CHUNK;
}

/** Writes the terms as the kernels read them: for each strip its elements of every term, for each panel its elements. */
function pack(kernels: LargeKernels, terms: readonly RankOne[], columns: number, rows: number): void {
  const { layout } = kernels;
  const { features: F, real } = layout;
  const numbers = heap.numbers(real);
  const count = terms.length;
  const panel = panelColumns(layout);
  const whole = F - (F % STRIP);
  // Whole numbers below 2^31, so that V8 uses integers.
  const [toColumns, toRows] = [(columns / real.bytes) | 0, (rows / real.bytes) | 0];
  for (let k = 0; k < count; k++) {
    const { column, row, factor } = terms[k]!;
    const [u, w] = [(column / real.bytes) | 0, (row / real.bytes) | 0];
    for (let i = 0, to = toColumns + k * STRIP; i < whole; i += STRIP, to += count * STRIP) {
      for (let r = 0; r < STRIP; r++) numbers[to + r] = factor * numbers[u + i + r]!;
    }
    for (let i = whole; i < F; i++) numbers[toColumns + i * count + k] = factor * numbers[u + i]!;
    for (let j = 0, to = toRows + k * panel; j < F; j += panel, to += count * panel) {
      for (let c = 0; c < panel; c++) numbers[to + c] = numbers[w + j + c]!;
    }
  }
}

/**
 * out = Σ factor base + Σ factor (column ⊗ row), with up to two bases. `out` may be a base; `scratch` is of `packedBytes`.
 */
export function combine(
  kernels: LargeKernels,
  out: number,
  bases: readonly Part[],
  terms: readonly RankOne[],
  scratch: number,
): void {
  const { layout, update, updateTail } = kernels;
  const { features: F, real } = layout;
  const count = terms.length;
  const [columns, rows] = [scratch, scratch + roundUp(F * count * real.bytes, CHUNK)];
  pack(kernels, terms, columns, rows);
  const panel = panelColumns(layout);
  const wholePanels = Math.floor(F / panel);
  const panelBytes = count * panel * real.bytes;
  const panelsAtOnce = Math.max(1, Math.min(wholePanels, Math.floor(PANELS_BYTES / Math.max(1, panelBytes))));
  const [first, second] = bases;
  const kernel = update[bases.length as BaseCount]!;
  const tailKernel = updateTail[bases.length as BaseCount];
  const wholeRows = F - (F % STRIP);
  const run = (of: typeof kernel, firstPanel: number, panels: number) => {
    const left = firstPanel * panel;
    const packed = rows + firstPanel * panelBytes;
    for (let i = 0; i < F; i += i < wholeRows ? STRIP : 1) {
      const at = (i * F + left) * real.bytes;
      const strip = columns + i * count * real.bytes;
      const update = i < wholeRows ? of.strip : of.row;
      const [base1, base2] = [(first?.address ?? 0) + at, (second?.address ?? 0) + at];
      update(out + at, base1, first?.factor ?? 0, base2, second?.factor ?? 0, strip, packed, count, panels);
    }
  };
  for (let p = 0; p < wholePanels; p += panelsAtOnce) run(kernel, p, Math.min(panelsAtOnce, wholePanels - p));
  if (tailKernel !== undefined) run(tailKernel, wholePanels, 1);
}

/**
 * The products of a matrix with `count` vectors, which lie `stride` bytes apart, as do the results. There must be room for a
 * whole group of vectors.
 */
export function multiplyMany(
  kernels: LargeKernels,
  matrix: number,
  vectors: number,
  results: number,
  count: number,
): void {
  const { layout, multiply, stride } = kernels;
  const { features: F, real } = layout;
  const groups = Math.ceil(count / VECTOR_GROUP);
  const numbers = heap.numbers(real);
  for (let k = 0; k < groups * VECTOR_GROUP; k++) {
    const begin = (results + k * stride) / real.bytes;
    numbers.fill(-0, begin, begin + F);
  }
  const registers = Math.floor(F / real.lanes);
  const atOnce = COLUMNS_BYTES / CHUNK;
  const wholeRows = F - (F % STRIP);
  for (let r = 0; r < registers; r += atOnce) {
    for (let i = 0; i < F; i += i < wholeRows ? STRIP : 1) {
      const kernel = i < wholeRows ? multiply.strip : multiply.row;
      const from = matrix + i * F * real.bytes + r * CHUNK;
      kernel(from, vectors + r * CHUNK, results + i * real.bytes, Math.min(atOnce, registers - r), groups);
    }
  }
  // Features that do not fill a register.
  for (let j = registers * real.lanes; j < F; j++) {
    for (let k = 0; k < count; k++) {
      const element = numbers[(vectors + k * stride) / real.bytes + j]!;
      const result = (results + k * stride) / real.bytes;
      for (let i = 0; i < F; i++) numbers[result + i]! += numbers[matrix / real.bytes + i * F + j]! * element;
    }
  }
}

/** out = the transposed matrix times a vector. `out` must not be the vector. */
export function multiplyTransposed(kernels: LargeKernels, matrix: number, vector: number, out: number): void {
  const { layout, addRows } = kernels;
  const { features: F, real } = layout;
  heap.numbers(real).fill(-0, out / real.bytes, out / real.bytes + F);
  const whole = F - (F % ADDED_ROWS);
  for (let i = 0; i < F; i += i < whole ? ADDED_ROWS : 1) {
    const add = i < whole ? addRows.several : addRows.one;
    add(out, matrix + i * F * real.bytes, vector + i * real.bytes);
  }
}
