// What code-analyser.ts does with a program in a store, in WebAssembly: finds its live instructions (live-kernel.ts) and hashes its
// canonical form (hash-kernel.ts). Every candidate of a search goes through this. Must not run anything.
import { instantiate, type WasmMemory } from '../../wasm/api.js';
import { ModuleBuilder } from '../../wasm/assembler.js';
import type { CodeLayout } from './code-layout.js';
import { addPrefersSecond, CanonicalWriter, type HashStart } from './hash-kernel.js';
import { LivenessWriter } from './live-kernel.js';

export interface CodeKernels {
  /** Lists the live instructions of the program at a place and hashes it. 0 if it takes a closer look, and nothing was done. */
  readonly analyse: (place: number, slots: number) => number;
  /** Hashes the live instructions that are there. */
  readonly hash: (slots: number) => void;
}

function moduleBytes(layout: CodeLayout, start: HashStart): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder();
  const prefersSecond = addPrefersSecond(module, layout);
  const hash = module.func({ params: ['i32'], exportAs: 'hash' }, (f) =>
    new CanonicalWriter(layout, f).write(start, prefersSecond),
  );
  module.func({ params: ['i32', 'i32'], results: ['i32'], exportAs: 'analyse' }, (f) =>
    new LivenessWriter(layout, f).write(hash),
  );
  return module.bytes();
}

/** The kernels for a store's memory. */
export function codeKernels(memory: WasmMemory, layout: CodeLayout, start: HashStart): CodeKernels {
  const key = JSON.stringify([layout, start]);
  return instantiate(key, memory, () => moduleBytes(layout, start)) as CodeKernels;
}
