// The fitness on each task as dots along an axis, so that a few bad tasks behind a good median can be seen.
import { median } from '../../src/util/stats.js';
import { shortFitness } from '../shared/format.js';

const WIDTH = 400;
const HEIGHT = 46;
const MARGIN = 8;

export function ScoreStrip({ fitnesses }: { readonly fitnesses: readonly number[] }) {
  const sorted = fitnesses.filter(Number.isFinite).toSorted((a, b) => a - b);
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 1];
  const at = (fitness: number) =>
    MARGIN + (most > least ? (fitness - least) / (most - least) : 0.5) * (WIDTH - 2 * MARGIN);
  const middle = sorted.length === 0 ? 0 : median(sorted);
  const label = `Fitness on each of ${sorted.length} final tasks, from ${shortFitness(least)} to ${shortFitness(most)}`;
  return (
    <figure class="score-strip">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <path class="axis" d={`M${MARGIN} 30H${WIDTH - MARGIN}`} />
        <path class="median" d={`M${at(middle).toFixed(1)} 16V38`} />
        {sorted.map((fitness, k) => (
          // Dots of like fitness stand a little apart.
          <circle key={`${k} ${fitness}`} cx={at(fitness).toFixed(1)} cy={24 + ((k * 7) % 13)} r="3" />
        ))}
      </svg>
      <figcaption class="soft">
        <span>{shortFitness(least)}</span>
        <span>each final task; the line is the median</span>
        <span>{shortFitness(most)}</span>
      </figcaption>
    </figure>
  );
}
