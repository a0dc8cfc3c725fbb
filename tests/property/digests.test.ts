// The digest of predictions that the fast engine makes, on random programs: one for equal predictions, another for others.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Loss, labelKind } from '../../src/engine/engine.js';
import type { WasmEvaluator } from '../../src/engine/wasm/evaluator.js';
import { heap } from '../../src/engine/wasm/heap.js';
import type { Precision } from '../../src/ops/semantics.js';
import { canonicalize } from '../../src/program/canonical.js';
import { simplify } from '../../src/program/liveness.js';
import { printProgram } from '../../src/program/print.js';
import type { Program } from '../../src/program/program.js';
import { hashToHex } from '../../src/util/hash.js';
import { pickCases } from '../support/amount.js';
import { SEED } from '../support/arbitraries.js';
import { connect, programs, readers } from '../support/differential.js';
import { DIGEST_CASE, DIGEST_CASES, digestOf, makeTasks, TRAIN, withEvaluator } from '../support/digests.js';

afterEach(() => {
  expect(heap.used).toBe(0);
});

// --- What a digest is made of: the definition, in plain steps ----------------------------------------------------------

const bits = { f64: new BigUint64Array(1), f32: new Uint32Array(1) };
const numbers = { f64: new Float64Array(bits.f64.buffer), f32: new Float32Array(bits.f32.buffer) };

/** The bits of a number that count. */
function truncate(value: number, precision: Precision): string {
  if (Number.isNaN(value)) return 'NaN';
  // Adding zero takes the sign from a zero.
  numbers[precision][0] = value + 0;
  return String(precision === 'f64' ? bits.f64[0]! >> 20n : bits.f32[0]! >>> 7);
}

function tellPredictions(evaluator: WasmEvaluator, precision: Precision): string {
  return Array.from(evaluator.readPredictions(), (value) => truncate(value, precision)).join(' ');
}

function randomPrograms(count: number, loss: Loss): Program[] {
  const connected = fc.tuple(programs, readers).map(([random, picks]) => connect(random, labelKind(loss), picks));
  return fc.sample(connected, { numRuns: count, seed: SEED });
}

describe.each(pickCases(DIGEST_CASES))(`the digest: ${DIGEST_CASE}`, (shape) => {
  const { precision, features, count, loss } = shape;
  const tasks = makeTasks(features, loss, count);
  const labels = labelKind(loss);

  it('is one for equal predictions, and another for others', () => {
    withEvaluator(shape, tasks, (evaluator) => {
      const predictionsOf = new Map<string, string>();
      const digestsOf = new Map<string, string>();
      for (const random of randomPrograms(25, loss)) {
        for (const one of [random, simplify(random, labels), canonicalize(random, labels)]) {
          const digest = digestOf(evaluator, one);
          const predictions = tellPredictions(evaluator, precision);
          const known = predictionsOf.get(digest) ?? predictions;
          if (known !== predictions) expect(predictions, printProgram(one, labels)).toBe(known);
          predictionsOf.set(digest, predictions);
          // Tasks that stopped also count with what others went on to compute.
          const isStopped = evaluator.countTrainSteps() < TRAIN * count || predictions.includes('NaN');
          if (!isStopped) expect(digestsOf.get(predictions) ?? digest, printProgram(one, labels)).toBe(digest);
          digestsOf.set(predictions, digest);
          if (one !== random) expect(digest, printProgram(one, labels)).toBe(digestOf(evaluator, random));
        }
      }
      expect(predictionsOf.size).toBeGreaterThan(5);
    });
  });

  it('does not depend on what ran before', () => {
    const some = randomPrograms(10, loss);
    const alone = some.map((one) => withEvaluator(shape, tasks, (evaluator) => digestOf(evaluator, one)));
    withEvaluator(shape, tasks, (evaluator) => {
      const backwards = some.map((_, k) => digestOf(evaluator, some[some.length - 1 - k]!)).reverse();
      expect(backwards).toEqual(alone);
      expect(some.map((one) => digestOf(evaluator, one))).toEqual(alone);
      evaluator.readPredictions();
      expect(hashToHex(evaluator.readDigest()[1]!, evaluator.readDigest()[0]!)).toBe(alone.at(-1));
    });
  });
});
