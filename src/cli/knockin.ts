// `evozero knockin`: puts a section of code into another program, tunes it, and tells what it gains (paper, supplement "Interpreting
// Algorithms", d).
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { comparePaired, type Difference, differenceText } from '../analysis/ablate/paired.js';
import { fitnessesOf, type Judge } from '../analysis/judge.js';
import { parseBindings } from '../analysis/knockin/bindings.js';
import {
  type CodeSection,
  parseLines,
  readSection,
  SectionError,
  takeLines,
} from '../analysis/knockin/code-section.js';
import { type KnockIn, knockIn, knockInCost, planKnockIn } from '../analysis/knockin/knockin.js';
import { describeSystemError } from '../data/system-error.js';
import type { Loss } from '../engine/engine.js';
import { summarize } from '../evaluate/summary.js';
import { ProgramTextError } from '../program/lexer.js';
import { printProgram } from '../program/print.js';
import { printable } from '../util/quote.js';
import { Failure, UserError } from './errors.js';
import { addJudgeOptions, type JudgeFlags, withJudge } from './judge-options.js';
import { checkRuns, fitnessText, showProgress } from './measured.js';
import { integer, MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { colors, count, note, print, printJson } from './output.js';
import { loadProgram, type NamedProgram, PROGRAM_HELP } from './program-argument.js';
import { describeTasks } from './task-options.js';
import { writeText } from './write-text.js';

interface KnockInFlags extends JudgeFlags {
  readonly from?: string;
  readonly lines?: string;
  readonly bind?: string;
  readonly trials: number;
  readonly maxInsertions: number;
  readonly out?: string;
  readonly memory?: Parameters<typeof loadProgram>[1];
  readonly json?: true;
}

/** What is wrong with a section or its bindings is the user's to mend. */
function explainSection<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ProgramTextError) throw new UserError(error.report(name, ''));
    throw error instanceof SectionError ? new UserError(`${name}: ${error.message}`) : error;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`${printable(path)}: ${describeSystemError(error)}`);
  }
}

/** Where the section comes from; the loss decides what its program's addresses are for. */
function findSection(snippet: string | undefined, { from, lines, memory }: KnockInFlags): (loss: Loss) => CodeSection {
  if (snippet !== undefined) {
    if (from !== undefined || lines !== undefined) throw new UserError('give SNIPPET, or --from and --lines, not both');
    const section = explainSection(printable(snippet), () => readSection(readText(snippet), memory));
    return () => section;
  }
  if (from === undefined || lines === undefined) {
    throw new UserError('what to put into the program? Give SNIPPET and PROGRAM, or PROGRAM with --from and --lines');
  }
  const { name, program, labels } = loadProgram(from, memory);
  const places = explainSection(name, () => parseLines(lines, program));
  return (loss) => takeLines(program, labels, places, loss);
}

function isSure({ mean, half }: Difference): boolean {
  return half !== undefined && Math.abs(mean) > half;
}

function gainText(gain: Difference): string {
  const text = differenceText(gain);
  return isSure(gain) ? colors.bold(text) : `${text} (not significant)`;
}

function printKnockIn(source: NamedProgram, { intact, best, spent }: KnockIn, confirmed: Difference): void {
  const [{ insertion, tuned, gain }] = best as [KnockIn['best'][number]];
  print(`${source.name}  ${fitnessText(intact.best)}`);
  print(`with the section  ${colors.bold(fitnessText(tuned.best))}`);
  print(`gain  ${gainText(gain)}, on other tasks ${gainText(confirmed)}`);
  print(`\nat ${insertion.at}; ${insertion.bound || 'nothing to bind'}`);
  print(`\n${printProgram(tuned.program, source.labels).trimEnd()}\n`);
  for (const other of best.slice(1)) {
    print(colors.dim(`${differenceText(other.gain)}  at ${other.insertion.at}; ${other.insertion.bound}`));
  }
  print(`${count(Math.round(spent), 'full evaluation')}`);
}

