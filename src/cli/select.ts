// `evozero select`: ranks the best programs of many runs on tasks that none of them was searched on.
import { type Command, Option } from 'commander';
import { fitnessesOf } from '../analysis/judge.js';
import { type Ranked, rankContenders } from '../analysis/rank.js';
import { FITNESS_KINDS, type FitnessKind, summarize } from '../evaluate/summary.js';
import { parseConfig } from '../experiment/config.js';
import { ConfigError } from '../experiment/config-error.js';
import { printProgram } from '../program/print.js';
import { readConfig } from '../runs/run-files.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { addJudgeOptions, type JudgeFlags, withJudge } from './judge-options.js';
import { bar, colors, count, note, Progress, print, printJson } from './output.js';
import { isRunDirectory } from './program-argument.js';
import { loadRuns, RUNS_HELP } from './runs-argument.js';
import { describeTasks } from './task-options.js';

interface SelectFlags extends Omit<JudgeFlags, 'tasks'> {
  readonly tasks?: string;
  readonly fitness: FitnessKind;
  readonly json?: true;
}

/** The flags, with the tasks that the first run selects on where none are named. */
function withTasks(flags: SelectFlags, runs: readonly string[], command: Command): JudgeFlags {
  if (flags.tasks !== undefined) return { ...flags, tasks: flags.tasks };
  const directory = runs.find(isRunDirectory);
  if (directory === undefined)
    throw new UserError('--tasks: needed, since none of these is a run that says what to select on');
  try {
    const { set, ...settings } = parseConfig(readConfig(directory).config).tasks.select;
    const given = Object.entries(flags).filter(([name]) => command.getOptionValueSource(name) === 'cli');
    return { ...flags, ...settings, ...Object.fromEntries(given), tasks: set };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UserError(`${printable(directory)}: ${error.message}; --tasks names the tasks to select on`);
  }
}

interface Candidate {
  readonly name: string;
  readonly text: string;
}

function printRanking(ranked: readonly Ranked<Candidate>[]): void {
  const width = Math.max(...ranked.map(({ of }) => of.name.length));
  const margin = (x: number | undefined) => (x === undefined ? '' : ` ± ${x.toFixed(4)}`);
  for (const [k, { of, fitness, interval, behind, behindInterval }] of ranked.entries()) {
    const name = of.name.padEnd(width);
    const gap = k === 0 ? '' : `  ${behind.toFixed(4)}${margin(behindInterval)} behind`;
    const line = `  ${String(k + 1).padStart(3)}  ${name}  ${fitness.toFixed(4)}${margin(interval)}${gap}`;
    print(k === 0 ? colors.bold(line) : line);
  }
}

/** Whether the winner is one, in words. */
function verdictOn(ranked: readonly Ranked<Candidate>[], tasks: number): string {
  const [winner, ...others] = ranked;
  const tied = others.filter(({ isTied }) => isTied);
  if (winner!.fitness === 0) return 'No candidate works: each was stopped, by NaN or an error above 100.';
  if (others.length === 0) return 'There is only one candidate.';
  if (tied.length === 0) return `${winner!.of.name} wins: better than all others beyond chance (95 % confidence each).`;
  const names = tied.length > 5 ? count(tied.length, 'other') : tied.map(({ of }) => of.name).join(', ');
  return `${winner!.of.name} is first, but ${count(tasks, 'task')} cannot tell it from ${names}: more tasks (--count) may.`;
}

async function select(paths: readonly string[], flags: SelectFlags, command: Command): Promise<void> {
  const runs = loadRuns(paths);
  const empty = runs.filter(({ source }) => source === undefined);
  for (const { name } of empty) note(`${printable(name)}: this run has found no program yet, and is left out`);
  const candidates = runs.flatMap(({ name, source }) =>
    source === undefined ? [] : [{ name: printable(name), ...source }],
  );
  if (candidates.length === 0) throw new UserError('none of these runs has a program to select');
  const chosen = withTasks(
    flags,
    runs.map(({ name }) => name),
    command,
  );
  const ranked = await withJudge(
    chosen,
    candidates,
    async (judge, tasks) => {
      if (!flags.json)
        print(`${count(candidates.length, 'candidate')} on ${describeTasks(chosen, tasks, chosen.epochs)}\n`);
      const progress = new Progress();
      let done = 0;
      const line = () => `${bar(done / candidates.length)} ${done} of ${count(candidates.length, 'candidate')}`;
      progress.hint(line);
      const all = [...Array(tasks.count).keys()];
      const verdicts = await judge.judge(
        candidates.map(({ program }) => ({ program, tasks: all })),
        () => {
          done++;
          progress.show(line);
        },
      );
      progress.finish(line);
      return rankContenders(
        candidates.map(({ name, program, labels }, k) => ({
          of: { name, text: printProgram(program, labels) },
          fitnesses: fitnessesOf(verdicts[k]!),
        })),
        flags.fitness,
      );
    },
    { once: true },
  );
  const verdict = verdictOn(ranked, chosen.count);
  if (flags.json) {
    const rows = ranked.map(({ of, fitnesses, fitness, interval, behind, behindInterval, isTied }) => ({
      name: of.name,
      fitness,
      interval: interval ?? null,
      behind,
      behindInterval: behindInterval ?? null,
      tied: isTied,
      ...summarize(fitnesses),
    }));
    const tied = rows.filter((row) => row.tied).length - 1;
    printJson({
      tasks: chosen.tasks,
      count: chosen.count,
      seed: chosen.seed,
      distinguishable: tied === 0,
      verdict,
      program: ranked[0]!.of.text,
      candidates: rows,
    });
    return;
  }
  printRanking(ranked);
  print(`\n${verdict}\n\n${ranked[0]!.of.text.trimEnd()}`);
}

export function addSelect(cli: Command): void {
  addJudgeOptions(
    cli
      .command('select')
      .description('rank the best programs of runs on tasks that they were not searched on')
      .argument('<RUN...>', RUNS_HELP),
    'those that the first run selects on, drawn anew',
  )
    .addOption(
      new Option('--fitness <KIND>', 'what counts of the fitnesses on all tasks')
        .choices([...FITNESS_KINDS])
        .default('mean'),
    )
    .option('--json', 'print one JSON object')
    .action(select);
}
