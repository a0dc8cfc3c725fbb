// Kernels that add up: dot, matrix products, norms, means and standard deviations, for both layouts, every sum in the order of
// ops/semantics.ts. Must not know ops.
import type { Reduction } from '../../ops/primitives.js';
import type { OperandType } from '../../ops/types.js';
import { type Code, type FunctionBuilder, get, set, tee } from '../../wasm/assembler.js';
import type { Layout } from './layout.js';
import {
  HELD_REGISTERS,
  loadChunk,
  type Moving,
  moved,
  type Pointer,
  repeat,
  storeChunk,
  storeLanes,
} from './pointers.js';
import { CHUNK, type Real } from './reals.js';
import { sumOfRegisters, sumsOfRows, sumsOfShortRows } from './sums.js';

/** Sums of up to this many terms together are written out without a loop. */
const WRITTEN_OUT = 96;

function unrollFor(count: number, terms: number): number {
  return count * terms <= WRITTEN_OUT ? Math.max(1, count) : 1;
}

/** A reduction of n numbers, from its sums. */
function finish(
  f: FunctionBuilder,
  real: Real,
  fn: Reduction,
  n: number,
  sum: (term: (x: Code) => Code) => Code,
): Code {
  const squares = () => {
    const x = f.local('v128');
    return sum((value) => real.mul(tee(x, value), get(x)));
  };
  switch (fn) {
    case 'norm':
      return real.sqrt(squares());
    case 'mean':
      return real.div(
        sum((value) => value),
        real.constant(n),
      );
    case 'std': {
      const mean = f.local('v128');
      return [
        set(
          mean,
          real.div(
            sum((value) => value),
            real.constant(n),
          ),
        ),
        real.sqrt(real.sub(real.div(squares(), real.constant(n)), real.mul(get(mean), get(mean)))),
      ];
    }
  }
}

/**
 * Rows whose results lie side by side: as many at a time as a register has lanes, then the others one by one. `result` gives
 * a register with the results of some rows in its first lanes.
 */
function eachRow(
  f: FunctionBuilder,
  real: Real,
  count: number,
  terms: number,
  out: Pointer,
  inputs: readonly Moving[],
  result: (rows: number, ...pointers: Pointer[]) => Code,
): Code {
  const { lanes, bytes } = real;
  const groups = Math.floor(count / lanes);
  const grouped: Moving[] = [[out, CHUNK], ...inputs.map(([p, stride]): Moving => [p, stride * lanes])];
  const single: Moving[] = [[out, bytes], ...inputs];
  const rest = single.map(([pointer, stride]): Moving => [moved(pointer, groups * lanes * stride), stride]);
  return [
    repeat(f, groups, unrollFor(groups, terms), grouped, (to, ...from) => storeChunk(to, result(lanes, ...from))),
    repeat(f, count - groups * lanes, 1, rest, (to, ...from) => storeLanes(f, real, to, result(1, ...from), 1)),
  ];
}

/** All elements of each task's operand to one number. */
export function emitReduce(
  f: FunctionBuilder,
  layout: Layout,
  fn: Reduction,
  type: OperandType,
  a: Pointer,
  out: Pointer,
): Code {
  const { features: F, real, scalarChunks, elementStride, tasks } = layout;
  const n = type === 'v' ? F : F * F;
  if (layout.kind === 'lanes') {
    const moving: Moving[] = [
      [out, CHUNK],
      [a, CHUNK],
    ];
    return repeat(f, scalarChunks, unrollFor(scalarChunks, n), moving, (to, from) => {
      const sum = (term: (x: Code) => Code) =>
        sumOfRegisters(f, real, n, [[from, elementStride]], (p) => term(loadChunk(p)));
      return storeChunk(to, finish(f, real, fn, n, sum));
    });
  }
  return emitRowReductions(f, layout, fn, tasks, n, a, out);
}

/** Rows of n numbers that follow one another, each to one number. */
function emitRowReductions(
  f: FunctionBuilder,
  { real }: Layout,
  fn: Reduction,
  rows: number,
  n: number,
  a: Pointer,
  out: Pointer,
): Code {
  const rowBytes = n * real.bytes;
  return eachRow(f, real, rows, n, out, [[a, rowBytes]], (group, from) => {
    const sum = (term: (x: Code) => Code) =>
      sumsOfRows(f, real, n, group, [[from, CHUNK]], (row, p) => term(loadChunk(moved(p, row * rowBytes))));
    return finish(f, real, fn, n, sum);
  });
}

