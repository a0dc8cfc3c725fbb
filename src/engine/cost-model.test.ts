import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryProgram, SMALL_MEMORY } from '../../tests/support/arbitraries.js';
import type { OpName } from '../ops/table.js';
import { builtin } from '../program/builtin.js';
import { CodeAnalyser } from '../program/flat/code-analyser.js';
import { CodeStore } from '../program/flat/code-store.js';
import { LiveCode } from '../program/flat/live-code.js';
import { LABEL_KINDS } from '../program/program.js';
import { CostModel, networkCost, opCost, programCost } from './cost.js';

const MAX_LENGTH = 12;

describe('CostModel', () => {
  it('is the cost of the program, whether it lies in a store or not', () => {
    const lengths = { setup: MAX_LENGTH, predict: MAX_LENGTH, learn: MAX_LENGTH };
    for (const labels of LABEL_KINDS) {
      const store = new CodeStore(SMALL_MEMORY, lengths, 2);
      const live = new LiveCode(labels);
      const analyser = new CodeAnalyser(labels);
      fc.assert(
        fc.property(
          arbitraryProgram({ maxLength: MAX_LENGTH }),
          fc.constantFrom(2, 4, 16, 33),
          fc.record({ train: fc.integer({ min: 1, max: 9000 }), valid: fc.integer({ min: 1, max: 1000 }) }),
          (program, features, examples) => {
            const model = new CostModel(features, examples);
            const expected = programCost(program, features, examples, labels);
            live.setProgram(program);
            expect(model.cost(live)).toBe(expected);
            store.write(1, program);
            analyser.run(store, 1);
            expect(model.cost(analyser.live)).toBe(expected);
          },
        ),
        { numRuns: 200 },
      );
    }
  });

  it('costs nothing if nothing is live', () => {
    const live = new LiveCode('scalar');
    live.setProgram({ setup: [], predict: [], learn: builtin('paper/linear')!.program.learn });
    expect(new CostModel(4, { train: 10, valid: 10 }).cost(live)).toBe(0);
  });
});

describe('networkCost', () => {
  it("is that of the paper's two-layer network, instruction by instruction", () => {
    const setup: OpName[] = ['scalar-constant', 'vector-gaussian', 'matrix-gaussian'];
    const predict: OpName[] = ['matrix-vector', 'vector-add', 'vector-maximum', 'dot', 'scalar-add'];
    const second: OpName[] = ['scalar-subtract', 'scalar-multiply', 'scalar-add', 'vector-scale', 'vector-add'];
    const first: OpName[] = [
      'vector-scale',
      'vector-heaviside',
      'vector-multiply',
      'vector-add',
      'outer',
      'matrix-add',
    ];
    for (const features of [4, 16, 100]) {
      const total = (names: readonly OpName[]) => names.reduce((sum, name) => sum + opCost(name, features), 0);
      const expected = total(setup) + total(predict) * 120 + total([...second, ...first]) * 100;
      expect(networkCost(features, { train: 100, valid: 20 }) / expected).toBeCloseTo(1, 12);
    }
  });
});
