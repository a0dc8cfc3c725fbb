// `evozero data get`: downloads data sets, while a line tells how far it is.
import { join } from 'node:path';
import { whatToPut } from '../data/dataset-files.js';
import { dataDirectories } from '../data/directories.js';
import { DownloadError } from '../data/download-error.js';
import { type FetchProgress, fetchDataset } from '../data/fetch-dataset.js';
import { DataError } from '../tasks/data-error.js';
import { DATASETS, type Dataset, type DatasetName, PARTS } from '../tasks/datasets.js';
import { DIGITS, type ImageDatasetName } from '../tasks/task-sets.js';
import { type DataOptions, lookFor } from './data-options.js';
import { Failure, UserError } from './errors.js';
import { bar, bytes, colors, duration, Progress, print, printJson } from './output.js';

/** How much has come, how fast, and how long the rest will take. */
class TransferLine {
  private startedMs = performance.now();
  private first = 0;
  private last: FetchProgress = { received: Number.POSITIVE_INFINITY, total: 0, file: '' };

  update(progress: FetchProgress): void {
    // At first, and when a download has to begin again.
    if (progress.received < this.last.received) {
      this.first = progress.received;
      this.startedMs = performance.now();
    }
    this.last = progress;
  }

  text(): string {
    const { received, total, file } = this.last;
    const seconds = (performance.now() - this.startedMs) / 1000;
    const speed = (received - this.first) / seconds;
    const rest = speed > 0 && received < total ? `, ${duration((total - received) / speed)} left` : '';
    return `${bar(total === 0 ? 0 : received / total)} ${file} ${bytes(received)} of ${bytes(total)}, ${bytes(speed)}/s${rest}`;
  }
}

/** Where published files of a data set lie already, or else where they shall. */
function folderFor(name: DatasetName, directories: readonly string[]): string {
  const { editions, folders }: Dataset = DATASETS[name];
  const found = PARTS.map((part) => lookFor(name, part, directories).found);
  const published = found.find((part) => part?.edition === editions[0]);
  return published?.folder ?? join(directories[0]!, folders[0]!);
}

async function getDataset(name: DatasetName, { data, mirror }: DataOptions): Promise<string> {
  const directories = dataDirectories(data);
  const dataset: Dataset = DATASETS[name];
  const folder = folderFor(name, directories);
  const progress = new Progress();
  const line = new TransferLine();
  const abort = new AbortController();
  const stop = () => abort.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await fetchDataset(dataset, folder, {
      ...(mirror === undefined ? {} : { mirror }),
      signal: abort.signal,
      onProgress: (now) => {
        line.update(now);
        progress.show(() => line.text());
      },
    });
  } catch (error) {
    progress.clear();
    if (abort.signal.aborted) throw new Failure(`${name}: stopped; the same command goes on where it was`);
    if (error instanceof DataError) throw new UserError(error.message);
    if (!(error instanceof DownloadError)) throw error;
    const isNetwork = error.answers.length > 0;
    throw new Failure(isNetwork ? `${name}: ${error.message}: ${whatToPut(name, directories)}` : error.message);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  progress.clear();
  return folder;
}

export async function getDatasets(names: readonly ImageDatasetName[], options: DataOptions): Promise<void> {
  const results: { name: ImageDatasetName; folder?: string }[] = [];
  for (const name of names) {
    const result = name === DIGITS ? { name } : { name, folder: await getDataset(name, options) };
    results.push(result);
    const where = result.folder === undefined ? 'part of evozero, nothing to download' : `complete in ${result.folder}`;
    if (!options.json) print(`${colors.bold(name)}: ${where}`);
  }
  if (options.json) printJson({ datasets: results });
}
