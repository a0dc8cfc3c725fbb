// Every engine, in one list: the command and the tests that compare engines take them from here. Must not know how they
// work.
import type { Engine } from './engine.js';
import { interpreter } from './interpreter.js';
import { wasmEngine } from './wasm/engine.js';

/** The engines in f64, which answer alike to the bit. */
export const ENGINES: readonly Engine[] = [interpreter, wasmEngine('f64', 'lanes'), wasmEngine('f64', 'dense')];
