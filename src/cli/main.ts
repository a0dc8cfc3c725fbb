// The command line: every command in one list, and one place that turns errors into a line and an exit code.
import { Command, CommanderError } from 'commander';
import { describeSystemError } from '../data/system-error.js';
import { addAblate } from './ablate.js';
import { addBench } from './bench.js';
import { addConformance } from './conformance.js';
import { addData } from './data.js';
import { addDecouple } from './decouple.js';
import { EXIT_FAILURE, EXIT_USER_ERROR, Failure, UserError } from './errors.js';
import { addEval } from './eval.js';
import { addExperiments } from './experiments.js';
import { addExplain } from './explain.js';
import { addExport } from './export.js';
import { addFit } from './fit.js';
import { addKnockIn } from './knockin.js';
import { addLineage } from './lineage.js';
import { addMotifs } from './motifs.js';
import { addPredict } from './predict.js';
import { addPresets } from './presets.js';
import { addReport } from './report.js';
import { addResume } from './resume.js';
import { addRun } from './run.js';
import { addSelect } from './select.js';
import { addShow } from './show.js';
import { addSimplify } from './simplify.js';
import { addTune } from './tune.js';
import { version } from './version.js';
import { addWorker } from './worker.js';

const COMMANDS = [
  addRun,
  addResume,
  addWorker,
  addExperiments,
  addPresets,
  addShow,
  addSimplify,
  addEval,
  addExplain,
  addExport,
  addLineage,
  addMotifs,
  addSelect,
  addTune,
  addDecouple,
  addAblate,
  addKnockIn,
  addReport,
  addFit,
  addPredict,
  addData,
  addConformance,
  addBench,
];

function createCli(): Command {
  const cli = new Command('evozero')
    .description('Discovers complete machine-learning algorithms from nothing, by evolution.')
    .version(version())
    .option('--debug', 'print a stack trace when something fails')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
  for (const add of COMMANDS) add(cli);
  inheritSettings(cli);
  return cli;
}

/** Subcommands of subcommands too take --debug and report mistakes the same way. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent).option('--debug', 'print a stack trace when something fails');
    inheritSettings(command);
  }
}

/** commander's errors, with our name in front and its suggestion on the same line. */
function oneLine(text: string): string {
  return `evozero: ${text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')}\n`;
}

function exitCode(error: unknown, debug: boolean): number {
  // commander has printed its own message: help and version are no mistakes.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USER_ERROR;
  const expected = error instanceof UserError || error instanceof Failure;
  const message = error instanceof Error ? error.message : String(error);
  const hint = expected || debug ? '' : ' (this is a bug in evozero; --debug shows where)';
  process.stderr.write(`evozero: ${message}${hint}\n`);
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return error instanceof UserError ? EXIT_USER_ERROR : EXIT_FAILURE;
}

export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, as in `evozero show | head -1`, is no error.
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`evozero: cannot write to standard output: ${describeSystemError(error)}\n`);
    process.exit(EXIT_FAILURE);
  });
  // Progress that nobody can see must not end the work.
  process.stderr.on('error', () => {});
  try {
    await createCli().parseAsync(argv);
  } catch (error) {
    process.exitCode = exitCode(error, argv.includes('--debug'));
  }
}
