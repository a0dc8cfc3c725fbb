// What the subcommands of `evozero data` have in common: their options, the names of data sets, and looking for their files.
import { InvalidArgumentError } from 'commander';
import { type FoundPart, findPart } from '../data/dataset-files.js';
import { DataError } from '../tasks/data-error.js';
import { type DatasetName, datasetNames, type Part } from '../tasks/datasets.js';
import { DIGITS, type ImageDatasetName } from '../tasks/task-sets.js';
import { nearest } from '../util/nearest.js';
import { printable } from '../util/quote.js';

export interface DataOptions {
  readonly data?: string;
  readonly mirror?: string;
  readonly json?: true;
}

export const NAMES: readonly ImageDatasetName[] = [...datasetNames(), DIGITS];

export function datasetName(text: string, before: readonly ImageDatasetName[] = []): ImageDatasetName[] {
  const name = NAMES.find((known) => known === text);
  if (name !== undefined) return [...before, name];
  const guess = nearest(text, NAMES);
  const names = guess === undefined ? `They are ${NAMES.join(', ')}.` : `Did you mean ${guess}?`;
  throw new InvalidArgumentError(`'${printable(text)}' is no data set. ${names}`);
}

export function webAddress(text: string): string {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) {
    throw new InvalidArgumentError('Expected an address that begins with http:// or https://.');
  }
  return text;
}

/** A part of a data set, or why it cannot be looked for: that must not hide the others. */
export function lookFor(
  name: DatasetName,
  part: Part,
  directories: readonly string[],
): { found?: FoundPart; problem?: string } {
  try {
    const found = findPart(name, part, directories);
    return found === undefined ? {} : { found };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return { problem: error.message };
  }
}
