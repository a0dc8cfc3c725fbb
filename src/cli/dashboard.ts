// `evozero dashboard`: serves a page that shows runs while they go on, until it is ended. Must not know what it serves.
import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import { describeSystemError } from '../data/system-error.js';
import { type Dashboard, ListenError, startDashboard } from '../server/serve.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { directory as directoryArgument, integer } from './options.js';
import { colors, commandLine, note, print, printJson } from './output.js';
import { RUNS } from './run-work.js';
import { version } from './version.js';

interface DashboardFlags {
  readonly port: number;
  readonly host: string;
  readonly allowControl?: true;
  readonly json?: true;
}

const DEFAULT_PORT = 8420;
const DEFAULT_HOST = '127.0.0.1';
const WEB = fileURLToPath(new URL('../../dist/web', import.meta.url));

function hostName(text: string): string {
  if (!/^[\w.:-]+$/.test(text)) throw new InvalidArgumentError('Expected an address or a name of this machine.');
  return text;
}

function checkDirectory(directory: string): void {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(directory).isDirectory();
  } catch (error) {
    const hint = directory === RUNS ? `; ${commandLine('run')} makes it, or name another` : '';
    throw new UserError(`${printable(directory)}: ${describeSystemError(error)}${hint}`);
  }
  if (!isDirectory) throw new UserError(`${printable(directory)}: is not a directory`);
}

/** Resolves when somebody ends the command. */
function waitForEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

function announce(dashboard: Dashboard, directory: string, { json, allowControl }: DashboardFlags): void {
  const { url, port, token } = dashboard;
  if (json) {
    printJson({
      url,
      port,
      ...(token !== undefined && { token }),
      directory,
      pid: process.pid,
      canControl: allowControl === true,
    });
    return;
  }
  print(`Runs in ${printable(directory)}:  ${colors.bold(url)}`);
  if (token !== undefined) print('Whoever has this address can see the runs; it is not encrypted on its way.');
  if (allowControl) print('Searches that are started from the page go on when the dashboard ends.');
  print('Ctrl-C ends it.');
}

async function serve(directory: string, flags: DashboardFlags): Promise<void> {
  // Who wants to start the first search from the page has no runs yet.
  if (flags.allowControl && directory === RUNS) mkdirSync(directory, { recursive: true });
  checkDirectory(directory);
  const ended = waitForEnd();
  let dashboard: Dashboard;
  try {
    dashboard = await startDashboard({
      directory,
      host: flags.host,
      port: flags.port,
      canControl: flags.allowControl === true,
      webDirectory: WEB,
      version: version(),
      onError: (error) => note(`dashboard: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    });
  } catch (error) {
    throw error instanceof ListenError ? new UserError(error.message) : error;
  }
  announce(dashboard, directory, flags);
  await ended;
  await dashboard.close();
}

export function addDashboard(cli: Command): void {
  cli
    .command('dashboard')
    .description('serve a page that shows runs while they go on')
    .argument('[DIR]', 'a directory of runs, or one run', directoryArgument, RUNS)
    .option('--port <N>', 'to listen on; 0 takes one that is free', integer(0, 65_535), DEFAULT_PORT)
    .option(
      '--host <ADDRESS>',
      'to listen on; any but this machine alone needs a token, which is printed',
      hostName,
      DEFAULT_HOST,
    )
    .option('--allow-control', 'let the page start, stop and resume searches')
    .option('--json', 'print one JSON object when it is ready')
    .action(serve);
}
