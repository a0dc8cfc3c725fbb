// Kernels in which each element of the output follows from one element of each input: map1, map2, scale, broadcast, outer, and
// two of those fused. Loops for both layouts; what is computed comes from outside. Must not know ops.
import type { OperandType } from '../../ops/types.js';
import { type Code, type FunctionBuilder, get, type Local, set } from '../../wasm/assembler.js';
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
import { CHUNK } from './reals.js';

/**
 * Which element of an input belongs to element (i, j) of the output: the one at the same place, the only one of a scalar,
 * element i of a vector that is a column, element j of one that is a row.
 */
export type Access = 'same' | 'scalar' | 'column' | 'row';

export interface PointwiseInput {
  readonly pointer: Pointer;
  readonly access: Access;
}

interface Pointwise {
  readonly output: OperandType;
  readonly inputs: readonly PointwiseInput[];
  /** From one register of each input to one of the output. */
  readonly value: (inputs: readonly Code[]) => Code;
}

/** About this many registers are computed in one round of a loop. */
const UNROLL = 8;
/** Kernels of up to this many registers are written out without a loop. */
const WRITTEN_OUT = 96;

export function emitPointwise(f: FunctionBuilder, layout: Layout, out: Pointer, kernel: Pointwise): Code {
  const isFlat = kernel.output === 's' || kernel.inputs.every(({ access }) => access === 'same');
  if (isFlat) return emitFlat(f, layout, out, kernel);
  return layout.kind === 'lanes' ? emitLanes(f, layout, out, kernel) : emitDense(f, layout, out, kernel);
}

/** All operands run side by side. */
function emitFlat(f: FunctionBuilder, layout: Layout, out: Pointer, { output, inputs, value }: Pointwise): Code {
  const chunks = Math.ceil(layout.usedBytes(output) / CHUNK);
  const moving = [out, ...inputs.map(({ pointer }) => pointer)].map((pointer): Moving => [pointer, CHUNK]);
  return repeat(f, chunks, chunks <= 2 * UNROLL ? chunks : UNROLL, moving, (to, ...from) =>
    storeChunk(to, value(from.map(loadChunk))),
  );
}

/** Values that are loaded before a loop: at [input][register]. */
type Held = readonly (readonly Local[] | undefined)[];

/** Loads inputs of one access into locals. */
function hold(
  f: FunctionBuilder,
  inputs: readonly PointwiseInput[],
  access: Access,
  registers: number,
  load: (pointer: Pointer, register: number) => Code,
): { code: Code; held: Held } {
  const code: Code[] = [];
  const held = inputs.map((input) => {
    if (input.access !== access) return undefined;
    return Array.from({ length: registers }, (_, k) => {
      const local = f.local('v128');
      code.push(set(local, load(input.pointer, k)));
      return local;
    });
  });
  return { code, held };
}

/** The inputs at the pointers of a loop's round. */
function movedTo(inputs: readonly PointwiseInput[], pointers: readonly Pointer[]): PointwiseInput[] {
  return inputs.map(({ access }, k) => ({ access, pointer: pointers[k]! }));
}

/** The pointers of inputs, with the bytes that they move in each round of a loop, by access. */
function strides(inputs: readonly PointwiseInput[], strideOf: { readonly [access in Access]: number }): Moving[] {
  return inputs.map(({ pointer, access }) => [pointer, strideOf[access]]);
}

function emitLanes(f: FunctionBuilder, layout: Layout, out: Pointer, kernel: Pointwise): Code {
  const { features: F, scalarChunks, elementStride } = layout;
  const { output, inputs, value } = kernel;
  const loadAt = (pointer: Pointer, register: number) => loadChunk(moved(pointer, register * CHUNK));
  const scalars = hold(f, inputs, 'scalar', scalarChunks, loadAt);
  /** One element of the output after the other. */
  const elements = (count: number, to: Pointer, from: readonly PointwiseInput[], columns: Held): Code => {
    const moving: Moving[] = [
      [to, elementStride],
      ...strides(from, { same: elementStride, row: elementStride, scalar: 0, column: 0 }),
    ];
    const unroll = count * scalarChunks <= WRITTEN_OUT / 2 ? count : Math.ceil(UNROLL / scalarChunks);
    return repeat(f, count, unroll, moving, (place, ...places) =>
      Array.from({ length: scalarChunks }, (_, w) =>
        storeChunk(
          moved(place, w * CHUNK),
          value(
            inputs.map((_, k) => {
              const held = scalars.held[k] ?? columns[k];
              return held === undefined ? loadAt(places[k]!, w) : get(held[w]!);
            }),
          ),
        ),
      ),
    );
  };
  if (output === 'v' || inputs.every(({ access }) => access === 'same' || access === 'scalar')) {
    return [scalars.code, elements(output === 'v' ? F : F * F, out, inputs, [])];
  }
  const rowBytes = F * elementStride;
  const moving: Moving[] = [
    [out, rowBytes],
    ...strides(inputs, { same: rowBytes, column: elementStride, row: 0, scalar: 0 }),
  ];
  const unroll = F * F * scalarChunks <= WRITTEN_OUT ? F : 1;
  return [
    scalars.code,
    repeat(f, F, unroll, moving, (to, ...places) => {
      const from = movedTo(inputs, places);
      const columns = hold(f, from, 'column', scalarChunks, loadAt);
      return [columns.code, elements(F, to, from, columns.held)];
    }),
  ];
}