/** Each column (axis 0) or row (axis 1) of each task's matrix to one number. */
export function emitReduceAxis(
  f: FunctionBuilder,
  layout: Layout,
  fn: Reduction,
  axis: 0 | 1,
  a: Pointer,
  out: Pointer,
): Code {
  const { features: F, real, scalarChunks, elementStride, tasks } = layout;
  if (layout.kind === 'lanes') {
    const [across, along] = axis === 0 ? [elementStride, F * elementStride] : [F * elementStride, elementStride];
    const lines: Moving[] = [
      [out, elementStride],
      [a, across],
    ];
    return repeat(f, F, 1, lines, (toLine, fromLine) => {
      const chunks: Moving[] = [
        [toLine, CHUNK],
        [fromLine, CHUNK],
      ];
      return repeat(f, scalarChunks, unrollFor(scalarChunks, F), chunks, (to, from) => {
        const sum = (term: (x: Code) => Code) => sumOfRegisters(f, real, F, [[from, along]], (p) => term(loadChunk(p)));
        return storeChunk(to, finish(f, real, fn, F, sum));
      });
    });
  }
  if (axis === 1) return emitRowReductions(f, layout, fn, tasks * F, F, a, out);
  const rowBytes = F * real.bytes;
  const perTask: Moving[] = [
    [out, rowBytes],
    [a, F * rowBytes],
  ];
  return repeat(f, tasks, 1, perTask, (ofTask, matrix) =>
    eachColumnChunk(f, layout, [ofTask, matrix], (from) => {
      const sum = (term: (x: Code) => Code) =>
        sumOfRegisters(f, real, F, [[from, rowBytes]], (p) => term(loadChunk(p)));
      return finish(f, real, fn, F, sum);
    }),
  );
}

/** Columns of a row-major matrix, a register of them at a time, into numbers that lie side by side. */
function eachColumnChunk(
  f: FunctionBuilder,
  { features: F, real }: Layout,
  [out, matrix]: readonly [Pointer, Pointer],
  result: (column: Pointer) => Code,
): Code {
  const whole = Math.floor(F / real.lanes);
  const moving: Moving[] = [
    [out, CHUNK],
    [matrix, CHUNK],
  ];
  const tail = F % real.lanes;
  return [
    repeat(f, whole, unrollFor(whole, F), moving, (to, from) => storeChunk(to, result(from))),
    tail === 0 ? [] : storeLanes(f, real, moved(out, whole * CHUNK), result(moved(matrix, whole * CHUNK)), tail),
  ];
}

/** The dot product of two vectors. */
export function emitDot(f: FunctionBuilder, layout: Layout, a: Pointer, b: Pointer, out: Pointer): Code {
  const { features: F, real, scalarChunks, elementStride, tasks } = layout;
  if (layout.kind === 'lanes') {
    const moving = [out, a, b].map((pointer): Moving => [pointer, CHUNK]);
    return repeat(f, scalarChunks, unrollFor(scalarChunks, F), moving, (to, x, y) =>
      storeChunk(to, dotOfLanes(f, layout, [x, elementStride], [y, elementStride])),
    );
  }
  const rowBytes = F * real.bytes;
  const inputs = [a, b].map((pointer): Moving => [pointer, rowBytes]);
  return eachRow(f, real, tasks, F, out, inputs, (rows, x, y) => {
    const chunks = [x, y].map((pointer): Moving => [pointer, CHUNK]);
    return sumsOfRows(f, real, F, rows, chunks, (row, p, q) =>
      real.mul(loadChunk(moved(p, row * rowBytes)), loadChunk(moved(q, row * rowBytes))),
    );
  });
}

/** Σ a b over F elements, one register of tasks. */
function dotOfLanes(f: FunctionBuilder, { features: F, real }: Layout, a: Moving, b: Moving): Code {
  return sumOfRegisters(f, real, F, [a, b], (p, q) => real.mul(loadChunk(p), loadChunk(q)));
}

