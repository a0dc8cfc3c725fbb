// `evozero data list | get NAME | verify NAME`: the data sets of the paper on this machine.
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type FoundPart, findPart, whatToPut } from '../data/dataset-files.js';
import { dataDirectories } from '../data/directories.js';
import { DownloadError } from '../data/download-error.js';
import { type FetchProgress, fetchDataset } from '../data/fetch-dataset.js';
import { loadImages } from '../data/load-images.js';
import { DataError } from '../tasks/data-error.js';
import { DATASETS, type Dataset, type DatasetName, datasetNames, type Part } from '../tasks/datasets.js';
import { digitImages } from '../tasks/digits.js';
import { classCounts, type Images } from '../tasks/images.js';
import { CLASS_COUNT, DIGITS, type ImageDatasetName } from '../tasks/task-sets.js';
import { nearest } from '../util/nearest.js';
import { printable } from '../util/quote.js';
import { Failure, UserError } from './errors.js';
import { directory } from './options.js';
import { bar, bytes, colors, duration, Progress, print, printJson } from './output.js';

const PARTS: readonly Part[] = ['train', 'test'];

interface DataOptions {
  readonly data?: string;
  readonly mirror?: string;
  readonly json?: true;
}

const NAMES: readonly ImageDatasetName[] = [...datasetNames(), DIGITS];

function datasetName(text: string, before: readonly ImageDatasetName[] = []): ImageDatasetName[] {
  const name = NAMES.find((known) => known === text);
  if (name !== undefined) return [...before, name];
  const guess = nearest(text, NAMES);
  const names = guess === undefined ? `They are ${NAMES.join(', ')}.` : `Did you mean ${guess}?`;
  throw new InvalidArgumentError(`'${printable(text)}' is no data set. ${names}`);
}

function webAddress(text: string): string {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) {
    throw new InvalidArgumentError('Expected an address that begins with http:// or https://.');
  }
  return text;
}

/** A part of a data set, or why it cannot be looked for: that must not hide the others. */
function lookFor(
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

// --- list --------------------------------------------------------------------------------------------------------------

interface Listed {
  readonly name: string;
  readonly title: string;
  /** As published. */
  readonly images: Readonly<Record<Part, number>>;
  readonly downloadBytes: number;
  readonly licence: string;
  readonly page: string;
  readonly status: 'embedded' | 'present' | 'incomplete' | 'missing';
  readonly folder?: string;
  readonly note?: string;
}

function listed(name: DatasetName, directories: readonly string[]): Listed {
  const dataset: Dataset = DATASETS[name];
  const { title, licence, page, downloads } = dataset;
  const looked = PARTS.map((part) => lookFor(name, part, directories));
  const found = looked.map((look) => look.found).filter((part) => part !== undefined);
  const problem = looked.find((look) => look.problem !== undefined)?.problem;
  const status = found.length === PARTS.length ? 'present' : found.length > 0 ? 'incomplete' : 'missing';
  const [first] = found;
  const note = problem ?? first?.edition.note;
  return {
    name,
    title,
    images: dataset.editions[0]!.images!,
    downloadBytes: downloads.reduce((sum, file) => sum + file.bytes, 0),
    licence,
    page,
    status,
    ...(first === undefined ? {} : { folder: first.folder }),
    ...(note === undefined ? {} : { note }),
  };
}

const embedded = (): Listed => ({
  name: DIGITS,
  title: 'UCI handwritten digits, 8 x 8',
  images: { train: digitImages('train').count, test: digitImages('test').count },
  downloadBytes: 0,
  licence: 'CC BY 4.0; cite Alpaydin and Kaynak 1998',
  page: 'https://doi.org/10.24432/C50P49',
  status: 'embedded',
});

function describeStatus({ status, folder, note, name }: Listed): string {
  if (status === 'embedded') return colors.green('part of evozero');
  if (status === 'missing') return note === undefined ? `not here; evozero data get ${name}` : colors.red(note);
  const place = `${folder}${note === undefined ? '' : ` (${note})`}`;
  return status === 'present' ? colors.green(place) : colors.yellow(`${place}, incomplete`);
}

function list({ data, json }: DataOptions): void {
  const directories = dataDirectories(data);
  const sets = [...datasetNames().map((name) => listed(name, directories)), embedded()];
  if (json) {
    printJson({ directories, datasets: sets });
    return;
  }
  print(colors.bold(`${'name'.padEnd(14)}${'images'.padEnd(18)}${'download'.padEnd(10)}where`));
  for (const set of sets) {
    const size = set.downloadBytes === 0 ? '-' : bytes(set.downloadBytes);
    const images = PARTS.map((part) => set.images[part].toLocaleString('en-US')).join(' + ');
    print(`${set.name.padEnd(14)}${images.padEnd(18)}${size.padEnd(10)}${describeStatus(set)}`);
    print(colors.dim(`${' '.repeat(14)}${set.title}. ${set.licence}`));
  }
}

// --- get ---------------------------------------------------------------------------------------------------------------

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

async function get(names: readonly ImageDatasetName[], options: DataOptions): Promise<void> {
  const results: { name: ImageDatasetName; folder?: string }[] = [];
  for (const name of names) {
    const result = name === DIGITS ? { name } : { name, folder: await getDataset(name, options) };
    results.push(result);
    const where = result.folder === undefined ? 'part of evozero, nothing to download' : `complete in ${result.folder}`;
    if (!options.json) print(`${colors.bold(name)}: ${where}`);
  }
  if (options.json) printJson({ datasets: results });
}

// --- verify ------------------------------------------------------------------------------------------------------------

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

async function verify(names: readonly ImageDatasetName[], { data, json }: DataOptions): Promise<void> {
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

export function addData(cli: Command): void {
  const data = cli.command('data').description('the data sets of the paper on this machine');
  const dataOption = [
    '--data <DIR>',
    'where they lie (default: $EVOZERO_DATA, then the cache directory)',
    directory,
  ] as const;
  data
    .command('list')
    .description('list the data sets, where they are and under which licence')
    .option(...dataOption)
    .option('--json', 'print one JSON object')
    .action(list);
  data
    .command('get')
    .description('download data sets, going on where an earlier download stopped')
    .argument('<NAME...>', NAMES.join(', '), datasetName)
    .option(...dataOption)
    .option('--mirror <URL>', 'an address that has the files, instead of the published ones', webAddress)
    .option('--json', 'print one JSON object')
    .action(get);
  data
    .command('verify')
    .description(
      'read data sets and compare them with their published checksums; exit code 1 if one differs or is missing',
    )
    .argument('[NAME...]', `${NAMES.join(', ')} (default: all that are here)`, datasetName)
    .option(...dataOption)
    .option('--json', 'print one JSON object')
    .action((names: ImageDatasetName[] | undefined, options: DataOptions) => verify(names ?? [], options));
}
