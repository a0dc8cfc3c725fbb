// Holm's correction: p-values that stay honest when many things are tested at once. Must not know what was tested.

/** For each p-value the one that counts: the chance that any of the tests would look so good by luck is at most this. */
export function correctHolm(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].sort((a, b) => pValues[a]! - pValues[b]!);
  const corrected = pValues.map(() => 1);
  let largest = 0;
  for (const [rank, k] of order.entries()) {
    largest = Math.max(largest, Math.min(1, pValues[k]! * (pValues.length - rank)));
    corrected[k] = largest;
  }
  return corrected;
}
