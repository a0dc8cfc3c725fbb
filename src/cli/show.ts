// `evozero show`: a program, raw and simplified; without an argument, the built-in programs.
import type { Command } from 'commander';
import { BUILTIN_NAMES, builtin } from '../program/builtin.js';
import { canonicalHash } from '../program/canonical.js';
import { programToJson } from '../program/json.js';
import { type Liveness, liveness, simplify } from '../program/liveness.js';
import { printProgram } from '../program/print.js';
import { countInstructions, FUNCTION_NAMES, type MemorySizes, memoryNeeded } from '../program/program.js';
import { type RunSummary, summarizeRun } from '../runs/run-summary.js';
import { MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { colors, count, duration, print, printJson } from './output.js';
import { isRunDirectory, isWithoutProgram, loadProgram, type NamedProgram, PROGRAM_HELP } from './program-argument.js';
import { explainRunErrors } from './run-work.js';

interface ShowOptions {
  readonly json?: true;
  readonly memory?: MemorySizes;
}

function listBuiltins(json: boolean): void {
  const programs = BUILTIN_NAMES.map((name) => builtin(name)!);
  if (json) {
    printJson({ programs: programs.map(({ name, about }) => ({ name, about })) });
    return;
  }
  const width = Math.max(...BUILTIN_NAMES.map((name) => name.length));
  print('Built-in programs (evozero show NAME prints one):\n');
  const room = (process.stdout.columns ?? Number.POSITIVE_INFINITY) - width - 4;
  for (const { name, about } of programs) {
    const shown = about.length <= room ? about : `${about.slice(0, Math.max(0, room - 1))}…`;
    print(`  ${colors.bold(name.padEnd(width))}  ${shown}`);
  }
}

/** The program with a comment at each instruction that cannot reach a prediction. */
function annotate({ program, labels }: NamedProgram, live: Liveness): string {
  const marks = FUNCTION_NAMES.map((name) => [...live[name]]);
  let current = -1;
  return printProgram(program, labels)
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (line.startsWith('def ')) current++;
      if (!line.startsWith('  ') || marks[current]!.shift()) return line;
      return colors.dim(`${line.padEnd(30)} # no effect`);
    })
    .join('\n');
}

const SCORES = ['search', 'select', 'final'] as const;

function printRun(directory: string, run: RunSummary): void {
  const { status, preset, seed, success, algorithms, seconds } = run;
  const verdict = success === null ? '' : success ? ', a success' : ', no success';
  print(`${colors.bold(directory)}: ${preset}, seed ${seed}, ${status}${verdict}`);
  const scores = SCORES.flatMap((name) => {
    const fitness = run[`${name}Fitness`];
    return fitness === null ? [] : [`${name} ${fitness.toFixed(6)}`];
  });
  if (scores.length > 0) print(`fitness: ${scores.join(', ')}`);
  print(`${count(algorithms, 'algorithm')}${seconds === null ? '' : ` in ${duration(seconds)}`}\n`);
}

function show(argument: string, { json, memory }: ShowOptions): void {
  const run = isRunDirectory(argument) ? summarizeRun(argument) : undefined;
  if (run !== undefined && isWithoutProgram(argument)) {
    if (json) printJson({ name: argument, run, program: null });
    else {
      printRun(argument, run);
      print('no program yet');
    }
    return;
  }
  const source = loadProgram(argument, memory);
  const { name, about, program, labels } = source;
  const simplified = simplify(program, labels);
  const hash = canonicalHash(program, labels);
  const needed = memoryNeeded(program, labels);
  const [all, live] = [countInstructions(program), countInstructions(simplified)];
  if (json) {
    printJson({
      name,
      ...(run !== undefined && { run }),
      ...(about !== undefined && { about }),
      labels,
      hash,
      memory: needed,
      instructions: { all, live },
      program: printProgram(program, labels),
      simplified: printProgram(simplified, labels),
      programJson: programToJson(program, labels),
    });
    return;
  }
  if (run !== undefined) printRun(argument, run);
  print(colors.bold(name));
  if (about !== undefined) print(about);
  if (all === 0) print('an empty program');
  else print(`${count(all, 'instruction')}, ${live === all ? 'all' : live} of them can reach a prediction`);
  print(`memory ${needed.scalars}/${needed.vectors}/${needed.matrices}, canonical hash ${hash}\n`);
  print(annotate(source, liveness(program, labels)));
  if (all === live) return;
  print(`\n${colors.bold('Simplified')}\n`);
  print(printProgram(simplified, labels).trimEnd());
}

export function addShow(cli: Command): void {
  cli
    .command('show')
    .description('print a program, raw and simplified, or a run and its best; without PROGRAM, list the built-in ones')
    .argument('[PROGRAM]', PROGRAM_HELP)
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action((argument: string | undefined, options: ShowOptions) => {
      if (argument === undefined) listBuiltins(options.json === true);
      else return explainRunErrors(async () => show(argument, options));
    });
}
