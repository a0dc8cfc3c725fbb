// Scores of models and what they say about each other, in words. Must not know where they are printed.
import type { Difference, Interval, Score } from './score.js';

const points = (x: number) => (100 * x).toFixed(1);

/** `0.0123`, `1234`: four digits, without an exponent where that is short. */
export function shortNumber(x: number): string {
  return String(Number(x.toPrecision(4)));
}

function range(interval: Interval | null, text: (x: number) => string): string {
  return interval === null ? '' : ` (${text(interval[0])} to ${text(interval[1])})`;
}

/** `accuracy 97.2 % (85.8 to 99.5)` */
export function scoreText(score: Score | undefined): string {
  if (score === undefined) return 'could not be trained: NaN, or an error above 100';
  if (score.kind === 'classes') return `accuracy ${points(score.accuracy)} %${range(score.interval, points)}`;
  if (score.rmse === null) return 'predicts no number for some rows';
  const digits = (x: number) => x.toFixed(3);
  const r2 = score.r2 === null ? '' : `R² ${digits(score.r2)}${range(score.r2Interval, digits)}, `;
  return `${r2}RMSE ${shortNumber(score.rmse)}${range(score.rmseInterval, shortNumber)}`;
}

/** How the evolved program compares with a baseline, in a sentence. */
export function differenceText(baseline: string, found: Difference | undefined, areClasses: boolean): string {
  if (found === undefined || found.difference === null)
    return `The evolved program cannot be compared with the ${baseline}.`;
  const { difference, interval, verdict } = found;
  const text = areClasses ? points : (x: number) => x.toFixed(3);
  const unit = areClasses ? ' points of accuracy' : ' of R²';
  const signed = `${difference < 0 ? '' : '+'}${text(difference)}${unit}${range(interval, text)}`;
  if (verdict === 'better') return `The evolved program is better than the ${baseline}: ${signed}.`;
  if (verdict === 'worse') return `The ${baseline} is better than the evolved program: ${signed}.`;
  return `Between the evolved program and the ${baseline} the difference is within noise: ${signed}.`;
}
