// `evozero tune`: scales the constants of programs, each with the same budget, and prints the best (paper, supplement "Algorithm Selection
// and Evaluation").
import { type Command, Option } from 'commander';
import type { Constant } from '../analysis/tune/constants.js';
import { TUNING_METHODS, type Tuned, type TuneSettings, type TuningMethod, tune } from '../analysis/tune/tune.js';
import { FITNESS_KINDS, type FitnessKind, summarize } from '../evaluate/summary.js';
import { printProgram } from '../program/print.js';
import { UserError } from './errors.js';
import { addJudgeOptions, type JudgeFlags, withJudge } from './judge-options.js';
import { fitnessText } from './measured.js';
import { integer, MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { bar, colors, count, duration, Progress, print, printJson } from './output.js';
import { loadProgram, type NamedProgram, PROGRAM_HELP } from './program-argument.js';
import { describeTasks } from './task-options.js';
import { writeText } from './write-text.js';

interface TuneFlags extends JudgeFlags {
  readonly trials: number;
  readonly method: TuningMethod;
  readonly fitness: FitnessKind;
  readonly tuneSeed?: number;
  readonly out?: string;
  readonly memory?: Parameters<typeof loadProgram>[1];
  readonly json?: true;
}

interface TunedProgram extends Tuned {
  readonly source: NamedProgram;
}

/** `setup 1: 0.05 -> 0.0123` */
function constantText({ function: name, index, slot, value }: Constant, exponent: number): string {
  const which = slot === 0 ? '' : ', second';
  return `${name} ${index + 1}${which}: ${shortNumber(value)} -> ${shortNumber(value * 10 ** exponent)}`;
}

function shortNumber(x: number): string {
  return String(Number(x.toPrecision(4)));
}

function printTuned({ source, constants, before, best, candidates, program }: TunedProgram): void {
  print(`${colors.bold(source.name)}: ${fitnessText(before)} -> ${colors.bold(fitnessText(best))}`);
  if (constants.length === 0) {
    print('  has no constants to tune: none reaches a prediction, or all are 0 (evozero decouple may find some)');
    return;
  }
  if (best.fitness === 0) print('  every candidate was stopped, by NaN or an error above 100');
  else if (best === before) print(`  nothing better among ${count(candidates.length, 'full evaluation')}`);
  for (const [k, constant] of constants.entries()) print(`  ${constantText(constant, best.exponents[k]!)}`);
  print(`\n${printProgram(program, source.labels).trimEnd()}\n`);
}

function toJson({ source, constants, before, best, candidates, program, spent }: TunedProgram): object {
  const scored = ({ exponents, fitnesses }: typeof best) => ({
    factors: exponents.map((x) => 10 ** x),
    ...summarize(fitnesses),
  });
  return {
    program: source.name,
    labels: source.labels,
    constants: constants.map(({ function: name, index, slot, value }) => ({ function: name, index, slot, value })),
    before: scored(before),
    best: scored(best),
    tuned: printProgram(program, source.labels),
    evaluations: spent,
    trials: candidates.map(({ exponents, fitness }) => ({ factors: exponents.map((x) => 10 ** x), fitness })),
  };
}

async function tunePrograms(names: readonly string[], flags: TuneFlags): Promise<void> {
  const sources = names.map((name) => loadProgram(name, flags.memory));
  if (flags.out !== undefined && sources.length > 1) throw new UserError('--out is for one program');
  const settings: TuneSettings = { ...flags, seed: flags.tuneSeed ?? flags.seed };
  const results = await withJudge(flags, sources, async (judge, tasks) => {
    if (!flags.json) print(`${describeTasks(flags, tasks, flags.epochs)}, ${count(flags.trials, 'trial')} each\n`);
    const tuned: TunedProgram[] = [];
    for (const source of sources) {
      const progress = new Progress();
      const startedAt = performance.now();
      let line = () => `${source.name}: making tasks`;
      progress.hint(line);
      const result = await tune(source.program, source.labels, judge, settings, ({ spent, best }) => {
        const left = ((performance.now() - startedAt) / 1000 / spent) * (flags.trials - spent);
        line = () => {
          const time = left > 1 ? `, about ${duration(left)} left` : '';
          return `${bar(Math.min(1, spent / flags.trials))} ${source.name}: ${Math.round(spent)} of ${flags.trials} trials, best ${best.toFixed(4)}${time}`;
        };
        progress.show(line);
      });
      progress.finish(line);
      tuned.push({ source, ...result });
      if (!flags.json) printTuned({ source, ...result });
    }
    return tuned;
  });
  const [first] = results;
  if (flags.out !== undefined) writeText(flags.out, printProgram(first!.program, first!.source.labels));
  if (flags.json) {
    const { tasks, count: taskCount, seed, trials, method } = flags;
    printJson({ tasks, count: taskCount, seed, trials, method, programs: results.map(toJson) });
  } else if (results.length > 1) {
    print(colors.bold('After tuning'));
    const ranked = [...results].sort((a, b) => b.best.fitness - a.best.fitness);
    for (const { source, best } of ranked) print(`  ${fitnessText(best)}  ${source.name}`);
  }
}

export function addTune(cli: Command): void {
  const command = cli
    .command('tune')
    .description('scale the constants of programs by up to a thousand, each program with the same budget')
    .argument('<PROGRAM...>', PROGRAM_HELP);
  addJudgeOptions(command)
    .option('--trials <N>', 'full evaluations that each program may cost', integer(1, 1_000_000), 100)
    .addOption(
      new Option('--method <M>', "race: many on few examples, then near the best; random: the paper's")
        .choices([...TUNING_METHODS])
        .default('race'),
    )
    .addOption(
      new Option('--fitness <KIND>', 'what counts of the fitnesses on all tasks')
        .choices([...FITNESS_KINDS])
        .default('mean'),
    )
    .option('--tune-seed <N>', 'draws the candidates (default: --seed)', integer(0))
    .option('--out <FILE>', 'write the tuned program to a .alg file')
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action(tunePrograms);
}
