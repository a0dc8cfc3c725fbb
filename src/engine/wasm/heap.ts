// The one WebAssembly memory that all modules and evaluators of a thread share, with a plain allocator. One for all, because
// each reserves gigabytes of address space. Must not know what is kept in it.
import { angleTable } from './elementary.js';
import { roundUp } from './layout.js';

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly that is used here: its types come with a browser's or Node's, and this runs in both. */
interface WasmApi {
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: { env: { memory: WasmMemory } }) => { readonly exports: object };
  readonly validate: (bytes: Uint8Array<ArrayBuffer>) => boolean;
}

export const wasm = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly;

/** Not enough memory for an evaluation. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';
}

const PAGE = 65536;
/** 4 GiB less one page, so that every address and every size is a 32-bit number. */
const MAX_PAGES = 65535;
export const MAX_BYTES = MAX_PAGES * PAGE;
/** Regions begin at multiples of this, a line of the cache. */
const ALIGNMENT = 64;

interface Range {
  readonly begin: number;
  readonly end: number;
}

class Heap {
  readonly memory = new wasm.Memory({ initial: 1, maximum: MAX_PAGES });
  /** Free ranges by address; no two touch. */
  private free: Range[] = [];
  private readonly sizes = new Map<number, number>();
  private end: number;
  f64 = new Float64Array(this.memory.buffer);
  f32 = new Float32Array(this.memory.buffer);
  i32 = new Int32Array(this.memory.buffer);
  u8 = new Uint8Array(this.memory.buffer);

  constructor() {
    const table = angleTable();
    // Address 0 is never an operand's.
    this.f64.set(table, ALIGNMENT / 8);
    this.end = roundUp(ALIGNMENT + table.byteLength, ALIGNMENT);
  }

  get angleTable(): number {
    return ALIGNMENT;
  }

  /** Bytes in use by evaluators. */
  get used(): number {
    let total = 0;
    for (const bytes of this.sizes.values()) total += bytes;
    return total;
  }

  /** The address of `bytes` bytes, which hold anything. */
  allocate(bytes: number): number {
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
      this.growTo(begin + size);
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

  private growTo(end: number): void {
    const have = this.memory.buffer.byteLength;
    if (end <= have) return;
    const pages = Math.ceil((end - have) / PAGE);
    try {
      if (end > MAX_BYTES) throw new RangeError('beyond 4 GiB');
      this.memory.grow(pages);
    } catch {
      const gigabytes = (end / 2 ** 30).toFixed(1);
      throw new OutOfMemoryError(
        `this needs ${gigabytes} GiB of memory, more than WebAssembly can have here: fewer features, examples, tasks or addresses, or f32, need less`,
      );
    }
    this.f64 = new Float64Array(this.memory.buffer);
    this.f32 = new Float32Array(this.memory.buffer);
    this.i32 = new Int32Array(this.memory.buffer);
    this.u8 = new Uint8Array(this.memory.buffer);
  }
}

export const heap = new Heap();
