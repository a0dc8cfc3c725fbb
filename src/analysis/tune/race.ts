// A better tuning than random search at equal cost. Half of the budget looks everywhere: many candidates on a small part of the tasks and
// examples, the better quarter on a larger part, and so on (successive halving). The other half looks near the best: steps that get
// shorter, raced in the same way. Must not know programs.
import { RandomStream } from '../../util/random.js';
import type { Measure } from './measure.js';
import { drawExponents, LARGEST_EXPONENT } from './random-factors.js';

/** Part of the budget that looks everywhere. */
const GLOBAL_PART = 0.5;
/** Rounds of steps near the best, and their deviations in powers of ten. */
const STEPS = [0.7, 0.35, 0.18, 0.09];
/** Streams of random numbers, beside those of the candidates that are drawn everywhere. */
const LOCAL = 2 ** 40;

interface Ranked {
  readonly exponents: readonly number[];
  fitness: number;
}

function best(ranked: readonly Ranked[], count: number): Ranked[] {
  // Of equals the earlier one.
  return [...ranked].sort((a, b) => b.fitness - a.fitness).slice(0, count);
}

/** How many candidates of the smallest part a budget is enough for, if a quarter goes on from each part to the next. */
function fieldSize(budget: number, parts: readonly number[]): number {
  const each = parts.reduce((sum, part, k) => sum + part * 4 ** -k, 0);
  return Math.max(1, Math.floor(budget / each));
}

/** Measures candidates on larger and larger parts, the better quarter going on; those that came through, best first. */
async function race(exponents: readonly (readonly number[])[], { parts, measure }: Measure): Promise<Ranked[]> {
  let field: Ranked[] = exponents.map((each) => ({ exponents: each, fitness: 0 }));
  for (const [k, part] of parts.entries()) {
    const fitnesses = await measure(
      field.map((each) => each.exponents),
      part,
    );
    for (const [index, each] of field.entries()) each.fitness = fitnesses[index]!;
    field = best(field, k === parts.length - 1 ? field.length : Math.max(1, Math.floor(field.length / 4)));
  }
  return field;
}

/** A step from the best, each exponent with a chance to stay, so that steps along few of many are among them. */
function stepFrom(from: readonly number[], deviation: number, random: RandomStream): number[] {
  const moves = from.map(() => random.uniform() < Math.max(0.5, 1 / from.length));
  if (!moves.includes(true)) moves[random.integer(from.length)] = true;
  return from.map((x, k) => {
    const step = deviation * random.gaussian();
    return moves[k] ? Math.max(-LARGEST_EXPONENT, Math.min(LARGEST_EXPONENT, x + step)) : x;
  });
}

export async function raceFactors(settings: Measure): Promise<void> {
  const { dimensions, before, seed, left, parts } = settings;
  const budget = left();
  const origin: Ranked = { exponents: Array.from({ length: dimensions }, () => 0), fitness: before };
  const everywhere = fieldSize(GLOBAL_PART * budget, parts);
  const drawn = Array.from({ length: everywhere }, (_, k) => drawExponents(seed, k, dimensions));
  let known = await race(drawn, settings);
  for (const [round, deviation] of STEPS.entries()) {
    const share = left() / (STEPS.length - round);
    if (left() < 1) break;
    const count = Math.max(1, fieldSize(share, parts));
    // From the best few, the program as it was among them at first.
    const parents = best([...known, ...(round === 0 ? [origin] : [])], 3);
    const steps = Array.from({ length: count }, (_, k) => {
      const random = new RandomStream(seed, LOCAL + round, k);
      return stepFrom(parents[k % parents.length]!.exponents, deviation, random);
    });
    known = best([...known, ...(await race(steps, settings))], 10);
  }
}
