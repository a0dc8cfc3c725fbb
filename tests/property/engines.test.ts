// The fast engine against the interpreter, to the bit: random programs, and tasks alone and together. tests/campaigns has many
// more.
import { afterEach, describe, expect, it } from 'vitest';
import { interpreter, interpreterF32 } from '../../src/engine/interpreter.js';
import { wasmEngine } from '../../src/engine/wasm/engine.js';
import { heap } from '../../src/engine/wasm/heap.js';
import { builtin } from '../../src/program/builtin.js';
import { countRuns, pickCases } from '../support/amount.js';
import { smallTask } from '../support/arbitraries.js';
import { compareEngines } from '../support/differential.js';

const FEATURES = pickCases([2, 3, 5, 8, 13], 3);

afterEach(() => {
  expect(heap.used).toBe(0);
});

describe('the fast engine', () => {
  it.each(FEATURES)('is the interpreter at %i features, to the bit, in both layouts', (features) => {
    compareEngines([interpreter, wasmEngine('f64', 'lanes'), wasmEngine('f64', 'dense')], features, 3, countRuns(300));
  });

  it.each(FEATURES)('is the f32 interpreter at %i features, to the bit, in both layouts', (features) => {
    compareEngines(
      [interpreterF32, wasmEngine('f32', 'lanes'), wasmEngine('f32', 'dense')],
      features,
      5,
      countRuns(200),
    );
  });

  it('answers for any number of tasks as for each of them alone', () => {
    const { program } = builtin('paper/neural-net')!;
    const counts = pickCases([1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 13, 17, 31, 64, 99, 100], 5);
    const all = Array.from({ length: Math.max(...counts) }, (_, k) => smallTask(5, 'rms', k, 8));
    const alone = all.map((task) => interpreter.prepare([task]).evaluate(program)[0]!);
    for (const precision of ['f64', 'f32'] as const) {
      for (const kind of ['lanes', 'dense', undefined] as const) {
        const single = all.map((task) => {
          const evaluator = wasmEngine(precision, kind).prepare([task]);
          const [outcome] = evaluator.evaluate(program);
          evaluator.dispose();
          return outcome!;
        });
        if (precision === 'f64') expect(single).toStrictEqual(alone);
        for (const count of counts) {
          const evaluator = wasmEngine(precision, kind).prepare(all.slice(0, count));
          expect(evaluator.evaluate(program)).toStrictEqual(single.slice(0, count));
          evaluator.dispose();
        }
      }
    }
  });
});
