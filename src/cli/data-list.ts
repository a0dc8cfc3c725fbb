// `evozero data list`: which data sets there are, where, and under which licence.
import { dataDirectories } from '../data/directories.js';
import { DATASETS, type Dataset, type DatasetName, datasetNames, PARTS, type Part } from '../tasks/datasets.js';
import { digitImages } from '../tasks/digits.js';
import { DIGITS } from '../tasks/task-sets.js';
import { type DataOptions, lookFor } from './data-options.js';
import { bytes, colors, print, printJson } from './output.js';

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

export function listDatasets({ data, json }: DataOptions): void {
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
