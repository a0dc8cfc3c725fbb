// `evozero eval`: trains and validates a program on tasks and prints its fitness.
import { type Command, Option } from 'commander';
import { labelKind, type Task, TaskError } from '../engine/engine.js';
import { wasmEngine } from '../engine/wasm/engine.js';
import type { WasmEvaluator } from '../engine/wasm/evaluator.js';
import { OutOfMemoryError } from '../engine/wasm/heap.js';
import { summarize } from '../evaluate/summary.js';
import type { Precision } from '../ops/semantics.js';
import { indexProblem, type MemorySizes } from '../program/program.js';
import type { OpenedTasks } from '../tasks/open-tasks.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { integer, MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { bar, colors, Progress, print, printJson } from './output.js';
import { loadProgram, type NamedProgram, PROGRAM_HELP } from './program-argument.js';
import { printScores, type Scores } from './scores.js';
import { printTableReport } from './table-options.js';
import { addTaskOptions, describeTasks, explainDataErrors, openTaskOptions, type TaskOptions } from './task-options.js';

export interface EvalOptions extends TaskOptions {
  readonly epochs: number;
  readonly precision: Precision;
  readonly json?: true;
  readonly memory?: MemorySizes;
}

/** Tasks that are evaluated together: many are faster, few need less memory and show progress earlier. */
const TASKS_AT_ONCE = 10;
const NUMBERS_AT_ONCE = 2 ** 25;

function atOnce({ features, trainCount, validCount }: OpenedTasks): number {
  const numbersOfTask = features * (trainCount + validCount);
  return Math.max(1, Math.min(TASKS_AT_ONCE, Math.floor(NUMBERS_AT_ONCE / numbersOfTask)));
}

/** The fitness on each task, while a line tells how far it is. */
export async function score({ program }: NamedProgram, tasks: OpenedTasks, options: EvalOptions): Promise<Scores> {
  const progress = new Progress();
  const results: number[] = [];
  let stopped = 0;
  let some: Task[] = [];
  const line = () => {
    const [done, all] = [results.length, tasks.count];
    const score = done === 0 ? '' : `, mean fitness ${summarize(results).mean.toFixed(4)}`;
    const making = some.length === 0 ? '' : `, making task ${done + some.length}`;
    return `${bar(done / all)} task ${done} of ${all}${score}${making}`;
  };
  const engine = wasmEngine(options.precision);
  const together = atOnce(tasks);
  try {
    while (results.length < tasks.count) {
      while (some.length < Math.min(together, tasks.count - results.length)) {
        some.push(await tasks.at(results.length + some.length));
        progress.hint(line);
      }
      const evaluator = engine.prepare(some, { epochs: options.epochs });
      try {
        evaluator.run(program);
        results.push(...evaluator.readFitnesses());
        stopped += countStopped(evaluator, tasks, options.epochs);
      } finally {
        evaluator.dispose();
      }
      some = [];
      progress.show(line);
    }
  } catch (error) {
    progress.clear();
    throw error;
  }
  progress.finish(line);
  return { fitnesses: results, stopped };
}

/** Of classes, none right is a score like any other; a program that was ended has not done all training steps. */
function countStopped(evaluator: WasmEvaluator, { loss, trainCount }: OpenedTasks, epochs: number): number {
  const steps = evaluator.readTrainSteps();
  const isStopped = (fitness: number, k: number) =>
    fitness === 0 && (loss === 'rms' || steps[k]! < epochs * trainCount);
  return Array.from(evaluator.readFitnesses()).filter(isStopped).length;
}

async function scoreOrExplain(source: NamedProgram, tasks: OpenedTasks, options: EvalOptions): Promise<Scores> {
  try {
    return await explainDataErrors(() => score(source, tasks, options));
  } catch (error) {
    const isExpected = error instanceof OutOfMemoryError || error instanceof TaskError;
    throw isExpected ? new UserError(`${source.name}: ${error.message}`) : error;
  }
}

/** Whether a program can run on tasks at all. */
function checkProgram({ name, labels, program }: NamedProgram, tasks: OpenedTasks, options: EvalOptions): void {
  const needed = labelKind(tasks.loss);
  if (labels !== needed) {
    const words = { scalar: 'a scalar label (s0)', vector: 'a label vector (v1)' };
    throw new UserError(
      `${name}: learns from ${words[labels]}, and ${printable(options.tasks)} tasks have ${words[needed]}`,
    );
  }
  const problem = indexProblem(program, tasks.features);
  if (problem !== undefined) throw new UserError(`${name}: ${problem}; --features sets their number`);
}

async function evaluate(argument: string, options: EvalOptions): Promise<void> {
  const source = loadProgram(argument, options.memory);
  const tasks = await openTaskOptions(options);
  checkProgram(source, tasks, options);
  if (tasks.report !== undefined && !options.json) printTableReport(tasks.report);
  const scores = await scoreOrExplain(source, tasks, options);
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
  addTaskOptions(
    cli
      .command('eval')
      .description('train and validate a program on tasks and print its fitness (1 is perfect, 0 the worst)')
      .argument('<PROGRAM>', PROGRAM_HELP),
  )
    .option('--epochs <E>', 'passes over the training examples; the best validation counts', integer(1, 100_000), 1)
    .addOption(
      new Option('--precision <P>', 'arithmetic: f32 is faster and less exact').choices(['f64', 'f32']).default('f64'),
    )
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action(evaluate);
}
