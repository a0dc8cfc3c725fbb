// f32 against the vectors of the C++ original, which computes in f64: ops to within rounding of their operands' size; programs,
// most of which do not amplify that, in their fitness.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../src/engine/conformance.js';
import type { MemoryImage } from '../../src/engine/engine.js';
import { interpreterF32 } from '../../src/engine/interpreter.js';
import { wasmEngine } from '../../src/engine/wasm/engine.js';

const ORIGINAL = new URL('../../../shared/golden/', import.meta.url);
const cases = readdirSync(ORIGINAL)
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file) => readVectors(readFileSync(new URL(file, ORIGINAL), 'utf8')));

/** Relative to the largest number in memory before or after; f32 has 24 bits, and sums add a few roundings. */
const OP_TOLERANCE = 1e-6;
const FITNESS_TOLERANCE = 1e-6;
/** The others amplify rounding: deviations of equal numbers, differences of large ones, functions near their poles. */
const PROGRAMS_WITHIN = 0.99;
const F32_MAX = 3.4e38;

function numbers({ scalars, vectors, matrices }: MemoryImage): number[] {
  return [...scalars, ...vectors.flatMap((v) => [...v]), ...matrices.flatMap((m) => [...m])];
}

function difference(got: number, expected: number, scale: number): number {
  if (Object.is(got, expected) || got === expected || Math.abs(expected) > F32_MAX) return 0;
  const error = Math.abs(got - expected) / scale;
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}

describe.each([wasmEngine('f32', 'lanes'), wasmEngine('f32', 'dense'), interpreterF32])('$name', (engine) => {
  it(`agrees with the original's ops within ${OP_TOLERANCE}, where f32 can hold the value`, () => {
    for (const testCase of cases) {
      if (testCase.kind !== 'op') continue;
      const memory = structuredClone(testCase.before);
      engine.execute(testCase.instruction, memory);
      const [got, expected] = [numbers(memory), numbers(testCase.after)];
      const sizes = [...numbers(testCase.before), ...expected].filter(Number.isFinite).map(Math.abs);
      const scale = sizes.reduce((a, b) => Math.max(a, b), 1);
      const worst = got.reduce((most, value, k) => Math.max(most, difference(value, expected[k]!, scale)), 0);
      expect(worst, `line ${testCase.line}`).toBeLessThan(OP_TOLERANCE);
    }
  });

  it(`agrees with the fitness of ${100 * PROGRAMS_WITHIN} % of the original's programs within ${FITNESS_TOLERANCE}`, () => {
    const programs = cases.filter((c) => c.kind === 'program');
    const close = programs.filter(({ program, task, fitness }) => {
      const evaluator = engine.prepare([task]);
      const [outcome] = evaluator.evaluate(program);
      evaluator.dispose();
      return Math.abs(outcome!.fitness - fitness) <= FITNESS_TOLERANCE;
    });
    expect(close.length).toBeGreaterThanOrEqual(PROGRAMS_WITHIN * programs.length);
  });
});
