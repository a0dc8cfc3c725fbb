// What the demonstration of hurdles and its view agree on: a program is tried on a few examples, and on all. Must not know programs.

/** Examples of a task that a program is tried on first, and of the whole. */
export const EARLY = { train: 50, valid: 20 };
export const WHOLE = { train: 1000, valid: 100 };

/** The fitness of a program after a few examples, and after all. */
export interface TriedTwice {
  readonly early: number;
  readonly whole: number;
}
