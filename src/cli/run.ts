// `evozero run`: searches for a program, selects the best and evaluates it on unseen tasks; leaves a run directory.
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { openTasks } from '../data/open-tasks.js';
import { describeSystemError } from '../data/system-error.js';
import { TaskError } from '../engine/engine.js';
import { OutOfMemoryError } from '../engine/wasm/heap.js';
import type { Config } from '../experiment/config.js';
import { ConfigError } from '../experiment/config-error.js';
import { MAX_ISLANDS } from '../experiment/config-schema.js';
import { applyOverrides, readConfig } from '../experiment/config-text.js';
import type { Field } from '../experiment/field.js';
import { groupConfigs } from '../experiment/groups.js';
import { findPreset } from '../experiment/presets.js';
import { resolvePrograms } from '../experiment/program-references.js';
import type { Snapshot } from '../experiment/snapshot.js';
import { RedisMistake, RedisOutage } from '../islands/redis-errors.js';
import { coreCount, threadField } from '../islands/thread-field.js';
import { RecordedRun } from '../runs/recorded-run.js';
import { createRun, freeRunName, type RunDirectory } from '../runs/run-directory.js';
import { RunError, RunMistake } from '../runs/run-error.js';
import type { OpenTasks } from '../tasks/open-tasks.js';
import { printable } from '../util/quote.js';
import { Failure, UserError } from './errors.js';
import { directory, integer } from './options.js';
import { commandLine } from './output.js';
import { isRemote, runRemotely } from './remote-run.js';
import { follow } from './run-session.js';
import { dataPlaces, explainDataErrors } from './task-options.js';
import { version } from './version.js';

const DEFAULT_PRESET = 'linear';
export const RUNS = 'runs';

/** Flags that change what a run does. */
export interface LimitOptions {
  readonly minutes?: number;
  readonly maxAlgorithms?: number;
  readonly maxSteps?: number;
}

export interface RunOptions extends LimitOptions {
  readonly seed?: number;
  readonly workers?: number;
  readonly islands?: number;
  readonly async?: true;
  readonly redis?: string;
  readonly name?: string;
  readonly attach?: string;
  readonly out?: string;
  readonly set?: readonly string[];
  readonly data?: string;
  readonly unverified?: true;
  readonly json?: true;
}

export function minutes(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || !(value > 0))
    throw new InvalidArgumentError('Expected a number of minutes above 0.');
  return value;
}

/** The flags as overrides of the configuration. */
export function limitOverrides({ minutes, maxAlgorithms, maxSteps }: LimitOptions): Partial<Config['stop']> {
  return {
    ...(minutes !== undefined && { minutes }),
    ...(maxAlgorithms !== undefined && { algorithms: maxAlgorithms }),
    ...(maxSteps !== undefined && { steps: maxSteps }),
  };
}

export function addLimitOptions(command: Command): Command {
  return command
    .option('--minutes <M>', 'end the search after so many minutes', minutes)
    .option('--max-algorithms <N>', 'end the search after so many algorithms', integer(1))
    .option('--max-steps <N>', 'end the search after so many training steps', integer(1));
}

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

/** As many islands as threads, unless it says how many; there must be one for each group. */
function withIslands(config: Config, workers = coreCount()): Config {
  const count = config.islands.count ?? Math.max(workers, groupConfigs(config).length);
  return { ...config, islands: { ...config.islands, count } };
}

/** What goes wrong with a run is the user's to mend, or a failure of the machine; never a bug to report. */
export async function explainRunErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await explainDataErrors(work);
  } catch (error) {
    const isMistake = [ConfigError, TaskError, RunMistake, RedisMistake].some((kind) => error instanceof kind);
    if (isMistake && error instanceof Error) throw new UserError(error.message);
    const isFailure = error instanceof RunError || error instanceof OutOfMemoryError || error instanceof RedisOutage;
    if (isFailure) throw new Failure(error.message);
    throw error;
  }
}

export interface WorkOptions {
  readonly workers?: number;
  readonly data?: string;
  readonly unverified?: true;
  readonly json?: true;
}

/** Opens tasks where the options say that data lie. */
export function openerOf(options: WorkOptions): OpenTasks {
  return (request) => openTasks(request, dataPlaces(options));
}

export interface Work {
  readonly config: Config;
  readonly open: () => RunDirectory;
  readonly checkpoint?: Snapshot | undefined;
  /** Where it searches; without it, on the threads of this machine. */
  readonly makeField?: () => Field;
  /** The command that goes on with the run. */
  readonly goOn?: (directory: string) => string;
}

/** Works on a run until it ends or is ended. Its directory is opened when the tasks are there, and closed at the end. */
export async function work({ config, open, checkpoint, makeField, goOn }: Work, options: WorkOptions): Promise<void> {
  let directory: RunDirectory | undefined;
  const openHere = openerOf(options);
  try {
    const recorded = await RecordedRun.start({
      config,
      makeField: makeField ?? (() => threadField(config, openHere, options.workers ?? coreCount())),
      openDirectory: () => {
        directory = open();
        return directory;
      },
      checkpoint,
      version: version(),
      openTasks: openHere,
      startedAt: performance.now() - process.uptime() * 1000,
      cpuSeconds: () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1e6;
      },
    });
    await follow(recorded, { json: options.json === true, goOn: goOn ?? ((path) => commandLine('resume', path)) });
  } finally {
    directory?.close();
  }
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
    .option('--workers <N>', 'threads that search (default: one for each core)', integer(1))
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
