// The kernels for matrices that do not fit into any cache: updates by many rank-one terms at once, products with many vectors at
// once, sums of rows. A call works on a strip of rows; block-work.ts has the loops around them. Must not know ops.
import {
  branchIf,
  type Code,
  type FunctionBuilder,
  f64,
  get,
  i32,
  type Local,
  loop,
  type ModuleBuilder,
  set,
  tee,
  v128,
  when,
} from '../../wasm/assembler.js';
import type { Layout } from '../wasm/layout.js';
import { loadChunk, type Moving, type Pointer, repeat, storeChunk, storeLanes } from '../wasm/pointers.js';
import { CHUNK } from '../wasm/reals.js';

/** Rows of a strip: as many as leave registers for two columns of sums, and for what is loaded. */
export const STRIP = 4;
/** Registers of columns that are updated at once. */
const PANEL_REGISTERS = 2;
/** Vectors that a strip is multiplied with at once. */
export const VECTOR_GROUP = 2;
/** Rows that are added to a vector at once. */
export const ADDED_ROWS = 8;

/** Columns that are updated at once. */
export function panelColumns({ real }: Layout): number {
  return PANEL_REGISTERS * real.lanes;
}

/** How many bases an update starts from. */
export type BaseCount = 0 | 1 | 2;

/** factor1 base1 + factor2 base2 + Σ terms, in so many panels of columns, for a strip of rows: see `addUpdate`. */
export type UpdateStrip = (
  out: number,
  base1: number,
  factor1: number,
  base2: number,
  factor2: number,
  columns: number,
  rows: number,
  terms: number,
  panels: number,
) => void;

/** Adds the products of a strip's rows, from a column on, with vectors: see `addProducts`. */
export type MultiplyStrip = (
  matrix: number,
  vectors: number,
  results: number,
  registers: number,
  vectorGroups: number,
) => void;

/** out += Σ factor(k) row(k), for rows of a matrix that lie one after the other. */
export type AddRows = (out: number, rows: number, factors: number) => void;

export interface BlockKernels {
  /** By number of bases; whole strips and single rows, whole panels and the one that ends inside. */
  readonly update: readonly { readonly strip: UpdateStrip; readonly row: UpdateStrip }[];
  readonly updateTail: readonly { readonly strip: UpdateStrip; readonly row: UpdateStrip }[];
  readonly multiply: { readonly strip: MultiplyStrip; readonly row: MultiplyStrip };
  readonly addRows: { readonly several: AddRows; readonly one: AddRows };
}

const BASE_COUNTS: readonly BaseCount[] = [0, 1, 2];

function advance(pointer: Local, bytes: number): Code {
  return set(pointer, i32.add(get(pointer), i32.const(bytes)));
}

/** Goes back to the start of the loop until the counter, lowered by one, is 0. */
function again(counter: Local): Code {
  return branchIf(0, tee(counter, i32.sub(get(counter), i32.const(1))));
}

/**
 * A strip of rows of out = factor1 base1 + factor2 base2 + Σ column(k) row(k). Packed: `columns` has the strip's elements of each term
 * side by side, `rows` a panel's elements of each term, panel after panel. `out` may be a base. Sums begin with -0, so that
 * zeros keep their sign.
 */
function addUpdate(module: ModuleBuilder, layout: Layout, bases: BaseCount, rows: number, columns: number): string {
  const { real, features: F } = layout;
  const registers = Math.ceil(columns / real.lanes);
  const rowBytes = F * real.bytes;
  const exportAs = `update ${bases} ${rows} ${columns}`;
  const params = ['i32', 'i32', 'f64', 'i32', 'f64', 'i32', 'i32', 'i32', 'i32'] as const;
  module.func({ params, exportAs }, (f) => {
    const [out, base1, factor1, base2, factor2, strip, packed, terms, panels] = f.params as Local[];
    const sums = Array.from({ length: rows }, () => Array.from({ length: registers }, () => f.local('v128')));
    const loaded = sums[0]!.map(() => f.local('v128'));
    const { column, left } = f.locals('i32', 'column', 'left');
    const element = f.local('v128');
    // One term in a round: of several, the compiler would load everything first, for which there are too few registers.
    const addTerm: Code = [
      loaded.map((local, r) => set(local, v128.load(get(packed!), r * CHUNK))),
      sums.map((ofRow, row) => [
        set(element, real.loadSplat(get(column), row * real.bytes)),
        ofRow.map((sum, r) => set(sum, real.add(get(sum), real.mul(get(element), get(loaded[r]!))))),
      ]),
      advance(packed!, PANEL_REGISTERS * CHUNK),
      advance(column, rows * real.bytes),
      again(left),
    ];
    const parts = [
      { base: base1!, factor: factor1! },
      { base: base2!, factor: factor2! },
    ].slice(0, bases);
    const finish = sums.map((ofRow, row) =>
      ofRow.map((sum, r) => {
        const place = (base: Local): Pointer => ({ base, offset: row * rowBytes + r * CHUNK });
        const value = parts.reduceRight<Code>(
          (rest, { base, factor }) => real.add(real.mul(real.splat(get(factor)), loadChunk(place(base))), rest),
          get(sum),
        );
        return storeLanes(f, real, place(out!), value, Math.min(real.lanes, columns - r * real.lanes));
      }),
    );
    return loop(
      sums.flat().map((sum) => set(sum, real.constant(-0))),
      set(column, get(strip!)),
      set(left, get(terms!)),
      when(get(left), loop(addTerm)),
      finish,
      [out!, ...parts.map(({ base }) => base)].map((pointer) => advance(pointer, registers * CHUNK)),
      again(panels!),
    );
  });
  return exportAs;
}

