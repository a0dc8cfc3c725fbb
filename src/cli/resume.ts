// `evozero resume`: goes on with a run where it stopped, to the same end.
import type { Command } from 'commander';
import { type Config, parseConfig } from '../experiment/config.js';
import { ConfigError } from '../experiment/config-error.js';
import { openRun, tidyRun } from '../runs/run-directory.js';
import { describeRun, FILES, shownPath } from '../runs/run-files.js';
import { UserError } from './errors.js';
import { directory, integer } from './options.js';
import { commandLine, note, print, printJson } from './output.js';
import {
  addLimitOptions,
  explainRunErrors,
  type LimitOptions,
  limitOverrides,
  type WorkOptions,
  work,
} from './run-work.js';

interface ResumeOptions extends LimitOptions, WorkOptions {}

/** What a finished run has used of each limit that it can be given more of. */
function used(result: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  const { algorithms, trainSteps, seconds } = result;
  return { algorithms: Number(algorithms), steps: Number(trainSteps), minutes: Number(seconds) / 60 };
}

/** A finished run goes on only if it is given more of what it ran out of. */
function isToGoOn(config: Config, result: Readonly<Record<string, unknown>>, limits: Partial<Config['stop']>): boolean {
  const reason = String(result.reason);
  const key = reason as keyof Config['stop'];
  const [before, now] = [config.stop[key], limits[key]];
  // It has been given more, by a process that was killed before it could go on.
  if (before !== null && used(result)[reason]! < before) return true;
  if (now === undefined) return false;
  if (typeof before === 'number' && typeof now === 'number' && now > before) return true;
  throw new UserError(`the run ended after its ${before} ${reason}; give it more than that`);
}

/** The configuration, which somebody may have changed. */
function readSettings(path: string, config: object): Config {
  try {
    return parseConfig(config);
  } catch (error) {
    throw error instanceof ConfigError ? new UserError(`${shownPath(path, FILES.config)}: ${error.message}`) : error;
  }
}

async function resume(path: string, options: ResumeOptions): Promise<void> {
  const described = describeRun(path);
  const config = readSettings(path, described.config);
  const limits = limitOverrides(options);
  const { remote } = config.islands;
  if (remote !== null && described.status !== 'finished') {
    throw new UserError(
      `${path}: its islands are on a Redis: ${commandLine('run', '--redis', 'URL', '--attach', remote, '--out', path)}`,
    );
  }
  if (described.status === 'finished' && !isToGoOn(config, described.result ?? {}, limits)) {
    tidyRun(path);
    if (options.json) printJson(described.result);
    else print(`${path} is finished; ${commandLine('show', path)} shows what it found`);
    return;
  }
  const { run, snapshot, notes, version } = openRun(path);
  for (const text of notes) note(text);
  const longer = parseConfig({ ...config, stop: { ...config.stop, ...limits } });
  if (Object.keys(limits).length > 0) run.extend(longer, version);
  try {
    await work({ config: longer, open: () => run, checkpoint: snapshot }, options);
  } finally {
    run.close();
  }
}

export function addResume(cli: Command): void {
  const command = cli
    .command('resume')
    .description('go on with a run where it stopped, to the same result')
    .argument('<RUN>', 'its directory', directory);
  addLimitOptions(command)
    .option('--workers <N>', 'threads that search (default: one for each core, or for each island)', integer(1))
    .option('--data <DIR>', 'where the data sets lie (default: $EVOZERO_DATA, then the cache directory)', directory)
    .option('--unverified', 'read data files whose checksum is not the published one')
    .option('--json', 'print one JSON object at the end')
    .action((path: string, options: ResumeOptions) => explainRunErrors(() => resume(path, options)));
}
