import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryProgram } from '../../tests/support/arbitraries.js';
import { parseConfig } from '../experiment/config.js';
import { findPreset } from '../experiment/presets.js';
import { packPrograms, unpackPrograms } from '../program/flat/packed-programs.js';
import type { Program } from '../program/program.js';
import { decodeMigrant, encodeUpload, readPool } from './migrant-bytes.js';

const MEMORY = { scalars: 5, vectors: 4, matrices: 2 };
const MAX = 8;
const functions = { ops: '0-64', min: 0, max: MAX };
const CONFIG = parseConfig({
  ...findPreset('full-space'),
  space: { memory: MEMORY, setup: functions, predict: functions, learn: functions },
});

function uploadOf(programs: readonly Program[]) {
  return {
    group: 0,
    migrants: {
      ids: Float64Array.from(programs, (_, k) => 7 * k),
      fitnesses: new Float64Array(programs.length),
      atHurdles: new Float64Array(0),
      lines: { numbers: new Float64Array(0), programs: packPrograms([]) },
      lineOf: new Int32Array(programs.length),
      programs: packPrograms(programs),
    },
  };
}

const program = arbitraryProgram({ memory: MEMORY, maxLength: MAX });

describe('a program between machines', () => {
  it('arrives as it was sent', () => {
    fc.assert(
      fc.property(fc.array(program, { maxLength: 5 }), (programs) => {
        const { upload, refused } = readPool(encodeUpload(uploadOf(programs)), CONFIG);
        expect(refused).toBe(0);
        expect([...upload.migrants.ids]).toEqual(programs.map((_, k) => 7 * k));
        // What an op does not use does not travel.
        const again = encodeUpload({ ...upload, group: 0 });
        expect(again).toEqual(encodeUpload(uploadOf(programs)));
        expect(unpackPrograms(upload.migrants.programs).length).toBe(programs.length);
      }),
    );
  });

  it('is refused if it is cut off, longer, or of another format', () => {
    fc.assert(
      fc.property(program, fc.nat(), (one, at) => {
        const [bytes] = encodeUpload(uploadOf([one]));
        expect(decodeMigrant(bytes!.subarray(0, at % bytes!.length), CONFIG)).toBeUndefined();
        expect(decodeMigrant(Uint8Array.from([...bytes!, 0]), CONFIG)).toBeUndefined();
        expect(decodeMigrant(Uint8Array.from([2, ...bytes!.subarray(1)]), CONFIG)).toBeUndefined();
      }),
    );
  });

  it('is never anything but a program of the search, whatever bytes come', () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    const changed = fc
      .tuple(program, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }))
      .map(([one, changes]) => {
        const [sent] = encodeUpload(uploadOf([one]));
        for (const [at, byte] of changes) sent![at % sent!.length] = byte;
        return sent!;
      });
    let [kept, refused] = [0, 0];
    fc.assert(
      fc.property(fc.oneof(bytes, changed), (some) => {
        const migrant = decodeMigrant(some, CONFIG);
        if (migrant === undefined) {
          refused++;
          return;
        }
        kept++;
        expect(Number.isSafeInteger(migrant.id)).toBe(true);
        for (const body of Object.values(migrant.program)) expect(body.length).toBeLessThanOrEqual(MAX);
        const [again] = encodeUpload(uploadOf([migrant.program]));
        expect(decodeMigrant(again!, CONFIG)!.program).toEqual(migrant.program);
      }),
      { numRuns: 2000 },
    );
    expect(kept).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });

  it('is refused where its memory, its length or a frozen function is not that of the search', () => {
    const instruction = { op: 1, in1: 0, in2: 0, out: 1, index1: 0, index2: 0, const1: 0, const2: 0 };
    const refusedOf = (one: Program, config = CONFIG) => readPool(encodeUpload(uploadOf([one])), config).refused;
    const good: Program = { setup: [instruction], predict: [], learn: [] };
    expect(refusedOf(good)).toBe(0);
    expect(refusedOf({ ...good, predict: [{ ...instruction, in2: MEMORY.scalars }] })).toBe(1);
    expect(refusedOf({ ...good, learn: Array(MAX + 1).fill(instruction) })).toBe(1);
    expect(refusedOf({ ...good, setup: [{ ...instruction, op: 56, const1: Number.NaN }] })).toBe(1);
    const frozen = findPreset('linear-learn');
    expect(refusedOf(good, frozen)).toBe(1);
  });
});
