import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConstant, arbitraryProgram } from '../../../tests/support/arbitraries.js';
import { countInstructions, type Program } from '../program.js';
import { CODE_ADDRESSES } from './code-layout.js';
import { MAX_CODE_INDEX } from './code-store.js';
import { packPrograms, unpackPrograms } from './packed-programs.js';

const MEMORY = { scalars: CODE_ADDRESSES, vectors: CODE_ADDRESSES, matrices: CODE_ADDRESSES };
const EMPTY: Program = { setup: [], predict: [], learn: [] };

describe('packed programs', () => {
  it('are the programs again when unpacked, to the bit', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryProgram({ memory: MEMORY, maxLength: 4, constant: anyConstant }), { maxLength: 5 }),
        (programs) => {
          expect(unpackPrograms(packPrograms(programs))).toStrictEqual(programs);
        },
      ),
    );
  });

  it('have no gaps', () => {
    const [program] = fc.sample(arbitraryProgram({ maxLength: 20 }), { numRuns: 1, seed: 5 });
    const count = countInstructions(program!);
    expect(count).toBeGreaterThan(0);
    const packed = packPrograms([EMPTY, program!, EMPTY, program!]);
    expect(packed.lengths).toHaveLength(12);
    expect(packed.words).toHaveLength(2 * count);
    expect(packed.indices).toHaveLength(2 * count);
    expect(packed.constants).toHaveLength(4 * count);
    expect(unpackPrograms(packed)).toStrictEqual([EMPTY, program, EMPTY, program]);
  });

  it('keep the largest fields', () => {
    const most = CODE_ADDRESSES - 1;
    const addresses = { op: 64, in1: most, in2: most, out: most };
    const rest = { index1: MAX_CODE_INDEX, index2: MAX_CODE_INDEX, const1: -0, const2: Number.MAX_VALUE };
    const program = { ...EMPTY, learn: [{ ...addresses, ...rest }] };
    expect(unpackPrograms(packPrograms([program]))).toStrictEqual([program]);
  });
});
