// Which rows are for training and which for validation. Must not know what is in them.
import { RandomStream } from '../../util/random.js';
import { shuffle } from '../../util/shuffle.js';

export interface Split {
  /** In a random order, as programs learn from one example after the other. */
  readonly train: readonly number[];
  readonly valid: readonly number[];
}

/** At least one of each, if there are two. */
function validCount(total: number, fraction: number): number {
  return Math.max(Math.min(1, total - 1), Math.min(total - 1, Math.round(total * fraction)));
}

/**
 * Splits each group by the same fraction: a group of two or more is in both parts, a group of one is for training. In
 * regression there is one group, in classification one for each class.
 */
export function splitGroups(groups: readonly (readonly number[])[], fraction: number, seed: number): Split {
  const random = new RandomStream(seed);
  const train: number[] = [];
  const valid: number[] = [];
  for (const group of groups) {
    const order = [...group];
    shuffle(order, random);
    const cut = validCount(order.length, fraction);
    for (const [k, item] of order.entries()) (k < cut ? valid : train).push(item);
  }
  shuffle(train, random);
  shuffle(valid, random);
  return { train, valid };
}
