// Brings the published files of a data set into a folder: downloads what is not there, and takes files out of archives. Must not
// know which data sets there are, nor how their files are read.
import { rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { DataError } from '../tasks/data-error.js';
import type { DataFile, Dataset, Download } from '../tasks/datasets.js';
import { extractFiles } from './archive.js';
import { findFile, publishedFiles } from './dataset-files.js';
import { type DownloadOptions, download } from './download.js';
import { DownloadError } from './download-error.js';
import { fileBytes, hashed } from './file-bytes.js';

/** How far a download is. */
export interface FetchProgress {
  /** Of all files that have to be fetched together. */
  readonly received: number;
  readonly total: number;
  /** The name of the one that is being fetched. */
  readonly file: string;
}

/** How a data set is downloaded. */
export interface FetchOptions extends Omit<DownloadOptions, 'onProgress'> {
  readonly onProgress?: (progress: FetchProgress) => void;
  /** An address that has all files, instead of the published ones. */
  readonly mirror?: string;
}

/**
 * Afterwards every file of the first edition lies in the folder, plain or as NAME.gz, with the published content; the network is
 * not needed for those that did before. Throws what `download` throws.
 */
export async function fetchDataset(dataset: Dataset, folder: string, options: FetchOptions = {}): Promise<void> {
  const missing = await findMissing(dataset, folder);
  const needed = dataset.downloads.filter((item) => missing.some((file) => brings(item, file)));
  const total = needed.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const item of needed) {
    const { onProgress, mirror, ...rest } = options;
    const path = join(folder, nameOf(item));
    const urls = mirror === undefined ? item.urls : [`${mirror.replace(/\/+$/, '')}/${nameOf(item)}`];
    const report = ({ received }: { received: number }) =>
      onProgress?.({ received: before + received, total, file: nameOf(item) });
    await download({ urls, path, bytes: item.bytes, sha256: item.sha256 }, { ...rest, onProgress: report });
    if (item.archive) await unpack(path, dataset, folder, options.signal);
    before += item.bytes;
  }
}

/** The last part of the address. */
function nameOf({ urls }: Download): string {
  return posix.basename(new URL(urls[0]!).pathname);
}

function brings(item: Download, { name }: DataFile): boolean {
  return item.archive === true || nameOf(item) === name || nameOf(item) === `${name}.gz`;
}

async function findMissing(dataset: Dataset, folder: string): Promise<DataFile[]> {
  const missing = [];
  for (const file of publishedFiles(dataset)) {
    if (!(await isPresent(file, folder))) missing.push(file);
  }
  return missing;
}

/** Whether the file lies in the folder with the published content. Other content is left to its owner. */
async function isPresent({ name, sha256 }: DataFile, folder: string): Promise<boolean> {
  const path = findFile(folder, name);
  if (path === undefined) return false;
  const found = await hashContent(path);
  if (sha256 === undefined || found === sha256) return true;
  throw new DownloadError(`${path} is not the published file (the SHA-256 differs); move it away and run this again`);
}

/** Unpacked if it is gzipped. */
async function hashContent(path: string): Promise<string> {
  const { stream, sha256 } = hashed(fileBytes(path));
  try {
    for await (const _ of stream);
    return sha256();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new DownloadError(`${error.message}; move it away and run this again`, [], { cause: error });
  }
}

async function unpack(archive: string, dataset: Dataset, folder: string, signal?: AbortSignal): Promise<void> {
  // Not before the download: meanwhile another process may have brought them.
  const missing = await findMissing(dataset, folder);
  const wanted = new Map(missing.flatMap(({ name, sha256 }) => (sha256 === undefined ? [] : [[name, sha256]])));
  const absent = await extractFiles(archive, folder, wanted, signal).catch(async (error: unknown) => {
    signal?.throwIfAborted();
    if (error instanceof DownloadError) throw error;
    // Another process that has taken the files out removes the archive.
    const rest = await findMissing(dataset, folder);
    if (rest.length === 0) return [];
    throw new DownloadError(`cannot unpack ${archive}: ${(error as Error).message}`, [], { cause: error });
  });
  if (absent.length > 0) throw new DownloadError(`${archive} lacks ${absent.join(', ')} with the published content`);
  await rm(archive, { force: true });
}
