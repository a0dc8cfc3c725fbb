// The one WebAssembly memory that all engines and projections of a thread share, with a plain allocator. One for all, because
// each reserves gigabytes of address space. Must not know what is kept in it, but for a table of constants.
import { OutOfMemoryError, PAGE, tooLarge, type WasmMemory, wasm } from '../../wasm/api.js';
import { angleTable } from './elementary.js';
import { roundUp } from './layout.js';
import type { Real } from './reals.js';

/** 4 GiB less one page, so that every address and every size is a 32-bit number. */
const MAX_PAGES = 65535;
export const MAX_BYTES = MAX_PAGES * PAGE;
/**
 * Pages at first: 256 MiB if there are, so that memory seldom grows. Pages that are not touched cost nothing, but growing detaches
 * the old buffer, and from then on V8 checks for that at every access to every typed array, which makes JavaScript on
 * numbers a third slower.
 */
const INITIAL_PAGES = [4096, 256, 1];
/** Regions begin at multiples of this, a line of the cache. */
const ALIGNMENT = 64;
/** Where memory holds the table that sines and cosines of large angles read. */
export const ANGLE_TABLE = ALIGNMENT;

interface Range {
  readonly begin: number;
  readonly end: number;
}

class Heap {
  f64 = new Float64Array(0);
  f32 = new Float32Array(0);
  i32 = new Int32Array(0);
  u8 = new Uint8Array(0);
  private opened: WasmMemory | undefined;
  /** Free ranges by address; no two touch. */
  private free: Range[] = [];
  private readonly sizes = new Map<number, number>();
  private end = 0;

  /** Made when it is first needed: what never runs a program must not reserve anything. */
  get memory(): WasmMemory {
    this.opened ??= this.open();
    return this.opened;
  }

  private open(): WasmMemory {
    if (wasm === undefined) throw new OutOfMemoryError('this JavaScript engine has no WebAssembly');
    const memory = firstThatFits(INITIAL_PAGES);
    if (memory === undefined) {
      throw new OutOfMemoryError(
        'there is not enough address space for a WebAssembly memory; is it limited (ulimit -v)?',
      );
    }
    this.view(memory);
    const table = angleTable();
    // Address 0 is never an operand's.
    this.f64.set(table, ANGLE_TABLE / 8);
    this.end = roundUp(ANGLE_TABLE + table.byteLength, ALIGNMENT);
    return memory;
  }

  private view({ buffer }: WasmMemory): void {
    this.f64 = new Float64Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u8 = new Uint8Array(buffer);
  }

  setWord(address: number, value: number): void {
    this.i32[address / 4] = value;
  }

  /** The numbers of a precision, by address divided by their bytes. */
  numbers({ bytes }: Real): Float64Array | Float32Array {
    return bytes === 8 ? this.f64 : this.f32;
  }

  /** Bytes in use by evaluators. */
  get used(): number {
    let total = 0;
    for (const bytes of this.sizes.values()) total += bytes;
    return total;
  }

  /** The address of `bytes` bytes, which hold anything. */
  allocate(bytes: number): number {
    const { memory } = this;
    const size = Math.max(ALIGNMENT, roundUp(bytes, ALIGNMENT));
    const place = this.free.findIndex(({ begin, end }) => end - begin >= size);
    let begin: number;
    if (place >= 0) {
      const range = this.free[place]!;
      begin = range.begin;
      if (range.end - begin === size) this.free.splice(place, 1);
      else this.free[place] = { begin: begin + size, end: range.end };
    } else {
      begin = this.end;
      this.grow(memory, begin + size);
      this.end = begin + size;
    }
    this.sizes.set(begin, size);
    return begin;
  }

  release(begin: number): void {
    const size = this.sizes.get(begin);
    if (size === undefined) throw new RangeError('released what was not allocated');
    this.sizes.delete(begin);
    const ranges = [...this.free, { begin, end: begin + size }].sort((a, b) => a.begin - b.begin);
    this.free = [];
    for (const range of ranges) {
      const before = this.free.at(-1);
      if (before?.end === range.begin) this.free.splice(-1, 1, { begin: before.begin, end: range.end });
      else this.free.push(range);
    }
    const last = this.free.at(-1);
    if (last?.end === this.end) {
      this.end = last.begin;
      this.free.pop();
    }
  }

  private grow(memory: WasmMemory, end: number): void {
    const have = memory.buffer.byteLength;
    if (end <= have) return;
    if (end > MAX_BYTES) throw tooLargeEvaluation(end);
    try {
      memory.grow(Math.ceil((end - have) / PAGE));
    } catch {
      throw tooLargeEvaluation(end);
    }
    this.view(memory);
  }
}

function firstThatFits(sizes: readonly number[]): WasmMemory | undefined {
  for (const initial of sizes) {
    try {
      return new wasm.Memory({ initial, maximum: MAX_PAGES });
    } catch {
      // Then the next smaller one.
    }
  }
  return undefined;
}

/** An evaluation that does not fit. */
export function tooLargeEvaluation(bytes: number): OutOfMemoryError {
  return tooLarge(bytes, 'fewer features, examples, tasks or addresses need less, and so does f32');
}

export const heap = new Heap();
