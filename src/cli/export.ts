// `evozero export`: a program as a small class in TypeScript, JavaScript or Python, ready to be piped to a file or written to one.
import { type Command, Option } from 'commander';
import { explain } from '../analysis/explain/explain.js';
import { ExportError } from '../analysis/export/export-error.js';
import { EXPORT_LANGUAGES, type ExportLanguage, exportProgram } from '../analysis/export/export-program.js';
import type { Loss } from '../engine/engine.js';
import type { MemorySizes } from '../program/program.js';
import { LOSS_OF_KIND } from '../tasks/task-kind.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { note, print, printJson } from './output.js';
import { isRunDirectory, loadProgram, lossOfRun, type NamedProgram, PROGRAM_HELP } from './program-argument.js';
import { writeText } from './write-text.js';

interface ExportFlags {
  readonly to: ExportLanguage;
  readonly loss?: Loss;
  readonly name?: string;
  readonly out?: string;
  readonly memory?: MemorySizes;
  readonly json?: true;
}

/** `NeuralNet` of `paper/neural-net` or `runs/neural-net.alg`. */
export function classNameOf(name: string): string {
  const words = name
    .replace(/^.*[/\\]/, '')
    .replace(/\.[^.]*$/, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return /^[A-Z].{0,59}$/.test(joined) ? joined : 'EvolvedModel';
}

/** What the program is to be exported for, where no flag says so. */
function guessLoss(argument: string, { labels }: NamedProgram): Loss {
  if (labels === 'vector') return 'multiclass';
  const known = lossOfRun(argument);
  if (known === undefined) note('exported for regression; --loss accuracy exports for two classes');
  return known ?? 'rms';
}

function exportOrExplain(source: NamedProgram, loss: Loss, name: string, to: ExportLanguage): string {
  const { program, labels } = source;
  try {
    return exportProgram(program, labels, { to, loss, name, explanation: explain(program, labels, loss) });
  } catch (error) {
    throw error instanceof ExportError ? new UserError(`--${error.option}: ${error.message}`) : error;
  }
}

function exportArgument(argument: string, flags: ExportFlags): void {
  const { to, out, json } = flags;
  const source = loadProgram(argument, flags.memory);
  const loss = flags.loss ?? guessLoss(argument, source);
  const name = flags.name ?? classNameOf(isRunDirectory(argument) ? argument : source.name);
  const text = exportOrExplain(source, loss, name, to);
  if (out !== undefined) writeText(out, text);
  if (json) printJson({ program: source.name, to, loss, name, ...(out === undefined ? { text } : { out }) });
  else if (out === undefined) print(text.trimEnd());
  else print(`${name} written to ${printable(out)}`);
}

export function addExport(cli: Command): void {
  cli
    .command('export')
    .description('print a program as a class in another language that trains and predicts as evozero does')
    .argument('<PROGRAM>', PROGRAM_HELP)
    .addOption(new Option('--to <LANGUAGE>', 'the language').choices(EXPORT_LANGUAGES).makeOptionMandatory())
    .addOption(
      new Option(
        '--loss <LOSS>',
        'what is predicted: a number, one of two classes, or one of ten (default: as in the run, else by the labels)',
      ).choices(Object.values(LOSS_OF_KIND)),
    )
    .option('--name <NAME>', "of the class (default: from the program's name)")
    .option('--out <FILE>', 'write to a file')
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action(exportArgument);
}
