// Random orders. Knows nothing of programs.
import type { RandomStream } from './random.js';

/** Brings the items into a random order, in place; every order is equally likely (Fisher and Yates). */
export function shuffle(items: { readonly length: number; [index: number]: unknown }, random: RandomStream): void {
  for (let k = items.length - 1; k > 0; k--) {
    const other = random.integer(k + 1);
    const item = items[k];
    items[k] = items[other];
    items[other] = item;
  }
}
