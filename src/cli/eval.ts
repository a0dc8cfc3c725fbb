// `evozero eval`: trains and validates a program on tasks and prints its fitness.
import { type Command, Option } from 'commander';
import { TaskError } from '../engine/engine.js';
import { wasmEngine } from '../engine/wasm/engine.js';
import { OutOfMemoryError } from '../engine/wasm/heap.js';
import { summarize } from '../evaluate/summary.js';
import type { Precision } from '../ops/semantics.js';
import { indexProblem, type MemorySizes } from '../program/program.js';
import { REGRESSION_FAMILIES, type RegressionFamily, regressionTaskAt } from '../tasks/regression.js';
import { UserError } from './errors.js';
import { integer, MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { bar, colors, count, Progress, print, printJson } from './output.js';
import { loadProgram, type NamedProgram, PROGRAM_HELP } from './program-argument.js';

export interface EvalOptions {
  readonly tasks: RegressionFamily;
  readonly features: number;
  readonly count: number;
  readonly train: number;
  readonly valid: number;
  readonly seed: number;
  readonly epochs: number;
  readonly precision: Precision;
  readonly json?: true;
  readonly memory?: MemorySizes;
}

/** A task of more numbers than this does not fit into the memory of most machines. */
const MAX_NUMBERS = 2 ** 28;

/** Tasks that are evaluated together: many are faster, few need less memory and show progress earlier. */
const TASKS_AT_ONCE = 10;
const NUMBERS_AT_ONCE = 2 ** 25;

function atOnce(numbersOfTask: number): number {
  return Math.max(1, Math.min(TASKS_AT_ONCE, Math.floor(NUMBERS_AT_ONCE / numbersOfTask)));
}

/** The fitness on each task, while a line tells how far it is. */
export function fitnesses({ program }: NamedProgram, options: EvalOptions): number[] {
  const { tasks, features, train, valid, seed, epochs } = options;
  if (features * (train + valid) > MAX_NUMBERS) {
    const limit = MAX_NUMBERS.toLocaleString('en-US');
    throw new UserError(
      `--features times the examples (--train and --valid) may be ${limit} at most, to fit into memory`,
    );
  }
  const progress = new Progress();
  const results: number[] = [];
  const line = () => {
    const { mean } = summarize(results);
    const [done, all] = [results.length, options.count];
    return `${bar(done / all)} task ${done} of ${all}, mean fitness ${mean.toFixed(4)}`;
  };
  const engine = wasmEngine(options.precision);
  const taskOptions = { features, trainExamples: train, validExamples: valid };
  const together = atOnce(features * (train + valid));
  for (let first = 0; first < options.count; first += together) {
    const some = Array.from({ length: Math.min(together, options.count - first) }, (_, k) =>
      regressionTaskAt(tasks, taskOptions, seed, first + k),
    );
    const evaluator = engine.prepare(some, { epochs });
    try {
      evaluator.run(program);
      results.push(...evaluator.readFitnesses());
    } finally {
      evaluator.dispose();
    }
    progress.show(line);
  }
  progress.finish(line);
  return results;
}

/** `100 linear tasks (8 features, 1,000 + 100 examples, seed 0)` */
export function describeTasks({ tasks, features, count: n, train, valid, epochs, seed }: EvalOptions): string {
  const examples = `${train.toLocaleString('en-US')} + ${valid.toLocaleString('en-US')} examples`;
  const repeated = epochs === 1 ? '' : `, ${epochs} epochs`;
  return `${count(n, `${tasks} task`)} (${features} features, ${examples}${repeated}, seed ${seed})`;
}

export function printScores(results: readonly number[]): void {
  const { mean, median, std } = summarize(results);
  const row = (name: string, value: number) => print(`  ${name.padEnd(8)} ${value.toFixed(6)}`);
  print(`  ${'mean'.padEnd(8)} ${colors.bold(mean.toFixed(6))}`);
  row('median', median);
  row('std', std);
  row(
    'worst',
    results.reduce((a, b) => Math.min(a, b)),
  );
  row(
    'best',
    results.reduce((a, b) => Math.max(a, b)),
  );
  const stopped = results.filter((fitness) => fitness === 0).length;
  if (stopped > 0)
    print(`  stopped early, by NaN or an error above 100, on ${stopped} of ${count(results.length, 'task')}`);
}

function evaluateOrExplain(source: NamedProgram, options: EvalOptions): number[] {
  try {
    return fitnesses(source, options);
  } catch (error) {
    const isExpected = error instanceof OutOfMemoryError || error instanceof TaskError;
    throw isExpected ? new UserError(`${source.name}: ${error.message}`) : error;
  }
}

function evaluate(argument: string, options: EvalOptions): void {
  const source = loadProgram(argument, options.memory);
  if (source.labels !== 'scalar') {
    throw new UserError(`${source.name}: learns from a label vector, and ${options.tasks} tasks have scalar labels`);
  }
  const problem = indexProblem(source.program, options.features);
  if (problem !== undefined) throw new UserError(`${source.name}: ${problem}; --features sets their number`);
  const results = evaluateOrExplain(source, options);
  if (options.json) {
    const { tasks, features, train, valid, epochs, seed, precision } = options;
    const settings = { features, count: options.count, train, valid, epochs, seed, precision };
    printJson({ program: source.name, tasks, ...settings, ...summarize(results) });
    return;
  }
  print(`${colors.bold(source.name)} on ${describeTasks(options)}`);
  printScores(results);
}

export function addEval(cli: Command): void {
  cli
    .command('eval')
    .description('train and validate a program on tasks and print its fitness (1 is perfect, 0 the worst)')
    .argument('<PROGRAM>', PROGRAM_HELP)
    .addOption(
      new Option('--tasks <TASKS>', 'the kind of tasks')
        .choices(Object.keys(REGRESSION_FAMILIES))
        .makeOptionMandatory(),
    )
    .option('--features <F>', 'features of each example', integer(2, 4096), 8)
    .option('--count <N>', 'number of tasks', integer(1, 100_000), 10)
    .option('--train <N>', 'training examples of each task', integer(1, 1_000_000), 1000)
    .option('--valid <N>', 'validation examples of each task', integer(1, 1_000_000), 100)
    .option('--seed <N>', 'draws the tasks and the random ops', integer(0), 0)
    .option('--epochs <E>', 'passes over the training examples; the best validation counts', integer(1, 100_000), 1)
    .addOption(
      new Option('--precision <P>', 'arithmetic: f32 is faster and less exact').choices(['f64', 'f32']).default('f64'),
    )
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action(evaluate);
}
