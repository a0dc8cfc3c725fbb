// Finds the files of data sets on this machine. Must not know what is in them.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DataError } from '../tasks/data-error.js';
import {
  DATASETS,
  type DataBatch,
  type DataFile,
  type Dataset,
  type DatasetName,
  type Edition,
  PARTS,
  type Part,
} from '../tasks/datasets.js';
import { printable } from '../util/quote.js';
import { describeSystemError, isAbsence } from './system-error.js';

export interface FoundFile extends DataFile {
  readonly path: string;
}

export interface FoundBatch extends DataBatch {
  readonly files: readonly FoundFile[];
}

export interface FoundPart {
  readonly dataset: Dataset;
  readonly part: Part;
  readonly edition: Edition;
  readonly folder: string;
  readonly batches: readonly FoundBatch[];
}

/** Whether there is a file. Throws DataError where that cannot be told. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch (error) {
    if (isAbsence(error)) return false;
    throw new DataError(`${printable(path)}: ${describeSystemError(error)}`);
  }
}

/** The path of a file, plain or gzipped. */
export function findFile(folder: string, name: string): string | undefined {
  return [join(folder, name), join(folder, `${name}.gz`)].find(isFile);
}

function findBatches(folder: string, batches: readonly DataBatch[]): FoundBatch[] | undefined {
  const found: FoundBatch[] = [];
  for (const { format, files } of batches) {
    const paths = files.map((file) => ({ ...file, path: findFile(folder, file.name) ?? '' }));
    if (paths.some(({ path }) => path === '')) return undefined;
    found.push({ format, files: paths });
  }
  return found;
}

/** One part of a data set: the first edition of which all files are there. */
export function findPart(name: DatasetName, part: Part, directories: readonly string[]): FoundPart | undefined {
  const dataset: Dataset = DATASETS[name];
  for (const folder of directories.flatMap((directory) => dataset.folders.map((sub) => join(directory, sub)))) {
    for (const edition of dataset.editions) {
      const batches = findBatches(folder, edition.batches[part]);
      if (batches !== undefined) return { dataset, part, edition, folder, batches };
    }
  }
  return undefined;
}

/** All published files of a data set. */
export function publishedFiles({ editions }: Dataset): DataFile[] {
  return PARTS.flatMap((part) => editions[0]!.batches[part]).flatMap(({ files }) => files);
}

/** What to put where, by hand. */
export function whatToPut(name: DatasetName, directories: readonly string[]): string {
  const dataset: Dataset = DATASETS[name];
  const folder = join(directories[0]!, dataset.folders[0]!);
  const files = publishedFiles(dataset).map((file) => file.name);
  return `put its files, plain or .gz, into ${folder}: ${files.join(', ')} (from ${dataset.page})`;
}

/** Files of a data set that are nowhere. */
export class MissingDatasetError extends DataError {
  readonly dataset: DatasetName;

  constructor(dataset: DatasetName, part: Part, directories: readonly string[]) {
    const where = directories.join(' or ');
    super(`${DATASETS[dataset].title}: its ${part} files are not in ${where}; ${whatToPut(dataset, directories)}`);
    this.dataset = dataset;
  }
}
