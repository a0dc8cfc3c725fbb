// What the fast engine does to memory that is not its own: nothing, whatever it is given to run.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interpreter } from '../../src/engine/interpreter.js';
import { EncodingError } from '../../src/engine/wasm/encoder.js';
import { wasmEngine } from '../../src/engine/wasm/engine.js';
import { heap } from '../../src/engine/wasm/heap.js';
import { parseProgram } from '../../src/program/parse.js';
import type { Instruction, Program } from '../../src/program/program.js';
import { countRuns, pickCases } from '../support/amount.js';
import { smallTask } from '../support/arbitraries.js';

// Every region that is allocated gets a zone before and after it in which every number is NaN. What is written there shows, and
// what is read from there would make predictions NaN that are not.
const GUARD = 256;
const guards = new Map<number, number>();
const { allocate, release } = heap;

function fillGuards(begin: number, bytes: number): void {
  heap.u8.fill(0xff, begin - GUARD, begin);
  heap.u8.fill(0xff, begin + bytes, begin + bytes + GUARD);
}

function broken(): string[] {
  return [...guards].flatMap(([begin, bytes]) => {
    const zone = [...heap.u8.subarray(begin - GUARD, begin), ...heap.u8.subarray(begin + bytes, begin + bytes + GUARD)];
    return zone.every((byte) => byte === 0xff) ? [] : [`around ${begin}`];
  });
}

/** Instructions that no search and no parser makes. */
const strange = fc.oneof(
  { weight: 6, arbitrary: fc.nat(9) },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-1, 4095, 4096, 2 ** 31, 2 ** 32 + 1, 1_000_000, 1_000_001, Number.NaN, 0.5),
  },
);
const strangeInstruction: fc.Arbitrary<Instruction> = fc.record(
  {
    op: fc.oneof({ weight: 20, arbitrary: fc.nat(64) }, { weight: 1, arbitrary: strange }),
    in1: strange,
    in2: strange,
    out: fc.oneof({ weight: 2, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: strange }),
    index1: strange,
    index2: strange,
    const1: fc.double(),
    const2: fc.double(),
  },
  { noNullPrototype: true },
);
const validInstruction = strangeInstruction.map((instruction) => {
  const whole = (x: number, below: number) => (Number.isInteger(x) ? Math.abs(x) % below : 0);
  const { op, in1, in2, out, index1, index2 } = instruction;
  return {
    ...instruction,
    op: whole(op, 65),
    in1: whole(in1, 6),
    in2: whole(in2, 6),
    out: whole(out, 6),
    index1: whole(index1, 1_000_001),
    index2: whole(index2, 1_000_001),
  };
});

function programsOf(instruction: fc.Arbitrary<Instruction>): fc.Arbitrary<Program> {
  const body = fc.array(instruction, { maxLength: 6 });
  return fc.record({ setup: body, predict: body, learn: body }, { noNullPrototype: true });
}

describe('whatever the engine encodes', () => {
  beforeAll(() => {
    heap.allocate = (bytes) => {
      const begin = allocate.call(heap, bytes + 2 * GUARD) + GUARD;
      guards.set(begin, bytes);
      fillGuards(begin, bytes);
      return begin;
    };
    heap.release = (begin) => {
      expect(guards.delete(begin)).toBe(true);
      release.call(heap, begin - GUARD);
    };
  });
  afterAll(() => {
    Object.assign(heap, { allocate, release });
  });

  const CASES = (['f64', 'f32'] as const).flatMap((precision) =>
    (['lanes', 'dense'] as const).flatMap((kind) =>
      [2, 3, 5, 8].flatMap((features) => [1, 3].map((tasks) => ({ precision, kind, features, tasks }))),
    ),
  );

  it.each(pickCases(CASES, 5))('stays in its region: $precision $kind, $features features, $tasks tasks', (options) => {
    const { precision, kind, features, tasks: count } = options;
    const tasks = Array.from({ length: count }, (_, k) => smallTask(features, 'rms', k, 4));
    const evaluator = wasmEngine(precision, kind).prepare(tasks, { trace: true });
    const runs = countRuns(150);
    let ran = 0;
    fc.assert(
      fc.property(programsOf(strangeInstruction), programsOf(validInstruction), (anything, valid) => {
        for (const program of [anything, valid]) {
          try {
            evaluator.evaluate(program);
            ran++;
          } catch (error) {
            if (!(error instanceof EncodingError) || program === valid) throw error;
          }
          expect(broken()).toEqual([]);
        }
      }),
      { numRuns: runs },
    );
    expect(ran).toBeGreaterThanOrEqual(runs);
    evaluator.dispose();
    expect(guards.size).toBe(0);
  });

  it('lets nothing into its answers that lies around its region, where all is NaN', () => {
    for (const kind of ['lanes', 'dense'] as const) {
      for (const features of [2, 3, 5, 7, 10, 13]) {
        const loss = features >= 10 ? 'multiclass' : 'accuracy';
        const tasks = [1, 2, 3].map((seed) => smallTask(features, loss, seed, 6));
        const text = `
def Setup():
  m0 = gaussian(0, 0.3)
def Predict(v0):
  v3 = dot(m0, v0)
  v4 = norm(m0, axis=0)
  v5 = std(m0, axis=1)
  m1 = matmul(m0, m0)
  m1 = transpose(m1)
  v3 = v3 + v4
  v3 = v3 + v5
  v2 = dot(m1, v3)
  s3 = std(m1)
  s1 = mean(v2)
  s1 = s1 + s3
def Learn(v0, ${loss === 'multiclass' ? 'v1' : 's0'}):
  m2 = outer(v3, v0)
  m0 = m0 + m2
  m3 = bcast(v3, axis=1)
  m0 = m0 - m3
  s4 = norm(m0)
  s4 = 1 / s4
  m0 = s4 * m0
`;
        const program = parseProgram(text);
        const evaluator = wasmEngine('f64', kind).prepare(tasks, { trace: true });
        const outcomes = evaluator.evaluate(program);
        expect(outcomes).toStrictEqual(interpreter.prepare(tasks, { trace: true }).evaluate(program));
        expect(outcomes[0]!.trace!.predictions.every(Number.isFinite)).toBe(true);
        evaluator.dispose();
      }
    }
  });
});
