// Fewer points where there are more than can be seen. Must not know what they stand for.
import type { Place } from '../../pages/progress-plot.js';

/** At most about so many: one of those that lie on each other, then every so manieth, so that crowds stay crowds. */
export function thinPoints<T extends Place>(points: readonly T[], most: number, stays: (point: T) => boolean): T[] {
  if (points.length <= most) return [...points];
  const taken = new Set<string>();
  const apart = points.filter((point) => {
    const key = `${Math.round(point.x)} ${Math.round(point.y)}`;
    if (taken.has(key) && !stays(point)) return false;
    taken.add(key);
    return true;
  });
  const every = Math.ceil(apart.length / most);
  return apart.filter((point, k) => k % every === 0 || stays(point));
}

/** Of a line from left to right, in each column the first point, the last, the highest and the lowest, so that it looks the same. */
export function thinLine<T extends Place>(points: readonly T[], column: number, stays: (point: T) => boolean): T[] {
  const columns = new Map<number, number[]>();
  for (const [k, { x }] of points.entries()) {
    const key = Math.floor(x / column);
    const group = columns.get(key);
    if (group === undefined) columns.set(key, [k]);
    else group.push(k);
  }
  return [...columns.values()].flatMap((group) => {
    const least = group.reduce((a, b) => (points[b]!.y < points[a]!.y ? b : a));
    const most = group.reduce((a, b) => (points[b]!.y > points[a]!.y ? b : a));
    const kept = new Set([group[0]!, least, most, group.at(-1)!]);
    return group.filter((k) => kept.has(k) || stays(points[k]!)).map((k) => points[k]!);
  });
}
