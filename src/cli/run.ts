// `evozero run`: searches for a program, selects the best and evaluates it on unseen tasks; leaves a run directory.
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import { describeSystemError } from '../data/system-error.js';
import type { Config } from '../experiment/config.js';
import { MAX_ISLANDS } from '../experiment/config-schema.js';
import { applyOverrides, readConfig } from '../experiment/config-text.js';
import { groupConfigs } from '../experiment/groups.js';
import { findPreset } from '../experiment/presets.js';
import { resolvePrograms } from '../experiment/program-references.js';
import { coreCount } from '../islands/thread-field.js';
import { createRun, freeRunName } from '../runs/run-directory.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { directory, integer } from './options.js';
import { isRemote, runRemotely } from './remote-run.js';
import { addLimitOptions, explainRunErrors, limitOverrides, RUNS, type RunOptions, work } from './run-work.js';
import { version } from './version.js';

const DEFAULT_PRESET = 'linear';

const CONFIG_FILE = /\.(ya?ml|json)$/i;

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(describeSystemError(error));
  }
}

/** Programs lie beside the file that names them. */
function readBeside(folder: string): (path: string) => string {
  return (path) => readText(isAbsolute(path) ? path : join(folder, path));
}

function loadConfig(argument: string): Config {
  if (!CONFIG_FILE.test(argument)) return findPreset(argument);
  let text: string;
  try {
    text = readText(argument);
  } catch (error) {
    throw new UserError(`${printable(argument)}: ${(error as Error).message}`);
  }
  return readConfig(text, printable(argument), { readFile: readBeside(dirname(argument)) });
}

function makeConfig(argument: string, options: RunOptions): Config {
  const { seed, set = [] } = options;
  const config = loadConfig(argument);
  const stop = { ...config.stop, ...limitOverrides(options) };
  const islands = {
    ...config.islands,
    ...(options.islands !== undefined && { count: options.islands }),
    ...(options.async && { async: true }),
  };
  const flagged = { ...config, stop, islands, ...(seed !== undefined && { seed }) };
  return withIslands(resolvePrograms(applyOverrides(flagged, set), readBeside('.')), options.workers);
}

/**
 * As many islands as threads, unless it says how many; there must be one for each group. They are on this machine, whatever a
 * configuration says that was one of a run elsewhere.
 */
function withIslands(config: Config, workers = coreCount()): Config {
  const count = config.islands.count ?? Math.max(workers, groupConfigs(config).length);
  return { ...config, islands: { ...config.islands, count, remote: null } };
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function addRun(cli: Command): void {
  const command = cli
    .command('run')
    .description('search for a program, select the best, evaluate it on unseen tasks; leaves a run directory')
    .argument('[PRESET | CONFIG]', `a preset (evozero presets lists them) or a .yaml or .json file`, DEFAULT_PRESET)
    .option('--seed <N>', 'draws everything: the same seed finds the same program (default: 0)', integer(0))
    .option('--workers <N>', 'threads that search (default: one for each core, or for each island)', integer(1))
    .option(
      '--islands <N>',
      'populations that exchange programs (default: one for each thread)',
      integer(1, MAX_ISLANDS),
    )
    .option('--async', 'islands do not wait for each other: faster, but not the same every time')
    .option(
      '--redis <URL>',
      'the islands run on workers of this Redis (default: $EVOZERO_REDIS, with --name or --attach)',
    )
    .option('--name <NAME>', 'of the experiment on Redis (default: preset and seed)')
    .option('--attach <NAME>', 'watch an experiment on Redis again, and collect its results');
  addLimitOptions(command)
    .option('--out <DIR>', `the run directory (default: a new one in ${RUNS}/)`, directory)
    .option('--set <path=value>', 'change a setting, such as search.population=100; may be repeated', collect)
    .option('--data <DIR>', 'where the data sets lie (default: $EVOZERO_DATA, then the cache directory)', directory)
    .option('--unverified', 'read data files whose checksum is not the published one')
    .option('--json', 'print one JSON object at the end')
    .action((argument: string, options: RunOptions) =>
      explainRunErrors(async () => {
        if (isRemote(options)) {
          await runRemotely(() => makeConfig(argument, options), options);
          return;
        }
        const config = makeConfig(argument, options);
        const place = () => options.out ?? freeRunName(RUNS, `${config.name}-${config.seed}`);
        await work({ config, open: () => createRun(place(), config, version()) }, options);
      }),
    );
}
