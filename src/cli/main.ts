// The command line: every command in one list, and one place that turns errors into a line and an exit code.
import { Command, CommanderError } from 'commander';
import { describeSystemError } from '../data/system-error.js';
import { EXIT_FAILURE, EXIT_USER_ERROR, Failure, UserError } from './errors.js';
import { version } from './version.js';

/** Loaded when they are asked for: most of the time that a short command takes is loading what others need. */
const COMMANDS: Readonly<Record<string, () => Promise<(cli: Command) => void>>> = {
  run: async () => (await import('./run.js')).addRun,
  resume: async () => (await import('./resume.js')).addResume,
  worker: async () => (await import('./worker.js')).addWorker,
  experiments: async () => (await import('./experiments.js')).addExperiments,
  presets: async () => (await import('./presets.js')).addPresets,
  show: async () => (await import('./show.js')).addShow,
  gallery: async () => (await import('./gallery.js')).addGallery,
  simplify: async () => (await import('./simplify.js')).addSimplify,
  eval: async () => (await import('./eval.js')).addEval,
  explain: async () => (await import('./explain.js')).addExplain,
  export: async () => (await import('./export.js')).addExport,
  lineage: async () => (await import('./lineage.js')).addLineage,
  motifs: async () => (await import('./motifs.js')).addMotifs,
  select: async () => (await import('./select.js')).addSelect,
  tune: async () => (await import('./tune.js')).addTune,
  decouple: async () => (await import('./decouple.js')).addDecouple,
  ablate: async () => (await import('./ablate.js')).addAblate,
  knockin: async () => (await import('./knockin.js')).addKnockIn,
  report: async () => (await import('./report.js')).addReport,
  fit: async () => (await import('./fit.js')).addFit,
  predict: async () => (await import('./predict.js')).addPredict,
  data: async () => (await import('./data.js')).addData,
  conformance: async () => (await import('./conformance.js')).addConformance,
  reproduce: async () => (await import('./reproduce.js')).addReproduce,
  dashboard: async () => (await import('./dashboard.js')).addDashboard,
  bench: async () => (await import('./bench.js')).addBench,
};

/** With the command that is named; with all of them where help or a suggestion may be needed, as without any words. */
export async function createCli(argv: readonly string[]): Promise<Command> {
  const cli = new Command('evozero')
    .description('Discovers complete machine-learning algorithms from nothing, by evolution.')
    .version(version())
    .option('--debug', 'print a stack trace when something fails')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
  const named = argv.slice(2).find((word) => !word.startsWith('-')) ?? '';
  const load = Object.hasOwn(COMMANDS, named) ? [COMMANDS[named]!] : Object.values(COMMANDS);
  for (const add of await Promise.all(load.map((one) => one()))) add(cli);
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
    await (await createCli(argv)).parseAsync(argv);
  } catch (error) {
    process.exitCode = exitCode(error, argv.includes('--debug'));
  }
}
