// What commands that measure programs on tasks have in common: how far they are, and how they show fitnesses.
import type { Candidate } from '../analysis/tune/tune.js';
import { mean, meanInterval } from '../util/stats.js';
import { UserError } from './errors.js';
import { bar, duration, Progress } from './output.js';

/** `0.7512 ± 0.0123` */
export function fitnessText({ fitnesses }: Pick<Candidate, 'fitnesses'>): string {
  const average = mean(fitnesses).toFixed(4);
  const half = meanInterval(fitnesses);
  return half === undefined ? average : `${average} ± ${half.toFixed(4)}`;
}

/** Programs whose every evaluation is stopped have nothing to lose or to gain. */
export function checkRuns(name: string, { fitness }: Candidate): void {
  if (fitness > 0) return;
  throw new UserError(`${name}: stopped on every task, by NaN or an error above 100, whatever its constants`);
}

/** Shows how far a command is that evaluates so many programs. */
export function showProgress(what: string): { step(done: number, total: number): void; finish(): void } {
  const progress = new Progress();
  const startedAt = performance.now();
  let line = () => `${what}: making tasks`;
  progress.hint(line);
  return {
    step(done, total) {
      const left = ((performance.now() - startedAt) / 1000 / done) * (total - done);
      const time = left > 1 ? `, about ${duration(left)} left` : '';
      line = () => `${bar(done / total)} ${what}: ${done} of ${total} programs${time}`;
      progress.show(line);
    },
    finish: () => progress.finish(line),
  };
}