function emitDense(f: FunctionBuilder, layout: Layout, out: Pointer, kernel: Pointwise): Code {
  const { features: F, real, tasks } = layout;
  const { output, inputs, value } = kernel;
  const hasRows = inputs.some(({ access }) => access === 'column' || access === 'row');
  const splatAt = (pointer: Pointer) => real.loadSplat(get(pointer.base), pointer.offset);
  /** Numbers that lie side by side and share what is held. */
  const run = (count: number, to: Pointer, from: readonly PointwiseInput[], single: Held, rows: Held): Code => {
    const chunk = (k: number, places: readonly Pointer[]) =>
      value(
        inputs.map((_, n) => {
          if (single[n] !== undefined) return get(single[n][0]!);
          return rows[n] !== undefined ? get(rows[n][k]!) : loadChunk(places[n]!);
        }),
      );
    const whole = Math.floor(count / real.lanes);
    const moving: Moving[] = [[to, CHUNK], ...strides(from, { same: CHUNK, row: CHUNK, scalar: 0, column: 0 })];
    const isHeld = rows.some((held) => held !== undefined);
    let k = 0;
    const body = repeat(
      f,
      whole,
      isHeld || whole <= 2 * UNROLL ? Math.max(1, whole) : UNROLL,
      moving,
      (place, ...places) => storeChunk(place, chunk(k++, places)),
    );
    const tail = moving.map(([pointer, stride]) => moved(pointer, whole * stride));
    const tailLanes = count % real.lanes;
    return [body, tailLanes === 0 ? [] : storeLanes(f, real, tail[0]!, chunk(whole, tail.slice(1)), tailLanes)];
  };
  const merge = (a: Held, b: Held): Held => inputs.map((_, k) => a[k] ?? b[k]);
  const elementsOfTask = output === 'v' ? F : F * F;
  const perTask: Moving[] = [
    [out, elementsOfTask * real.bytes],
    ...strides(inputs, {
      same: elementsOfTask * real.bytes,
      row: F * real.bytes,
      column: F * real.bytes,
      scalar: real.bytes,
    }),
  ];
  return repeat(f, tasks, 1, perTask, (ofTask, ...places) => {
    const from = movedTo(inputs, places);
    const scalars = hold(f, from, 'scalar', 1, splatAt);
    if (!hasRows) return [scalars.code, run(elementsOfTask, ofTask, from, scalars.held, [])];
    const rowChunks = Math.ceil(F / real.lanes);
    const rows =
      rowChunks <= HELD_REGISTERS
        ? hold(f, from, 'row', rowChunks, (pointer, k) => loadChunk(moved(pointer, k * CHUNK)))
        : { code: [], held: [] };
    const perRow: Moving[] = [
      [ofTask, F * real.bytes],
      ...strides(from, { same: F * real.bytes, column: real.bytes, row: 0, scalar: 0 }),
    ];
    const unroll = F * rowChunks <= WRITTEN_OUT ? F : Math.max(1, Math.floor(UNROLL / rowChunks));
    return [
      scalars.code,
      rows.code,
      repeat(f, F, unroll, perRow, (ofRow, ...placesOfRow) => {
        const inRow = movedTo(inputs, placesOfRow);
        const columns = hold(f, inRow, 'column', 1, splatAt);
        return [columns.code, run(F, ofRow, inRow, merge(scalars.held, columns.held), rows.held)];
      }),
    ];
  });
}
