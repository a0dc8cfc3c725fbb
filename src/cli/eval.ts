// `evozero eval`: trains and validates a program on tasks and prints its fitness.
import type { Command } from 'commander';
import { fitnessesOf, type Judge, type Verdict } from '../analysis/judge.js';
import { summarize } from '../evaluate/summary.js';
import type { MemorySizes, Program } from '../program/program.js';
import type { OpenedTasks } from '../tasks/open-tasks.js';
import { mean } from '../util/stats.js';
import { addJudgeOptions, type JudgeFlags, partsOf, withJudge } from './judge-options.js';
import { MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { bar, colors, Progress, print, printJson } from './output.js';
import { loadProgram, PROGRAM_HELP } from './program-argument.js';
import { printScores, type Scores } from './scores.js';
import { printTableReport } from './table-options.js';
import { describeTasks } from './task-options.js';

interface EvalFlags extends JudgeFlags {
  readonly json?: true;
  readonly memory?: MemorySizes;
}

/** The fitness on each task, while a line tells how far it is. */
async function score(program: Program, judge: Judge, tasks: OpenedTasks): Promise<Scores> {
  const progress = new Progress();
  const done: Verdict[number][] = [];
  const line = () => {
    const score = done.length === 0 ? '' : `, mean fitness ${mean(fitnessesOf(done)).toFixed(4)}`;
    return `${bar(done.length / tasks.count)} task ${done.length} of ${tasks.count}${score}`;
  };
  progress.hint(line);
  try {
    const trials = partsOf(tasks).map((part) => ({ program, tasks: part }));
    const verdicts = await judge.judge(trials, (_, verdict) => {
      done.push(...verdict);
      progress.show(line);
    });
    progress.finish(line);
    const verdict = verdicts.flat();
    // Of classes, none right is a score like any other; a program that was ended has not done all training steps.
    const isStopped = ({ fitness, trainSteps }: Verdict[number]) =>
      fitness === 0 && (tasks.loss === 'rms' || trainSteps < judge.trainSteps);
    return { fitnesses: fitnessesOf(verdict), stopped: verdict.filter(isStopped).length };
  } catch (error) {
    progress.clear();
    throw error;
  }
}

async function evaluate(argument: string, options: EvalFlags): Promise<void> {
  const source = loadProgram(argument, options.memory);
  const work = async (judge: Judge, opened: OpenedTasks) => {
    if (opened.report !== undefined && !options.json) printTableReport(opened.report);
    return { scores: await score(source.program, judge, opened), tasks: opened };
  };
  const { scores, tasks } = await withJudge(options, [source], work, { once: true });
  if (options.json) {
    const { features, count, trainCount: train, validCount: valid, loss } = tasks;
    const { epochs, seed, labelSeed, split, precision } = options;
    const settings = { features, count, train, valid, loss, epochs, seed, labelSeed, split, precision };
    const table = tasks.report === undefined ? {} : { table: tasks.report };
    printJson({ program: source.name, tasks: options.tasks, ...settings, ...table, ...summarize(scores.fitnesses) });
    return;
  }
  print(`${colors.bold(source.name)} on ${describeTasks(options, tasks, options.epochs)}`);
  printScores(scores);
}

export function addEval(cli: Command): void {
  addJudgeOptions(
    cli
      .command('eval')
      .description('train and validate a program on tasks and print its fitness (1 is perfect, 0 the worst)')
      .argument('<PROGRAM>', PROGRAM_HELP),
  )
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action(evaluate);
}
