import { describe, expect, it } from 'vitest';
import { Layout } from './layout.js';
import { CHUNK } from './reals.js';

describe('a layout', () => {
  it('has room for the registers that reach past the end of a row', () => {
    for (const precision of ['f64', 'f32'] as const) {
      for (const tasks of [1, 2, 3, 10]) {
        for (let features = 2; features < 20; features++) {
          const layout = new Layout({ features, precision, kind: 'dense', tasks });
          const { bytes, lanes } = layout.real;
          const lastRegister = Math.floor((features - 1) / lanes) * CHUNK;
          for (const [type, rows] of [
            ['v', tasks],
            ['m', tasks * features],
          ] as const) {
            const lastRow = (rows - 1) * features * bytes;
            expect(lastRow + lastRegister + CHUNK).toBeLessThanOrEqual(layout.operandBytes(type));
          }
        }
      }
    }
  });

  it('puts every element of every task at a place of its own', () => {
    for (const kind of ['lanes', 'dense'] as const) {
      for (const features of [2, 3, 5]) {
        const layout = new Layout({ features, precision: 'f64', kind, tasks: 4 });
        for (const type of ['v', 'm'] as const) {
          const count = type === 'v' ? features : features * features;
          const places = Array.from({ length: 4 * count }, (_, k) => {
            const [task, element] = [k % 4, Math.floor(k / 4)];
            return task * layout.taskStride(type) + element * layout.elementStride;
          });
          expect(new Set(places).size).toBe(4 * count);
          expect(Math.max(...places)).toBe(layout.usedBytes(type) - 8);
        }
      }
    }
  });

  it('refuses lanes that tasks do not fill', () => {
    expect(() => new Layout({ features: 4, precision: 'f64', kind: 'lanes', tasks: 3 })).toThrow(RangeError);
  });
});