/** A matrix times a column vector. `out` must not be `b`. */
export function emitMatrixVector(f: FunctionBuilder, layout: Layout, a: Pointer, b: Pointer, out: Pointer): Code {
  const { features: F, real, scalarChunks, elementStride, tasks } = layout;
  if (layout.kind === 'lanes') {
    const rows: Moving[] = [
      [out, elementStride],
      [a, F * elementStride],
      [b, 0],
    ];
    return repeat(f, F, unrollFor(F, F * scalarChunks), rows, (toRow, row, vector) => {
      const chunks = [toRow, row, vector].map((pointer): Moving => [pointer, CHUNK]);
      return repeat(f, scalarChunks, unrollFor(scalarChunks, F), chunks, (to, x, y) =>
        storeChunk(to, dotOfLanes(f, layout, [x, elementStride], [y, elementStride])),
      );
    });
  }
  const rowBytes = F * real.bytes;
  const perTask: Moving[] = [
    [out, rowBytes],
    [a, F * rowBytes],
    [b, rowBytes],
  ];
  const chunks = Math.ceil(F / real.lanes);
  return repeat(f, tasks, 1, perTask, (ofTask, matrix, vector) => {
    if (chunks > HELD_REGISTERS) return rowsTimesVector(f, layout, ofTask, matrix, vector);
    const held = Array.from({ length: chunks }, () => f.local('v128'));
    return [
      held.map((local, k) => set(local, loadChunk(moved(vector, k * CHUNK)))),
      eachRow(f, real, F, F, ofTask, [[matrix, rowBytes]], (rows, x) =>
        sumsOfShortRows(f, real, F, rows, (row, k) =>
          real.mul(loadChunk(moved(x, row * rowBytes + k * CHUNK)), get(held[k]!)),
        ),
      ),
    ];
  });
}

/** Rows take their terms in turn, and share what the first has loaded of the vector. */
function rowsTimesVector(
  f: FunctionBuilder,
  { features: F, real }: Layout,
  out: Pointer,
  matrix: Pointer,
  vector: Pointer,
): Code {
  const rowBytes = F * real.bytes;
  const shared = f.local('v128');
  const inputs: Moving[] = [
    [matrix, rowBytes],
    [vector, 0],
  ];
  return eachRow(f, real, F, F, out, inputs, (rows, x, y) => {
    const moving = [x, y].map((pointer): Moving => [pointer, CHUNK]);
    return sumsOfRows(f, real, F, rows, moving, (row, p, q) =>
      real.mul(loadChunk(moved(p, row * rowBytes)), row === 0 ? tee(shared, loadChunk(q)) : get(shared)),
    );
  });
}

/** The product of two matrices. `out` must not be `a` or `b`. */
export function emitMatrixProduct(f: FunctionBuilder, layout: Layout, a: Pointer, b: Pointer, out: Pointer): Code {
  const { features: F, real, scalarChunks, elementStride, tasks } = layout;
  if (layout.kind === 'lanes') {
    const rowStride = F * elementStride;
    const rows: Moving[] = [
      [out, rowStride],
      [a, rowStride],
      [b, 0],
    ];
    return repeat(f, F, 1, rows, (toRow, row, matrix) => {
      const columns: Moving[] = [
        [toRow, elementStride],
        [row, 0],
        [matrix, elementStride],
      ];
      return repeat(f, F, 1, columns, (toElement, left, right) => {
        const chunks = [toElement, left, right].map((pointer): Moving => [pointer, CHUNK]);
        return repeat(f, scalarChunks, unrollFor(scalarChunks, F), chunks, (to, x, y) =>
          storeChunk(to, dotOfLanes(f, layout, [x, elementStride], [y, rowStride])),
        );
      });
    });
  }
  const rowBytes = F * real.bytes;
  const perTask = [out, a, b].map((pointer): Moving => [pointer, F * rowBytes]);
  return repeat(f, tasks, 1, perTask, (ofTask, left, right) => {
    const rows: Moving[] = [
      [ofTask, rowBytes],
      [left, rowBytes],
      [right, 0],
    ];
    return repeat(f, F, 1, rows, (toRow, row, matrix) =>
      eachColumnChunk(f, layout, [toRow, matrix], (column) =>
        sumOfRegisters(
          f,
          real,
          F,
          [
            [row, real.bytes],
            [column, rowBytes],
          ],
          (x, y) => real.mul(real.loadSplat(get(x.base), x.offset), loadChunk(y)),
        ),
      ),
    );
  });
}
