// `evozero lineage`: the path from an initial program to the best of a run, what each step changed and gained, and which techniques
// came with it (paper, figure 6). Must not change the run.
import type { Command } from 'commander';
import { explain } from '../analysis/explain/explain.js';
import { TECHNIQUES, type Technique } from '../analysis/explain/explanation.js';
import {
  describeSteps,
  type Explain,
  foldSmallSteps,
  type LineageProgram,
  type LineageStep,
  lineFromEvents,
  liveLine,
  type RecordedLine,
} from '../analysis/lineage-steps.js';
import { fittingLoss } from '../experiment/config-loss.js';
import type { LineageEntry } from '../experiment/events.js';
import { diffPrograms } from '../pages/program-diff.js';
import { ProgramTextError } from '../program/lexer.js';
import type { MemorySizes } from '../program/program.js';
import { readEvents } from '../runs/read-events.js';
import { describeRun, FILES, type RunDescription } from '../runs/run-files.js';
import { fitnessText, gainText } from '../util/number-text.js';
import { printable } from '../util/quote.js';
import { Failure, UserError } from './errors.js';
import { colors, count, print, printJson } from './output.js';
import { isWithoutProgram, lossOfRun } from './program-argument.js';
import { colorProgram } from './program-colors.js';
import { explainRunErrors } from './run-work.js';

interface LineageOptions {
  readonly all?: true;
  readonly json?: true;
}

// --- What the run says -------------------------------------------------------------------------------------------------

/** A finished run knows every step; of one that goes on, its events know those that were the best of their experiment. */
function readLine(directory: string, { status, result }: RunDescription): RecordedLine {
  const shown = printable(directory);
  if (status === 'finished' && Array.isArray(result?.lineage)) {
    if (result.lineage.length === 0) throw new UserError(`${shown}: this run has found no program`);
    return { entries: result.lineage as readonly LineageEntry[], isWhole: true };
  }
  const line = lineFromEvents(readEvents(directory));
  if (line.entries.length > 0) return line;
  if (isWithoutProgram(directory)) throw new UserError(`${shown}: this run has no program yet`);
  throw new UserError(`${shown}: how its program came about is not recorded (no best program in ${FILES.events})`);
}

function readSteps(directory: string, { entries }: RecordedLine, { config }: RunDescription): readonly LineageStep[] {
  const { space } = config as { readonly space?: { readonly memory?: MemorySizes } };
  const loss = lossOfRun(directory);
  const explainStep: Explain = (program, labels) => explain(program, labels, fittingLoss(loss, labels));
  try {
    return describeSteps(entries, explainStep, space?.memory);
  } catch (error) {
    if (!(error instanceof ProgramTextError)) throw error;
    throw new Failure(`${printable(directory)}: damaged, a step of its lineage is no program: ${error.message}`);
  }
}

// --- What a step changed -----------------------------------------------------------------------------------------------

interface Change {
  readonly function: string;
  readonly kind: 'removed' | 'added';
  readonly text: string;
  /** It can reach a prediction, where it is. */
  readonly isLive: boolean;
}

function findChanges(before: LineageProgram, after: LineageProgram): Change[] {
  return diffPrograms(before.text, after.text).flatMap(({ name, lines }) =>
    lines.map(({ kind, text }) => {
      const { live } = kind === 'added' ? after : before;
      return { function: name, kind, text, isLive: live.has(liveLine(name, text)) };
    }),
  );
}

/** Lines that a step shows without --all. */
const SHOWN_LINES = 12;
const INDENT = '     ';

function printChanges(changes: readonly Change[], all: boolean): void {
  const shown = all ? changes : changes.filter(({ isLive }) => isLive).slice(0, SHOWN_LINES);
  let current = '';
  for (const { function: name, kind, text, isLive } of shown) {
    const title = name === current ? '' : name;
    current = name;
    const line = `${kind === 'added' ? '+' : '-'} ${text}${isLive ? '' : '  # no effect'}`;
    const colored = isLive && kind === 'added' ? colorProgram(line, colors) : colors.dim(line);
    print(`${INDENT}${colors.dim(title.padEnd(9))}${colored}`);
  }
  const live = changes.filter(({ isLive }) => isLive).length;
  const left = [
    ...(live > SHOWN_LINES ? [count(live - SHOWN_LINES, 'more line')] : []),
    ...(changes.length > live ? [`${count(changes.length - live, 'line')} without effect`] : []),
  ];
  if (!all && left.length > 0) print(colors.dim(`${INDENT}${' '.repeat(9)}and ${left.join(', ')}`));
}

