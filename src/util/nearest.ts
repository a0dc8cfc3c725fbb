// "Did you mean ...?" for names that users type. Knows nothing of programs.

/** Number of single-character edits (insert, delete, replace) between two short strings. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, replace));
    }
    previous = row;
  }
  return previous[b.length]!;
}

/** The candidate most like `name`, if any is close enough to be a likely typing mistake. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 40) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 2)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
