// What the commands that work on a run share: its flags, where its tasks come from, and how it goes on to its end. Must not know which
// command it is.
import { type Command, InvalidArgumentError } from 'commander';
import { openTasks } from '../data/open-tasks.js';
import { TaskError } from '../engine/engine.js';
import type { Config } from '../experiment/config.js';
import { ConfigError } from '../experiment/config-error.js';
import type { Field } from '../experiment/field.js';
import type { Snapshot } from '../experiment/snapshot.js';
import { RedisMistake, RedisOutage } from '../islands/redis-errors.js';
import { threadField } from '../islands/thread-field.js';
import { RecordedRun } from '../runs/recorded-run.js';
import type { RunDirectory } from '../runs/run-directory.js';
import { RunError, RunMistake } from '../runs/run-error.js';
import type { OpenTasks } from '../tasks/open-tasks.js';
import { OutOfMemoryError } from '../wasm/api.js';
import { Failure, UserError } from './errors.js';
import { integer } from './options.js';
import { commandLine } from './output.js';
import { follow } from './run-session.js';
import { dataPlaces, explainDataErrors } from './task-options.js';
import { version } from './version.js';

/** Where run directories are made, if nobody says where. */
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
      makeField: makeField ?? (() => threadField(config, openHere, options.workers)),
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
