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
