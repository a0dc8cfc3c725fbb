// Fitnesses in as few digits as say something: four, or as many as tell it from 1.

const LEAST_DIGITS = 4;
const MOST_DIGITS = 12;

export function shortFitness(fitness: number): string {
  if (fitness === 1) return '1';
  const digits = Math.ceil(-Math.log10(1 - fitness)) + 1;
  const text = fitness.toFixed(Math.max(LEAST_DIGITS, Math.min(MOST_DIGITS, digits)));
  return Number(text) === 1 ? 'nearly 1' : text;
}
