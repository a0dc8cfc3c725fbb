// Every reproduction, in the paper's order, in one list. Must not know commands.
import { ablation } from './experiments/ablation.js';
import { fastTraining, fewExamples, multiClass } from './experiments/adaptations.js';
import { backprop } from './experiments/backprop.js';
import { baselines } from './experiments/baselines.js';
import { difficulty } from './experiments/difficulty.js';
import { final } from './experiments/final.js';
import { main } from './experiments/main.js';
import { projected } from './experiments/projected.js';
import { throughput } from './experiments/throughput.js';
import type { Reproduction } from './reproduction.js';

export const REPRODUCTIONS: readonly Reproduction[] = [
  difficulty,
  backprop,
  main,
  final,
  fewExamples,
  fastTraining,
  multiClass,
  ablation,
  baselines,
  projected,
  throughput,
];

export function findReproduction(name: string): Reproduction | undefined {
  return REPRODUCTIONS.find((one) => one.name === name);
}
