// Fisher's exact test for two groups: how surprising it is that so many of the one and so few of the other have something (paper,
// "Discovering Algorithm Adaptations": experiments against their controls). Must not know what was counted.

/** So many of `all` have it. */
export interface Share {
  readonly with: number;
  readonly all: number;
}

/** Tables whose probabilities differ by less are equally probable: rounding must not tell them apart. */
const SAME = 1e-9;

const logFactorials: number[] = [0];

function logFactorial(n: number): number {
  for (let k = logFactorials.length; k <= n; k++) logFactorials.push(logFactorials[k - 1]! + Math.log(k));
  return logFactorials[n]!;
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

function checkShare({ with: having, all }: Share): void {
  if (!Number.isInteger(having) || !Number.isInteger(all) || having < 0 || having > all) {
    throw new RangeError(`${having} of ${all} is no share`);
  }
}

/**
 * The probability of each number of the first group that have it, if as many have it in all and the group does not matter:
 * `probabilities[k]` is that of `least + k`.
 */
export function tableProbabilities(first: Share, second: Share): { least: number; probabilities: number[] } {
  checkShare(first);
  checkShare(second);
  const having = first.with + second.with;
  const least = Math.max(0, having - second.all);
  const most = Math.min(first.all, having);
  const logTotal = logChoose(first.all + second.all, having);
  const probabilities = Array.from({ length: most - least + 1 }, (_, k) =>
    Math.exp(logChoose(first.all, least + k) + logChoose(second.all, having - least - k) - logTotal),
  );
  return { least, probabilities };
}

/** From the smallest on, so that nothing is lost beside larger ones. */
function sum(probabilities: readonly number[]): number {
  const total = probabilities.toSorted((a, b) => a - b).reduce((a, b) => a + b, 0);
  return Math.min(1, total);
}

/** How probable it is that so many of the first group, or more, have it, if the group does not matter. */
export function fisherGreater(first: Share, second: Share): number {
  const { least, probabilities } = tableProbabilities(first, second);
  return sum(probabilities.slice(first.with - least));
}

/** How probable a table is that is no more probable than this one. */
export function fisherTwoSided(first: Share, second: Share): number {
  const { least, probabilities } = tableProbabilities(first, second);
  const own = probabilities[first.with - least]!;
  return sum(probabilities.filter((probability) => probability <= own * (1 + SAME)));
}
