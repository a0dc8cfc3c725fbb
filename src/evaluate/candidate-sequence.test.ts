import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { SEED, smallTask } from '../../tests/support/arbitraries.js';
import { connect, programs, readers } from '../../tests/support/differential.js';
import { FINGERPRINT, PLAIN, STAGES } from '../../tests/support/evaluation.js';
import { evaluateProgram } from '../../tests/support/stores.js';
import type { Task } from '../engine/engine.js';
import { wasmEngine } from '../engine/wasm/engine.js';
import { heap } from '../engine/wasm/heap.js';
import { canonicalHash, canonicalize } from '../program/canonical.js';
import { CodeStore } from '../program/flat/code-store.js';
import type { Program } from '../program/program.js';
import { CandidateEvaluator, type EvaluationOptions, type Judgement } from './candidate-evaluator.js';
import { shortenTask } from './fingerprint.js';

afterEach(() => {
  expect(heap.used).toBe(0);
});

const ALL: EvaluationOptions = {
  ...PLAIN,
  budget: 2,
  fingerprint: FINGERPRINT,
  hurdles: { stages: STAGES, audit: 3 },
};

function withEvaluator<T>(
  tasks: readonly Task[],
  options: EvaluationOptions,
  use: (evaluator: CandidateEvaluator) => T,
): T {
  const evaluator = new CandidateEvaluator(tasks, options);
  try {
    return use(evaluator);
  } finally {
    evaluator.dispose();
  }
}

/** Training steps of a plain evaluation. */
function countSteps(tasks: readonly Task[], program: Program): number {
  const evaluator = wasmEngine('f64').prepare(tasks);
  const outcomes = evaluator.evaluate(program);
  evaluator.dispose();
  return outcomes.reduce((total, { trainSteps }) => total + trainSteps, 0);
}

/** Random programs among copies and canonical copies of earlier ones, so that caches have something to find. */
function repeatingPrograms(count: number): Program[] {
  const connected = fc.tuple(programs, readers).map(([random, picks]) => connect(random, 'scalar', picks));
  const all: Program[] = [];
  for (const [k, program] of fc.sample(connected, { numRuns: count, seed: SEED }).entries()) {
    const earlier = all[(7 * k) % (all.length + 1)] ?? program;
    all.push(k % 3 === 0 ? earlier : k % 3 === 1 ? canonicalize(earlier) : program);
  }
  return all;
}

describe('judging one program after the other', () => {
  const tasks = [0, 1, 2].map((seed) => smallTask(4, 'rms', seed, 20));
  const shorten = (some: readonly Task[], stage: { train: number; valid: number }) =>
    some.map((task) => shortenTask(task, stage));
  const judged = repeatingPrograms(300);
  const hurdlesAt = (k: number) => [(k % 10) / 20, (k % 7) / 14];

  it('counts every program once, and every training step', () => {
    const seen: Record<Judgement, number> = {
      'over-budget': 0,
      canonical: 0,
      fingerprint: 0,
      cut: 0,
      audited: 0,
      evaluated: 0,
    };
    withEvaluator(tasks, ALL, (evaluator) => {
      let expected = 0;
      for (const [k, one] of judged.entries()) {
        const { judgement, atHurdles } = evaluateProgram(evaluator, one, hurdlesAt(k));
        seen[judgement]++;
        if (judgement === 'over-budget' || judgement === 'canonical') continue;
        expected += countSteps(shorten(tasks.slice(0, FINGERPRINT.tasks), FINGERPRINT), one);
        if (judgement === 'fingerprint') continue;
        for (const [n] of atHurdles.entries()) expected += countSteps(shorten(tasks, STAGES[n]!), one);
        if (judgement !== 'cut') expected += countSteps(tasks, one);
      }
      const { overBudget, canonicalHits, fingerprintHits, cut, audited, evaluated, trainSteps } = evaluator.counts;
      expect(trainSteps).toBe(expected);
      expect(overBudget + canonicalHits + fingerprintHits + (cut - audited) + evaluated).toBe(judged.length);
      expect({ overBudget, canonicalHits, fingerprintHits, cut, audited, evaluated }).toEqual({
        overBudget: seen['over-budget'],
        canonicalHits: seen.canonical,
        fingerprintHits: seen.fingerprint,
        cut: seen.cut + seen.audited,
        audited: seen.audited,
        evaluated: seen.evaluated + seen.audited,
      });
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
    });
  });

  it('judges programs in a store as the same programs elsewhere', () => {
    const store = new CodeStore(
      { scalars: 6, vectors: 5, matrices: 2 },
      { setup: 40, predict: 40, learn: 40 },
      judged.length,
    );
    judged.forEach((one, k) => {
      store.write(k, one);
    });
    // One evaluator sees the store only, one programs only, one both by turns.
    const [inStore, elsewhere, byTurns] = [0, 1, 2].map((way) =>
      withEvaluator(tasks, ALL, (evaluator) => {
        const evaluations = judged.map((one, k) => {
          const isInStore = way === 0 || (way === 2 && k % 2 === 0);
          const evaluation = isInStore
            ? evaluator.evaluate(store, k, hurdlesAt(k))
            : evaluateProgram(evaluator, one, hurdlesAt(k));
          return { ...evaluation, hash: evaluator.hash };
        });
        return { evaluations, counts: evaluator.counts };
      }),
    );
    expect(elsewhere!.evaluations.map(({ hash }) => hash)).toEqual(judged.map((one) => canonicalHash(one)));
    expect(inStore).toEqual(elsewhere);
    expect(byTurns).toEqual(elsewhere);
  });

  it('goes on from what was saved as if never stopped', () => {
    // So few places that what is found depends on the order in which programs were used.
    for (const options of [{ ...ALL, fingerprint: { ...FINGERPRINT, cache: 12 } }, PLAIN]) {
      withEvaluator(tasks, options, (evaluator) => {
        const goOn = (one: CandidateEvaluator) =>
          judged.slice(150).map((later, k) => evaluateProgram(one, later, hurdlesAt(k)));
        for (const [k, one] of judged.slice(0, 150).entries()) evaluateProgram(evaluator, one, hurdlesAt(k));
        const saved = evaluator.save();
        const copy = structuredClone(saved);
        const expected = goOn(evaluator);
        expect(saved).toEqual(copy);
        withEvaluator(tasks, options, (resumed) => {
          resumed.restore(saved);
          expect(goOn(resumed)).toEqual(expected);
          expect(resumed.counts).toEqual(evaluator.counts);
          expect(resumed.save()).toEqual(evaluator.save());
          expect(saved).toEqual(copy);
        });
      });
    }
  });
});
