// How fitnesses over many tasks are shown: a few numbers and, on a terminal, their distribution.
import { summarize } from '../evaluate/summary.js';
import { colors, count, print } from './output.js';
import { LEVELS } from './sparkline.js';

const BINS = 24;

export interface Scores {
  readonly fitnesses: readonly number[];
  /** Tasks on which an error ended the program. */
  readonly stopped: number;
}

/** How many fitnesses there are at each place between the worst and the best, as one line of bars. */
export function histogram(fitnesses: readonly number[], worst: number, best: number): string {
  const bins = new Array<number>(BINS).fill(0);
  for (const fitness of fitnesses) {
    const part = best > worst ? (fitness - worst) / (best - worst) : 0.5;
    bins[Math.min(BINS - 1, Math.floor(part * BINS))]!++;
  }
  const most = Math.max(...bins);
  // A bin with anything in it shows.
  return bins.map((n) => ` ${LEVELS}`[Math.ceil((n / most) * LEVELS.length)]).join('');
}

export function printScores({ fitnesses, stopped }: Scores): void {
  const { mean, median, std } = summarize(fitnesses);
  const worst = fitnesses.reduce((a, b) => Math.min(a, b));
  const best = fitnesses.reduce((a, b) => Math.max(a, b));
  print(`  ${'mean'.padEnd(8)} ${colors.bold(mean.toFixed(6))}`);
  for (const [name, value] of Object.entries({ median, std, worst, best })) {
    print(`  ${name.padEnd(8)} ${value.toFixed(6)}`);
  }
  if (stopped > 0) {
    print(`  stopped early, by NaN or an error above 100, on ${stopped} of ${count(fitnesses.length, 'task')}`);
  }
  if (process.stdout.isTTY && best > worst) {
    print(`\n  ${worst.toFixed(3)} ${colors.cyan(histogram(fitnesses, worst, best))} ${best.toFixed(3)}`);
  }
}
