import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConstant, arbitraryProgram } from '../../tests/support/arbitraries.js';
import { hashToHex } from '../util/hash.js';
import { BUILTIN_NAMES, builtin } from './builtin.js';
import { canonicalHash } from './canonical.js';
import { CanonicalHasher } from './canonical-hasher.js';
import { LiveCode } from './live-code.js';
import type { LabelKind, Program } from './program.js';

const live = { scalar: new LiveCode('scalar'), vector: new LiveCode('vector') };
const hashers = { scalar: new CanonicalHasher('scalar'), vector: new CanonicalHasher('vector') };

function fastHash(program: Program, labels: LabelKind): string {
  live[labels].setProgram(program);
  hashers[labels].run(live[labels]);
  return hashToHex(hashers[labels].high, hashers[labels].low);
}

describe('CanonicalHasher', () => {
  it('agrees with the definition on the built-in programs', () => {
    for (const name of BUILTIN_NAMES) {
      const { program, labels } = builtin(name)!;
      expect(fastHash(program, labels), name).toBe(canonicalHash(program, labels));
    }
  });

  it('agrees with the definition on random programs', () => {
    const few = { scalars: 4, vectors: 4, matrices: 2 };
    const many = { scalars: 30, vectors: 30, matrices: 20 };
    for (const [memory, maxLength] of [
      [few, 8],
      [few, 30],
      [many, 60],
    ] as const) {
      fc.assert(
        fc.property(
          arbitraryProgram({ memory, maxLength, constant: anyConstant }),
          fc.constantFrom<LabelKind>('scalar', 'vector'),
          (program, labels) => {
            expect(fastHash(program, labels)).toBe(canonicalHash(program, labels));
          },
        ),
        { numRuns: 1000 },
      );
    }
  });
});
