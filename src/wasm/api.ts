// WebAssembly as browsers and Node both have it. Knows nothing of what it is used for.

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

/** Not enough memory for an evaluation or a search. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';
}

/** Bytes of a page of memory. */
export const PAGE = 65536;

/** One sentence for all that is too large. */
export function tooLarge(bytes: number, advice: string): OutOfMemoryError {
  const gigabytes = (bytes / 2 ** 30).toFixed(1);
  return new OutOfMemoryError(
    `this needs ${gigabytes} GiB, and WebAssembly has at most 4 GiB, or less on this machine; ${advice}`,
  );
}

/** A search needs few; what tries many must not keep them all. */
const MAX_COMPILED = 32;
const compiled = new Map<string, object>();

/** The functions of a module that works on a memory. Modules are compiled once for each key. */
export function instantiate(key: string, memory: WasmMemory, bytes: () => Uint8Array<ArrayBuffer>): object {
  let module = compiled.get(key);
  if (module === undefined) {
    module = new wasm.Module(bytes());
    if (compiled.size === MAX_COMPILED) compiled.clear();
    compiled.set(key, module);
  }
  return new wasm.Instance(module, { env: { memory } }).exports;
}
