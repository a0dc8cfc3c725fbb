// `evozero data verify`: reads data sets and compares them with their published checksums.
import type { FoundPart } from '../data/dataset-files.js';
import { dataDirectories } from '../data/directories.js';
import { loadImages } from '../data/load-images.js';
import { DataError } from '../tasks/data-error.js';
import { type DatasetName, PARTS, type Part } from '../tasks/datasets.js';
import { digitImages } from '../tasks/digits.js';
import { classCounts, type Images } from '../tasks/images.js';
import { CLASS_COUNT, DIGITS, type ImageDatasetName } from '../tasks/task-sets.js';
import { type DataOptions, lookFor, NAMES } from './data-options.js';
import { Failure } from './errors.js';
import { colors, print, printJson } from './output.js';

interface Verified {
  readonly name: ImageDatasetName;
  readonly part: Part;
  readonly ok: boolean;
  readonly problem?: string;
  readonly folder?: string;
  readonly images?: number;
  /** Images of each class. */
  readonly classCounts?: readonly number[];
  readonly note?: string;
}

function counted(images: Images): Pick<Verified, 'ok' | 'images' | 'classCounts'> {
  return { ok: true, images: images.count, classCounts: classCounts(images, CLASS_COUNT) };
}

async function verifyPart(name: DatasetName, part: Part, found: FoundPart): Promise<Verified> {
  const { folder, edition } = found;
  const about = { name, part, folder, ...(edition.note === undefined ? {} : { note: edition.note }) };
  try {
    const { images } = await loadImages(found, true);
    return { ...about, ...counted(images) };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return { ...about, ok: false, problem: error.message };
  }
}

function printVerified({ name, part, ok, problem, images, classCounts: counts, note }: Verified): void {
  const title = `${name} ${part}`.padEnd(20);
  if (!ok) {
    print(`${colors.red('bad')}  ${title}${problem}`);
    return;
  }
  const [fewest, most] = [Math.min(...counts!), Math.max(...counts!)].map((n) => n.toLocaleString('en-US'));
  const each = fewest === most ? fewest : `${fewest} to ${most}`;
  const checked = note === undefined ? 'checksums are the published ones' : note;
  print(`${colors.green('ok')}   ${title}${images!.toLocaleString('en-US')} images, ${each} of each class; ${checked}`);
}

/** Both parts, one after the other; nothing for a data set that was not named and of which nothing is here. */
async function* verifyDataset(name: ImageDatasetName, directories: readonly string[], isNamed: boolean) {
  if (name === DIGITS) {
    for (const part of PARTS) yield { name, part, ...counted(digitImages(part)), note: 'part of evozero' };
    return;
  }
  const parts = PARTS.map((part) => ({ part, ...lookFor(name, part, directories) }));
  if (!isNamed && parts.every(({ found, problem }) => found === undefined && problem === undefined)) return;
  const missing = `not in ${directories.join(' or ')}; evozero data get ${name} downloads it`;
  for (const { part, found, problem = missing } of parts) {
    yield found === undefined ? { name, part, ok: false, problem } : await verifyPart(name, part, found);
  }
}

export async function verifyDatasets(names: readonly ImageDatasetName[], { data, json }: DataOptions): Promise<void> {
  const directories = dataDirectories(data);
  const isNamed = names.length > 0;
  const results: Verified[] = [];
  for (const name of isNamed ? names : NAMES) {
    for await (const result of verifyDataset(name, directories, isNamed)) {
      results.push(result);
      if (!json) printVerified(result);
    }
  }
  const bad = results.filter(({ ok }) => !ok);
  if (json) printJson({ ok: bad.length === 0, parts: results });
  if (bad.length > 0) throw new Failure(`${bad.length} of ${results.length} parts are missing or not as published`);
}
