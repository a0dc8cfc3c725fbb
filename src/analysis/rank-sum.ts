// The rank-sum test of Wilcoxon, Mann and Whitney, exact: how surprising it is that the values of one group are so much larger than those
// of the other. It asks for no shape of their distribution. Must not know what was measured.

/** Twice the rank of each value among all, from the smallest on, so that values that are the same share a whole number. */
function doubledRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const same = values.filter((other) => other === value).length;
    return 2 * below + same + 1;
  });
}

/** How probable it is that the ranks of the first group add up to so much, or more, if the group does not matter. */
export function rankSumGreater(first: readonly number[], second: readonly number[]): number {
  const ranks = doubledRanks([...first, ...second]);
  const total = ranks.reduce((a, b) => a + b, 0);
  const reached = ranks.slice(0, first.length).reduce((a, b) => a + b, 0);
  // ways[n][sum]: in how many ways n of the values that were looked at have that sum.
  const ways = Array.from({ length: first.length + 1 }, () => new Float64Array(total + 1));
  ways[0]![0] = 1;
  for (const rank of ranks) {
    for (let n = first.length; n > 0; n--) {
      for (let sum = total; sum >= rank; sum--) ways[n]![sum]! += ways[n - 1]![sum - rank]!;
    }
  }
  const all = ways[first.length]!;
  const atLeast = all.subarray(reached).reduce((a, b) => a + b, 0);
  return atLeast / all.reduce((a, b) => a + b, 0);
}