function toJson(source: NamedProgram, { intact, best, spent }: KnockIn, confirmed: Difference): object {
  const differenceJson = ({ mean, half, pValue }: Difference) => ({
    mean,
    interval: half === undefined ? null : [mean - half, mean + half],
    pValue: pValue ?? null,
  });
  return {
    program: source.name,
    labels: source.labels,
    intact: { ...summarize(intact.best.fitnesses), tuned: printProgram(intact.program, source.labels) },
    insertions: best.map(({ insertion, tuned, gain }) => ({
      at: insertion.at,
      bindings: insertion.bound,
      gain: differenceJson(gain),
      ...summarize(tuned.best.fitnesses),
      tuned: printProgram(tuned.program, source.labels),
    })),
    gainOnOtherTasks: differenceJson(confirmed),
    evaluations: spent,
  };
}

/** The best of many insertions looks better than it is on the tasks that it was chosen by. */
async function confirm({ intact, best }: KnockIn, judge: Judge): Promise<Difference> {
  const tasks = Array.from({ length: judge.count }, (_, k) => k);
  const [before, after] = await judge.judge([intact, best[0]!.tuned].map(({ program }) => ({ program, tasks })));
  return comparePaired(fitnessesOf(before!), fitnessesOf(after!));
}

async function knockInto(programs: readonly string[], flags: KnockInFlags): Promise<void> {
  if (programs.length > 2) throw new UserError('expected SNIPPET and PROGRAM, or PROGRAM with --from and --lines');
  const source = loadProgram(programs.at(-1)!, flags.memory);
  const sectionFor = findSection(programs.length === 2 ? programs[0] : undefined, flags);
  const { trials, seed, maxInsertions } = flags;
  const result = await withJudge(flags, [source], async (judge, tasks) => {
    const section = sectionFor(judge.loss);
    if (section.labels !== source.labels && section.code.learn.length > 0) {
      throw new UserError(
        `the section learns from a ${section.labels} label, and ${source.name} from a ${source.labels}`,
      );
    }
    const given =
      flags.bind === undefined
        ? new Map()
        : explainSection('--bind', () => parseBindings(flags.bind!, section, source));
    const plan = planKnockIn(section, source.program, source.labels, judge.loss, given, maxInsertions);
    if (plan.insertions.length === 0) {
      throw new UserError(
        `${source.name}: the section reaches no prediction there, wherever it is put; --bind may help`,
      );
    }
    const cost = `${count(plan.insertions.length, 'insertion')}: at most ${count(knockInCost(plan, trials), 'full evaluation')}`;
    if (flags.json) note(cost);
    else print(`${describeTasks(flags, tasks, flags.epochs)}\n${cost}\n`);
    const progress = showProgress(source.name);
    const found = await knockIn(plan, judge, { trials, seed }, ({ done, total }) => progress.step(done, total));
    progress.finish();
    return found;
  });
  if (result.best.length === 0) {
    throw new Failure(`${source.name}: no insertion changes the fitness on any of these tasks`);
  }
  checkRuns(`${source.name} with the section`, result.best[0]!.tuned.best);
  const confirmed = await withJudge({ ...flags, seed: seed + 1 }, [source], (judge) => confirm(result, judge));
  if (flags.json) printJson(toJson(source, result, confirmed));
  else printKnockIn(source, result, confirmed);
  if (flags.out !== undefined) writeText(flags.out, printProgram(result.best[0]!.tuned.program, source.labels));
}

export function addKnockIn(cli: Command): void {
  const command = cli
    .command('knockin')
    .description('put a section of code into a program, tune it, and tell what it gains')
    .usage(
      'SNIPPET PROGRAM --tasks <TASKS>\n       evozero knockin PROGRAM --from <PROGRAM> --lines <LINES> --tasks <TASKS>',
    )
    .argument('<PROGRAMS...>', `SNIPPET, a .alg file that may leave functions out, and PROGRAM: ${PROGRAM_HELP}`)
    .option('--from <PROGRAM>', 'take the section from this program')
    .option('--lines <LINES>', 'its lines, such as predict:1-2,learn:10')
    .option('--bind <PAIRS>', 'what addresses of the section are in the program, such as v3=v2,m0=m1 or v4=new');
  addJudgeOptions(command)
    .option('--trials <N>', 'full evaluations to tune each finalist, and the intact program', integer(1, 1_000_000), 30)
    .option('--max-insertions <N>', 'positions and bindings to try, at most', integer(1, 100_000), 100)
    .option('--out <FILE>', 'write the best program to a .alg file')
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action(knockInto);
}
