// Which engine evaluates programs on tasks of a size. Must not know how engines work.
import type { Precision } from '../ops/semantics.js';
import type { Engine } from './engine.js';
import { wasmEngine } from './wasm/engine.js';

export function chooseEngine(precision: Precision, _features: number): Engine {
  return wasmEngine(precision);
}