/** What mutations changed that gained nothing, between the step before and the parent. */
function findDrift({ parent, previous }: LineageStep): Change[] {
  return parent === null || previous === null ? [] : findChanges(previous, parent.program);
}

function printDrift(step: LineageStep, all: boolean): void {
  const drift = findDrift(step);
  if (drift.length === 0) return;
  print(colors.dim(`${INDENT}before it, without gain: ${count(drift.length, 'changed line')}${all ? '' : ' (--all)'}`));
  if (all) printChanges(drift, true);
}

// --- The path ----------------------------------------------------------------------------------------------------------

function printCallouts({ appeared, disappeared }: LineageStep): void {
  for (const { name, why } of appeared) print(`${INDENT}${colors.green('★')} ${colors.bold(TECHNIQUES[name])}: ${why}`);
  for (const { name } of disappeared) print(`${INDENT}${colors.red('✗')} no longer ${TECHNIQUES[name]}`);
}

function describeFitness({ fitness, before, gain }: LineageStep): string {
  if (before === null || gain === null) return `fitness ${fitnessText(fitness)}`;
  const shown = Number.isFinite(gain) ? `  ${gainText(gain)}` : '';
  return `${fitnessText(before)} → ${colors.bold(fitnessText(fitness))}${shown}`;
}

function printStep(step: LineageStep, all: boolean): void {
  const { number, id, origin, parent, program } = step;
  const made = parent === null ? 'initial program' : origin;
  const algorithm = colors.dim(`algorithm ${(id + 1).toLocaleString('en-US')}`);
  print(`${colors.bold(`${number}.`.padEnd(4))} ${made}  ${describeFitness(step)}  ${algorithm}`);
  printDrift(step, all);
  if (parent !== null) printChanges(findChanges(parent.program, program), all);
  else if (program.instructions === 0) print(`${INDENT}empty`);
  else print(`${INDENT}${count(program.instructions, 'instruction')}, ${program.live.size} of them with an effect`);
  printCallouts(step);
}

function printFolded(steps: readonly LineageStep[]): void {
  const gained = `${fitnessText(steps[0]!.before)} → ${fitnessText(steps.at(-1)!.fitness)}`;
  print(
    colors.dim(`${INDENT}${count(steps.length, 'step')} that gained next to nothing, ${gained} (--all shows them)`),
  );
}

function printPath(steps: readonly LineageStep[], all: boolean): void {
  for (const group of foldSmallSteps(steps)) {
    print();
    if (group[0]!.isSmall && !all) printFolded(group);
    else for (const step of group) printStep(step, all);
  }
}

function printHead(directory: string, { status, config }: RunDescription, steps: readonly LineageStep[]): void {
  const [first, last] = [steps[0]!, steps.at(-1)!];
  print(`${colors.bold(printable(directory))}: ${String(config.name)}, seed ${String(config.seed)}, ${status}`);
  print(`${count(steps.length, 'step')} from fitness ${fitnessText(first.fitness)} to ${fitnessText(last.fitness)}`);
}

function techniqueJson(techniques: readonly Technique[]) {
  return techniques.map(({ name, why }) => ({ name, why }));
}

function stepJson(step: LineageStep) {
  const { number, id, origin, before, fitness, parent, program, gain, appeared, disappeared, isSmall } = step;
  return {
    step: number,
    id,
    origin,
    parent: parent && { id: parent.id, fitness: parent.fitness },
    before,
    fitness,
    gain,
    isSmall,
    drift: findDrift(step),
    changes: parent === null ? [] : findChanges(parent.program, program),
    appeared: techniqueJson(appeared),
    disappeared: disappeared.map(({ name }) => name),
    program: program.text,
  };
}

function showLineage(directory: string, { all, json }: LineageOptions): void {
  const run = describeRun(directory);
  const line = readLine(directory, run);
  const steps = readSteps(directory, line, run);
  if (json) {
    printJson({ run: directory, status: run.status, isWhole: line.isWhole, steps: steps.map(stepJson) });
    return;
  }
  printHead(directory, run, steps);
  if (!line.isWhole) print('The steps before the first are not recorded while a run goes on.');
  printPath(steps, all === true);
}

export function addLineage(cli: Command): void {
  cli
    .command('lineage')
    .description('print how the best program of a run came about: each step, what it changed and what it gained')
    .argument('<RUN>', 'a run directory')
    .option('--all', 'also show steps that gained next to nothing, and lines without effect')
    .option('--json', 'print one JSON object')
    .action((directory: string, options: LineageOptions) =>
      explainRunErrors(async () => showLineage(directory, options)),
    );
}
