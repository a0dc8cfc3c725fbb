// Reads the images of a data set's part from its files, and checks that they are the published ones.
import { DataError } from '../tasks/data-error.js';
import type { Dataset } from '../tasks/datasets.js';
import type { Images } from '../tasks/images.js';
import { ByteReader } from '../tasks/readers/byte-reader.js';
import { readIdx } from '../tasks/readers/idx.js';
import { readMatlab } from '../tasks/readers/matlab.js';
import { readRecords } from '../tasks/readers/records.js';
import { printable } from '../util/quote.js';
import type { FoundBatch, FoundFile, FoundPart } from './dataset-files.js';
import { fileBytes, hashed, inflate } from './file-bytes.js';

interface LoadedPart {
  readonly images: Images;
  /** Of the files, in the order of the table of data sets. */
  readonly checksums: readonly string[];
}

interface OpenFile {
  readonly file: FoundFile;
  readonly reader: ByteReader;
  readonly sha256: () => string;
}

function open(file: FoundFile): OpenFile {
  const { stream, sha256 } = hashed(fileBytes(file.path));
  return { file, reader: new ByteReader(printable(file.path), stream), sha256 };
}

type Shape = Pick<Dataset, 'width' | 'height' | 'channels'> & { readonly dimension: number; readonly classes: number };

const READERS: Readonly<Record<FoundBatch['format'], (files: readonly OpenFile[], shape: Shape) => Promise<Images>>> = {
  records: ([file], shape) => readRecords(file!.reader, shape),
  idx: ([images, labels], shape) => readIdx(images!.reader, labels!.reader, shape),
  matlab: ([file], shape) => readMatlab(file!.reader, shape, (stream) => inflate(stream, file!.file.path)),
};

/** A file that has another content than the published one. */
export class UnpublishedFileError extends DataError {}

export function checkPublished({ path, sha256 }: FoundFile, found: string): void {
  if (sha256 === undefined || sha256 === found) return;
  throw new UnpublishedFileError(
    `${printable(path)}: is not the published file: its SHA-256 is ${found}, not ${sha256}`,
  );
}

async function loadBatch(batch: FoundBatch, shape: Shape, isVerified: boolean): Promise<LoadedPart> {
  const files = batch.files.map(open);
  try {
    const images = await READERS[batch.format](files, shape);
    const checksums = files.map(({ sha256 }) => sha256());
    if (isVerified) {
      files.forEach(({ file }, k) => {
        checkPublished(file, checksums[k]!);
      });
    }
    return { images, checksums };
  } finally {
    await Promise.all(files.map(({ reader }) => reader.close()));
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** All images of a part. `isVerified`: files with a published checksum must have it. */
export async function loadImages(part: FoundPart, isVerified: boolean): Promise<LoadedPart> {
  const { width, height, channels, classes } = part.dataset;
  const shape = { width, height, channels, dimension: width * height * channels, classes: classes.length };
  const loaded: LoadedPart[] = [];
  for (const batch of part.batches) loaded.push(await loadBatch(batch, shape, isVerified));
  const images: Images = {
    count: loaded.reduce((sum, { images: { count } }) => sum + count, 0),
    dimension: shape.dimension,
    pixels: join(loaded.map(({ images: { pixels } }) => pixels)),
    labels: join(loaded.map(({ images: { labels } }) => labels)),
  };
  const expected = part.edition.images?.[part.part];
  if (isVerified && expected !== undefined && images.count !== expected) {
    throw new DataError(`${printable(part.folder)}: has ${images.count} images for ${part.part}, not ${expected}`);
  }
  return { images, checksums: loaded.flatMap(({ checksums }) => checksums) };
}
