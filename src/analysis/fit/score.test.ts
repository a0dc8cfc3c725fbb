import { describe, expect, it } from 'vitest';
import type { Answer } from './model.js';
import { compareAnswers, pairAnswers, scoreAnswers } from './score.js';
import { differenceText, scoreText } from './score-text.js';

const answers = (predictions: readonly (number | string | undefined)[]): Answer[] =>
  predictions.map((prediction) => ({ prediction }));

describe('classes', () => {
  const truth = Array.from({ length: 100 }, (_, k) => (k % 2 ? 'a' : 'b'));
  const wrongAt = (...rows: number[]) => answers(truth.map((name, k) => (rows.includes(k) ? 'c' : name)));

  it("have an accuracy with Wilson's interval", () => {
    const score = scoreAnswers({ truth, answers: wrongAt(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) }, true);
    // 90 of 100, as in tables of the Wilson interval.
    expect(score).toMatchObject({ kind: 'classes', rows: 100, accuracy: 0.9 });
    if (score.kind !== 'classes') throw new Error('no classes');
    expect(score.interval[0]).toBeCloseTo(0.8256, 4);
    expect(score.interval[1]).toBeCloseTo(0.9448, 4);
    expect(scoreText(score)).toBe('accuracy 90.0 % (82.6 to 94.5)');
  });

  it('without an answer are wrong', () => {
    expect(scoreAnswers({ truth: ['a', 'b'], answers: answers(['a', undefined]) }, true)).toMatchObject({
      accuracy: 0.5,
    });
  });

  it('differ by more than noise, or not', () => {
    const all = { truth, answers: wrongAt() };
    const few = { truth, answers: wrongAt(1) };
    const many = { truth, answers: wrongAt(...Array.from({ length: 20 }, (_, k) => k)) };
    expect(compareAnswers(all, few, true)).toMatchObject({ verdict: 'noise', difference: 0.01 });
    expect(compareAnswers(all, many, true).verdict).toBe('better');
    expect(compareAnswers(many, all, true).verdict).toBe('worse');
    expect(differenceText('network', compareAnswers(many, all, true), true)).toMatch(
      /^The network is better than the evolved program: -20\.0 points of accuracy \(-2\d\.\d to -1\d\.\d\)\.$/,
    );
    expect(differenceText('network', compareAnswers(all, few, true), true)).toContain('within noise');
  });
});

describe('numbers', () => {
  const truth = [1, 2, 3, 4, 5, 6, 7, 8];

  it('have R² and RMSE in their units', () => {
    const score = scoreAnswers({ truth, answers: answers(truth.map((x) => x + 0.5)) }, false);
    expect(score).toMatchObject({ rmse: 0.5, rmseInterval: [0.5, 0.5] });
    if (score.kind !== 'numbers') throw new Error('no numbers');
    expect(score.r2).toBeCloseTo(1 - 0.25 / 5.25, 10);
    expect(score.r2Interval![0]).toBeLessThan(score.r2!);
  });

  it('say nothing where an answer is missing', () => {
    const score = scoreAnswers({ truth, answers: answers([undefined, ...truth.slice(1)]) }, false);
    expect(score).toMatchObject({ r2: null, rmse: null });
    expect(scoreText(score)).toBe('predicts no number for some rows');
  });

  it('have no R² if they are all equal', () => {
    expect(scoreAnswers({ truth: [2, 2], answers: answers([2, 3]) }, false)).toMatchObject({ r2: null });
  });
});

it('rows without a target are left out', () => {
  expect(pairAnswers([1, undefined, 3], answers([4, 5, 6]))).toEqual({ truth: [1, 3], answers: answers([4, 6]) });
});
