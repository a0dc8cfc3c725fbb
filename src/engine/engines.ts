// Every engine, in one list, for `evozero conformance` and its tests. Must not know how they work.
import type { Engine } from './engine.js';
import { interpreter } from './interpreter.js';
import { largeEngine } from './large/engine.js';
import { wasmEngine } from './wasm/engine.js';

/** The engines in f64. All but the last answer alike to the bit; that one adds in another order. */
export const ENGINES: readonly Engine[] = [
  interpreter,
  wasmEngine('f64', 'lanes'),
  wasmEngine('f64', 'dense'),
  largeEngine('f64'),
];
