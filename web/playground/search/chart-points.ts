// The points of a chart that grows for as long as somebody watches: few enough to be drawn at once. Must not know charts.
import type { FitnessPoint } from '../../shared/chart-data.js';

const MOST_POINTS = 600;

/** With one more; when there are too many, every other of the older half goes. */
export function addPoint(points: readonly FitnessPoint[], point: FitnessPoint): FitnessPoint[] {
  const last = points.at(-1);
  // What happens at one place is one point.
  const before = last !== undefined && last.x >= point.x ? points.slice(0, -1) : points;
  const merged = last !== undefined && last.x >= point.x ? { ...last, ...point } : point;
  const all = [...before, merged];
  if (all.length <= MOST_POINTS) return all;
  const half = Math.floor(all.length / 2);
  return [...all.slice(0, half).filter((_, k) => k % 2 === 0), ...all.slice(half)];
}
