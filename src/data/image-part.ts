// One part of a data set, opened: what it is and how many images it has at once, the images themselves only when they are
// asked for. Must not know tasks.
import { DataError } from '../tasks/data-error.js';
import type { DatasetName, Part } from '../tasks/datasets.js';
import { classCounts, type Images } from '../tasks/images.js';
import { CLASS_COUNT } from '../tasks/task-sets.js';
import { printable } from '../util/quote.js';
import { type FoundPart, findPart, MissingDatasetError } from './dataset-files.js';
import { checkPublished, loadImages } from './load-images.js';
import { type PartRecord, recallPart, rememberPart, stampPart } from './part-records.js';
import { describeSystemError } from './system-error.js';

export interface ImagePart extends PartRecord {
  readonly images: () => Promise<Images>;
}

/** Where and how data is read. */
export interface DataPlaces {
  readonly directories: readonly string[];
  readonly cache: string;
  /** Files with a published checksum must have it. */
  readonly isVerified: boolean;
  /** Tells the user something that does not stop the work. */
  readonly note: (text: string) => void;
}

/** What to say where the cache cannot be written to. */
export function cacheTrouble(cache: string, error: unknown): string {
  return `cannot write to the cache in ${printable(cache)}: ${describeSystemError(error)}; going on without`;
}

/** Nothing if the operating system refuses: then reading will say why. */
function whereKnown<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

async function readPart(found: FoundPart, { cache, isVerified, note }: DataPlaces): Promise<ImagePart> {
  const stamps = whereKnown(() => stampPart(found));
  const { images, checksums } = await loadImages(found, isVerified);
  const record = { checksums, classCounts: classCounts(images, CLASS_COUNT) };
  try {
    if (stamps !== undefined) rememberPart(cache, found, stamps, record);
  } catch (error) {
    note(cacheTrouble(cache, error));
  }
  return { ...record, images: async () => images };
}

/** The images that were read before. Tasks are cached by the checksums of that time, so other images must not be taken for them. */
async function loadAgain(found: FoundPart, { checksums }: PartRecord, isVerified: boolean): Promise<Images> {
  const loaded = await loadImages(found, isVerified);
  if (loaded.checksums.join() === checksums.join()) return loaded.images;
  throw new DataError(`${printable(found.folder)}: its files have changed while they were in use; run this again`);
}

export async function openImagePart(name: DatasetName, part: Part, places: DataPlaces): Promise<ImagePart> {
  const found = findPart(name, part, places.directories);
  if (found === undefined) throw new MissingDatasetError(name, part, places.directories);
  if (found.edition.note !== undefined) places.note(`${found.folder}: ${found.edition.note}`);
  const record = recallPart(places.cache, found);
  if (record === undefined) return readPart(found, places);
  if (places.isVerified) {
    found.batches
      .flatMap(({ files }) => files)
      .forEach((file, k) => {
        checkPublished(file, record.checksums[k] ?? '');
      });
  }
  let images: Promise<Images> | undefined;
  return {
    ...record,
    images: () => {
      images ??= loadAgain(found, record, places.isVerified);
      return images;
    },
  };
}
