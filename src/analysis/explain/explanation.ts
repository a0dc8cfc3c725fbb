// What can be said about a program without running it: the words that explain, diagrams, lineages, reports and exports share. Must
// not know how it is found.
import type { ForFunctions, FunctionName } from '../../program/program.js';

/** Where an instruction stands, from 0 on, in the program that was explained. */
export interface Place {
  readonly function: FunctionName;
  readonly index: number;
}

/** The techniques that `explain` knows, by name, in words. */
export const TECHNIQUES = {
  'linear-model': 'linear model',
  sgd: 'stochastic gradient descent',
  'logistic-gradient': 'gradient of the logistic loss',
  relu: 'ReLU',
  'relu-gradient': 'derivative of the ReLU',
  backprop: 'backpropagation through two layers',
  bilinear: 'bilinear form',
  'normalized-gradient': 'normalized gradient',
  'weight-averaging': 'averaged or accumulated weights',
  noise: 'injected noise',
  'learning-rate-decay': 'decaying learning rate',
  'weight-decay': 'weight decay',
  'gradient-clipping': 'gradient clipping',
} as const;

/** The name of a technique: a key of TECHNIQUES. */
export type TechniqueName = keyof typeof TECHNIQUES;

/** A technique that a program uses, and what shows it. */
export interface Technique {
  readonly name: TechniqueName;
  /** One sentence about this program, with its addresses. */
  readonly why: string;
  /** The instructions that show it, in the order of the program; at least one. */
  readonly places: readonly Place[];
}

/** What `explain` finds out about a program. */
export interface Explanation {
  /** What each instruction does, in a few words; empty where no rule is sure. Dead instructions say so. */
  readonly comments: ForFunctions<readonly string[]>;
  /** Addresses (`s2`, `v1`, `m0`) whose live writes all mean one thing, to what that is, in lower case words: `learning rate`. */
  readonly names: ReadonlyMap<string, string>;
  readonly techniques: readonly Technique[];
}
