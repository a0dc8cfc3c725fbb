// Every reproduction, in the paper's order, in one list. Must not know commands.
import { baselines } from './experiments/baselines.js';
import { difficulty } from './experiments/difficulty.js';
import { final } from './experiments/final.js';
import type { Reproduction } from './reproduction.js';

export const REPRODUCTIONS: readonly Reproduction[] = [difficulty, final, baselines];

export function findReproduction(name: string): Reproduction | undefined {
  return REPRODUCTIONS.find((one) => one.name === name);
}
