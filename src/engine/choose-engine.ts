// Which engine evaluates programs on tasks of a size. Must not know how engines work.
import type { Precision } from '../ops/semantics.js';
import type { Engine } from './engine.js';
import { largeEngine } from './large/engine.js';
import { wasmEngine } from './wasm/engine.js';

/** From this number of features on, matrices are better kept as sums of rank-one terms. */
const LARGE_FROM = 512;

export function chooseEngine(precision: Precision, features: number): Engine {
  return features < LARGE_FROM ? wasmEngine(precision) : largeEngine(precision);
}
