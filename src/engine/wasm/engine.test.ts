import { describe, it } from 'vitest';
import { compareEngines } from '../../../tests/support/differential.js';
import { interpreter, interpreterF32 } from '../interpreter.js';
import { wasmEngine } from './engine.js';

// tests/differential has many more.
describe('the fast engine', () => {
  it.each([2, 3, 5, 8, 13])('is the interpreter at %i features, to the bit, in both layouts', (features) => {
    compareEngines([interpreter, wasmEngine('f64', 'lanes'), wasmEngine('f64', 'dense')], features, 3, 300);
  });

  it.each([2, 3, 5, 8, 13])('has the same bits in both layouts in f32, at %i features', (features) => {
    compareEngines([interpreterF32, wasmEngine('f32', 'lanes'), wasmEngine('f32', 'dense')], features, 5, 200);
  });
});
