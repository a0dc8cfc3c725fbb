// How much work each part of a fit is, by the size of the table: rows, epochs, splits and trials. Pure, so that the same table is fitted
// the same way everywhere. Must not know programs.

/** Splits of the rest of a table, other ones for each purpose. */
export const SPLITS = { search: 4, select: 6, tune: 6, epochs: 6 };

/** Examples that a program is trained on in one split, about. */
const SEARCH_STEPS = 1000;
const TUNE_STEPS = 3000;
/** At most, however few features there are. */
const MOST_STEPS = 30_000;

/** Work of one split, at most, and of the tuning of one program: steps times elements of a matrix. */
const SPLIT_WORK = 1e8;
const TUNE_WORK = 1e10;
const TRIALS = { least: 10, most: 60 };
const MOST_EPOCHS = 256;

export interface Sizes {
  readonly rows: number;
  readonly epochs: number;
}

function fill(steps: number, rows: number): Sizes {
  const used = Math.min(rows, steps);
  return { rows: used, epochs: Math.max(1, Math.min(MOST_EPOCHS, Math.round(steps / used))) };
}

/** `rows`: that a split trains on if all are used. */
export function searchSizes(rows: number): Sizes {
  return fill(SEARCH_STEPS, rows);
}

export function tuneSizes(rows: number): Sizes {
  return fill(TUNE_STEPS, rows);
}

/** Numbers of epochs to choose from: powers of two. */
export function epochSizes(rows: number, features: number): { readonly rows: number; readonly epochs: number[] } {
  const steps = Math.max(TUNE_STEPS, Math.min(MOST_STEPS, Math.floor(SPLIT_WORK / features ** 2)));
  const used = Math.min(rows, steps);
  const epochs = [1];
  while (2 * epochs.at(-1)! <= Math.min(MOST_EPOCHS, steps / used)) epochs.push(2 * epochs.at(-1)!);
  return { rows: used, epochs };
}

/** Full evaluations that the tuning of each program may cost. */
export function tuneTrials({ rows, epochs }: Sizes, features: number): number {
  const work = rows * epochs * SPLITS.tune * features ** 2;
  return Math.max(TRIALS.least, Math.min(TRIALS.most, Math.floor(TUNE_WORK / work)));
}
