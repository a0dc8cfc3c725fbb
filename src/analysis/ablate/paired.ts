// Compares two programs on the same tasks: the mean of the differences, its 95 % interval and the chance that it is luck (Student's
// paired test). Tasks differ more than programs do, so that only differences on the same task say much. Must not know programs.
import { mean, meanInterval, standardError } from '../../util/stats.js';

export interface Difference {
  /** Of `after - before` over the tasks. */
  readonly mean: number;
  /** Half the width of the 95 % interval; nothing of a single task. */
  readonly half?: number;
  /** The chance of a mean at least so far from 0 if there were no difference; nothing of a single task. */
  readonly pValue?: number;
}

/** The chance that Student's t of so many degrees of freedom is further from 0: a finite sum for whole degrees. */
export function studentTail(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return 0;
  const angle = Math.atan(Math.abs(t) / Math.sqrt(degrees));
  const [sine, square] = [Math.sin(angle), Math.cos(angle) ** 2];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let total = 0;
  for (let k = isOdd ? 3 : 2; k <= degrees; k += 2) {
    total += term;
    term *= (square * (k - 1)) / k;
  }
  const inside = isOdd ? (2 / Math.PI) * (angle + sine * total) : sine * total;
  return Math.min(1, Math.max(0, 1 - inside));
}

export function comparePaired(before: readonly number[], after: readonly number[]): Difference {
  const differences = after.map((x, k) => x - before[k]!);
  const centre = mean(differences);
  const half = meanInterval(differences);
  const error = standardError(differences);
  if (half === undefined || error === undefined) return { mean: centre };
  // No difference on any task is no evidence of one.
  const pValue = centre === 0 ? 1 : studentTail(centre / error, differences.length - 1);
  return { mean: centre, half, pValue };
}

export const SIGNIFICANT = 0.05;

/** `+0.0123 ± 0.0045` */
export function differenceText({ mean: centre, half }: Difference): string {
  const text = `${centre < 0 ? '-' : '+'}${Math.abs(centre).toFixed(4)}`;
  return half === undefined ? text : `${text} ± ${half.toFixed(4)}`;
}
