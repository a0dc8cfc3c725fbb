// How many examples tasks have: what was asked for, or the usual number where the images suffice. Must not know images, only
// how many there are.
import { DataError } from './data-error.js';

/** Images of each class; `valid` is undefined where training and validation share them. */
export interface AvailableImages {
  readonly train: readonly number[];
  readonly valid?: readonly number[];
}

export interface ExampleCounts {
  readonly trainCount: number;
  readonly validCount: number;
}

export interface WantedCounts {
  readonly train?: number | undefined;
  readonly valid?: number | undefined;
}

/** Examples of balanced tasks of so many classes: no more than the rarest class has images for. */
function most(counts: readonly number[], classes: number): number {
  return classes * Math.min(...counts);
}

function refuse(name: string, asked: number, what: string, available: number): never {
  const numbers = [asked, available].map((n) => n.toLocaleString('en-US'));
  throw new DataError(
    `${name}: ${numbers[0]} ${what} examples were asked for, and its images suffice for ${numbers[1]}`,
  );
}

/** Both numbers out of one stock. What was asked for stays; what was not becomes smaller where it must. */
function share(name: string, all: number, wanted: WantedCounts, usual: ExampleCounts): ExampleCounts {
  const { train, valid } = wanted;
  if (train !== undefined && valid !== undefined) {
    if (train + valid > all) refuse(name, train + valid, 'training and validation', all);
    return { trainCount: train, validCount: valid };
  }
  const given = train ?? valid;
  if (given !== undefined) {
    if (given >= all) refuse(name, given, train === undefined ? 'validation' : 'training', all - 1);
    return train === undefined
      ? { trainCount: Math.min(usual.trainCount, all - given), validCount: given }
      : { trainCount: given, validCount: Math.min(usual.validCount, all - given) };
  }
  if (usual.trainCount + usual.validCount <= all) return usual;
  const part = usual.validCount / (usual.trainCount + usual.validCount);
  const validCount = Math.max(1, Math.floor(all * part));
  return { trainCount: all - validCount, validCount };
}

/** The numbers of examples of a data set's balanced tasks of `classes` classes each. */
export function exampleCounts(
  name: string,
  available: AvailableImages,
  classes: number,
  wanted: WantedCounts,
  usual: ExampleCounts,
): ExampleCounts {
  const forTraining = most(available.train, classes);
  if (available.valid === undefined) return share(name, forTraining, wanted, usual);
  const forValidation = most(available.valid, classes);
  const { train = Math.min(usual.trainCount, forTraining), valid = Math.min(usual.validCount, forValidation) } = wanted;
  if (train > forTraining) refuse(name, train, 'training', forTraining);
  if (valid > forValidation) refuse(name, valid, 'validation', forValidation);
  return { trainCount: train, validCount: valid };
}
