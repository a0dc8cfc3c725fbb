// A series of numbers as one line of bars, for a terminal that shows how something has changed. Must not know what the
// numbers measure.

/** From the lowest to the highest. */
export const LEVELS = '▁▂▃▄▅▆▇█';

/** The greatest number of each of `count` stretches of nearly the same length. */
function greatestOfEach(numbers: readonly number[], count: number): number[] {
  const greatest = (some: readonly number[]) => some.reduce((a, b) => Math.max(a, b));
  const edge = (k: number) => Math.floor((k * numbers.length) / count);
  return Array.from({ length: count }, (_, k) => greatest(numbers.slice(edge(k), edge(k + 1))));
}

/** The series from left to right, in at most `width` bars. What is no finite number is left out. */
export function sparkline(values: readonly number[], width: number): string {
  const numbers = values.filter(Number.isFinite);
  const heights = greatestOfEach(numbers, Math.max(0, Math.min(width, numbers.length)));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const level = (height: number) => {
    // A series that never changes lies in the middle: it is neither low nor high.
    const part = high > low ? (height - low) / (high - low) : 0.5;
    return LEVELS[Math.min(LEVELS.length - 1, Math.floor(part * LEVELS.length))];
  };
  return heights.map(level).join('');
}
