// `evozero decouple`: finds scalars that act as hyperparameters and sets them to constants, then compares both programs on the tasks
// and on tasks of other sizes (paper, supplement "Algorithm Selection and Evaluation").
import { type Command, InvalidArgumentError } from 'commander';
import { comparePaired, type Difference, differenceText } from '../analysis/ablate/paired.js';
import {
  type Decoupled,
  decouple,
  MAX_TRIED,
  measureScalars,
  NEARLY_CONSTANT,
  type Scalar,
  type Tried,
} from '../analysis/decouple/decouple.js';
import { type Tuned, tune } from '../analysis/tune/tune.js';
import { MAX_FEATURES } from '../engine/engine.js';
import { summarize } from '../evaluate/summary.js';
import { simplify } from '../program/liveness.js';
import { printProgram } from '../program/print.js';
import { countInstructions } from '../program/program.js';
import { UserError } from './errors.js';
import { addJudgeOptions, type JudgeFlags, withJudge } from './judge-options.js';
import { checkRuns, fitnessText, showProgress } from './measured.js';
import { integer, MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { colors, count, note, print, printJson } from './output.js';
import { loadProgram, type NamedProgram, PROGRAM_HELP } from './program-argument.js';
import { describeTasks } from './task-options.js';
import { writeText } from './write-text.js';

interface DecoupleFlags extends JudgeFlags {
  readonly trials: number;
  readonly tolerance: number;
  readonly alsoFeatures?: readonly number[];
  readonly out?: string;
  readonly memory?: Parameters<typeof loadProgram>[1];
  readonly json?: true;
}

/** Both programs on tasks of one size, each tuned with the same budget. */
interface Comparison {
  readonly features: number;
  readonly before: Tuned;
  readonly after: Tuned;
  readonly gain: Difference;
}

/** Tasks on which the scalars are looked at. */
const LOOKED_AT = 3;
/** By how much the tasks are larger that the programs are compared on, unless said otherwise, and the size that is too slow for that. */
const LARGER = 4;
const LARGEST_DEFAULT = 1024;

function featureList(text: string): number[] {
  return text.split(',').map((part) => integer(2, MAX_FEATURES)(part.trim()));
}

function toleranceOption(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('Expected a number from 0 to 1.');
  return value;
}

function compare(features: number, before: Tuned, after: Tuned): Comparison {
  return { features, before, after, gain: comparePaired(before.best.fitnesses, after.best.fitnesses) };
}

function reasonFor({ isReplaced, isNearlyConstant, loss }: Tried, tolerance: number): string {
  if (loss === undefined) return 'no longer used, once the others are constants';
  const change = `fitness ${differenceText({ ...loss, mean: 0 - loss.mean })}`;
  if (isReplaced) return `${isNearlyConstant ? 'nearly constant' : 'no loss as a constant'}, ${change}`;
  return loss.mean > tolerance ? `kept: ${change}` : `kept: a small but significant loss, ${change}`;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;
}

function printFound({ scalars }: Decoupled, tolerance: number): void {
  print(colors.bold('Scalars that may be hyperparameters'));
  for (const scalar of scalars) {
    const { place, text, value, variation, isReplaced } = scalar;
    const where = `${place.function} ${place.index + 1}: ${text}`;
    print(
      `  ${isReplaced ? colors.green('constant') : 'computed'}  ${where.padEnd(28)} about ${value}, varies by ${percent(variation)}; ${reasonFor(scalar, tolerance)}`,
    );
  }
}

function printComparisons(comparisons: readonly Comparison[]): void {
  print(`\n${colors.bold('features  before             after              gain')}`);
  for (const { features, before, after, gain } of comparisons) {
    const [a, b] = [before, after].map(({ best }) => fitnessText(best).padEnd(18));
    print(`${String(features).padEnd(9)} ${a} ${b} ${differenceText(gain)}`);
  }
}

function toJson(source: NamedProgram, found: Decoupled, comparisons: readonly Comparison[]): object {
  const { labels } = source;
  return {
    program: source.name,
    labels,
    scalars: found.scalars.map(({ loss, ...scalar }) => ({
      ...scalar,
      loss: loss?.mean ?? null,
      interval: loss?.half === undefined ? null : [loss.mean - loss.half, loss.mean + loss.half],
      pValue: loss?.pValue ?? null,
    })),
    before: printProgram(found.before, labels),
    after: printProgram(found.after, labels),
    comparisons: comparisons.map(({ features, before, after, gain }) => ({
      features,
      before: summarize(before.best.fitnesses),
      after: summarize(after.best.fitnesses),
      gain: gain.mean,
      interval: gain.half === undefined ? null : [gain.mean - gain.half, gain.mean + gain.half],
      tunedBefore: printProgram(before.program, labels),
      tunedAfter: printProgram(after.program, labels),
    })),
  };
}

function otherSizes({ alsoFeatures }: DecoupleFlags, features: number): readonly number[] {
  if (alsoFeatures !== undefined) return alsoFeatures.filter((other) => other !== features);
  return LARGER * features <= LARGEST_DEFAULT ? [LARGER * features] : [];
}

function describeCost(scalars: readonly Scalar[], sizes: number, trials: number): string {
  const programs = Math.min(MAX_TRIED, scalars.length) + 1 + 2 * sizes;
  return `${count(scalars.length, 'scalar')} to look at: at most ${count(programs * (trials + 1), 'full evaluation')}`;
}

async function decoupleProgram(name: string, flags: DecoupleFlags): Promise<void> {
  const source = loadProgram(name, flags.memory);
  const { labels } = source;
  const { trials, seed, tolerance } = flags;
  const simplified = simplify(source.program, labels);
  if (countInstructions(simplified) === 0) {
    throw new UserError(`${source.name}: no instruction can reach a prediction, so there is nothing to decouple`);
  }
  const { found, features } = await withJudge(flags, [source], async (judge, tasks) => {
    const looked = await Promise.all(
      Array.from({ length: Math.min(LOOKED_AT, tasks.count) }, (_, index) => tasks.at(index)),
    );
    const scalars = measureScalars(simplified, labels, looked);
    const sizes = scalars.length === 0 ? 0 : otherSizes(flags, tasks.features).length;
    const cost = describeCost(scalars, sizes, trials);
    if (flags.json) note(cost);
    else print(`${describeTasks(flags, tasks, flags.epochs)}\n${cost}\n`);
    const progress = showProgress(source.name);
    const result = await decouple(
      source.program,
      labels,
      scalars,
      judge,
      { trials, seed, tolerance },
      ({ done, total }) => progress.step(done, total),
    );
    progress.finish();
    return { found: result, features: tasks.features };
  });
  checkRuns(source.name, found.tunedBefore.best);
  const isChanged = found.scalars.some(({ isReplaced }) => isReplaced);
  const comparisons = isChanged ? [compare(features, found.tunedBefore, found.tunedAfter)] : [];
  if (!flags.json) {
    if (found.scalars.length === 0)
      print('No scalar acts as a hyperparameter: none is computed from vectors or matrices alone.');
    else printFound(found, tolerance);
  }
  for (const size of isChanged ? otherSizes(flags, features) : []) {
    comparisons.push(
      await withJudge({ ...flags, features: size }, [source], async (judge) => {
        const settings = { method: 'race', trials, seed, fitness: 'mean' } as const;
        const before = await tune(found.before, labels, judge, settings);
        return compare(size, before, await tune(found.after, labels, judge, settings));
      }),
    );
  }
  if (flags.json) printJson(toJson(source, found, comparisons));
  else if (isChanged) {
    print(`\n${printProgram(found.tunedAfter.program, labels).trimEnd()}`);
    printComparisons(comparisons);
  } else if (found.scalars.length > 0) print('\nNothing is decoupled: the program stays as it is.');
  if (flags.out !== undefined) writeText(flags.out, printProgram(found.tunedAfter.program, labels));
}

export function addDecouple(cli: Command): void {
  const command = cli
    .command('decouple')
    .description('find computed scalars that act as hyperparameters, and make them constants that can be tuned')
    .argument('<PROGRAM>', PROGRAM_HELP);
  addJudgeOptions(command)
    .option('--trials <N>', 'full evaluations to tune each program', integer(1, 1_000_000), 30)
    .option('--tolerance <T>', 'loss of fitness to accept', toleranceOption, 0.005)
    .option(
      '--also-features <F,...>',
      'also compare on tasks of these sizes (default: four times the features)',
      featureList,
    )
    .option('--out <FILE>', 'write the decoupled program to a .alg file')
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action(decoupleProgram)
    .addHelpText('after', `\nA scalar that varies by less than ${100 * NEARLY_CONSTANT} % counts as nearly constant.`);
}
