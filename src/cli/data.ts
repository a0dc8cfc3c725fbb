// `evozero data list | get NAME | verify NAME`: the data sets of the paper on this machine.
import type { Command } from 'commander';
import type { ImageDatasetName } from '../tasks/task-sets.js';
import { getDatasets } from './data-get.js';
import { listDatasets } from './data-list.js';
import { type DataOptions, datasetName, NAMES, webAddress } from './data-options.js';
import { verifyDatasets } from './data-verify.js';
import { directory } from './options.js';

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
    .action(listDatasets);
  data
    .command('get')
    .description('download data sets, going on where an earlier download stopped')
    .argument('<NAME...>', NAMES.join(', '), datasetName)
    .option('--data <DIR>', 'where to put them (default: $EVOZERO_DATA, or else the cache directory)', directory)
    .option('--mirror <URL>', 'an address that has the files, instead of the published ones', webAddress)
    .option('--json', 'print one JSON object')
    .action(getDatasets);
  data
    .command('verify')
    .description(
      'read data sets and compare them with their published checksums; exit code 1 if one differs or is missing',
    )
    .argument('[NAME...]', `${NAMES.join(', ')} (default: all that are here)`, datasetName)
    .option(...dataOption)
    .option('--json', 'print one JSON object')
    .action((names: ImageDatasetName[] | undefined, options: DataOptions) => verifyDatasets(names ?? [], options));
}