/**
 * The products of so many registers of a strip's rows with groups of vectors, added to the vectors' results. What is left of a row
 * after whole registers is for the caller.
 */
function addProducts(module: ModuleBuilder, layout: Layout, rows: number, stride: number): string {
  const { real, features: F } = layout;
  const rowBytes = F * real.bytes;
  const exportAs = `multiply ${rows}`;
  module.func({ params: ['i32', 'i32', 'i32', 'i32', 'i32'], exportAs }, (f) => {
    const [matrix, vectors, results, registers, groups] = f.params as Local[];
    const sums = Array.from({ length: rows }, () => Array.from({ length: VECTOR_GROUP }, () => f.local('v128')));
    const loaded = sums[0]!.map(() => f.local('v128'));
    const { row, vector, left } = f.locals('i32', 'row', 'vector', 'left');
    const element = f.local('v128');
    const add: Code = [
      loaded.map((local, v) => set(local, v128.load(get(vector), v * stride))),
      sums.map((ofRow, r) => [
        set(element, v128.load(get(row), r * rowBytes)),
        ofRow.map((sum, v) => set(sum, real.add(get(sum), real.mul(get(element), get(loaded[v]!))))),
      ]),
      advance(row, CHUNK),
      advance(vector, CHUNK),
      again(left),
    ];
    const total = (sum: Local): Code =>
      Array.from({ length: real.lanes }, (_, lane) => real.extract(get(sum), lane)).reduce((a, b) => f64.add(a, b));
    return loop(
      sums.flat().map((sum) => set(sum, real.constant(-0))),
      set(row, get(matrix!)),
      set(vector, get(vectors!)),
      set(left, get(registers!)),
      loop(add),
      sums.map((ofRow, r) =>
        ofRow.map((sum, v) => {
          const offset = v * stride + r * real.bytes;
          return real.store(get(results!), offset, f64.add(real.load(get(results!), offset), total(sum)));
        }),
      ),
      advance(vectors!, VECTOR_GROUP * stride),
      advance(results!, VECTOR_GROUP * stride),
      again(groups!),
    );
  });
  return exportAs;
}

function addRowSums(module: ModuleBuilder, layout: Layout, rows: number): string {
  const { real, features: F } = layout;
  const exportAs = `add ${rows}`;
  module.func({ params: ['i32', 'i32', 'i32'], exportAs }, (f: FunctionBuilder) => {
    const [out, first, factors] = f.params as Local[];
    const held = Array.from({ length: rows }, () => f.local('v128'));
    const pointers = [out!, first!].map((base): Moving => [{ base, offset: 0 }, CHUNK]);
    return [
      held.map((local, k) => set(local, real.loadSplat(get(factors!), k * real.bytes))),
      repeat(f, Math.ceil(F / real.lanes), 1, pointers, (to, from) => {
        const product = (k: number) =>
          real.mul(get(held[k]!), v128.load(get(from!.base), from!.offset + k * F * real.bytes));
        const value = held.reduce<Code>((sum, _, k) => real.add(sum, product(k)), loadChunk(to!));
        return storeChunk(to!, value);
      }),
    ];
  });
  return exportAs;
}

/** Adds the kernels to a module; what is returned finds them among its exports. */
export function addBlockKernels(
  module: ModuleBuilder,
  layout: Layout,
  stride: number,
): (exports: object) => BlockKernels {
  const panel = panelColumns(layout);
  const tail = layout.features % panel;
  const updates = (columns: number) =>
    columns === 0
      ? []
      : BASE_COUNTS.map((bases) => ({
          strip: addUpdate(module, layout, bases, STRIP, columns),
          row: addUpdate(module, layout, bases, 1, columns),
        }));
  const [update, updateTail] = [updates(panel), updates(tail)];
  const multiply = {
    strip: addProducts(module, layout, STRIP, stride),
    row: addProducts(module, layout, 1, stride),
  };
  const addRows = { several: addRowSums(module, layout, ADDED_ROWS), one: addRowSums(module, layout, 1) };
  return (exports) => {
    const found = exports as { readonly [name: string]: (...args: number[]) => void };
    const pick = ({ strip, row }: { strip: string; row: string }) => ({ strip: found[strip]!, row: found[row]! });
    return {
      update: update.map(pick),
      updateTail: updateTail.map(pick),
      multiply: pick(multiply),
      addRows: { several: found[addRows.several]!, one: found[addRows.one]! },
    };
  };
}
