// `evozero fit`: evolves, selects, tunes and trains a program on a table, scores it once on rows that nothing has seen, beside a linear
// model and a network, and leaves a model file.
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Command } from 'commander';
import { type Fit, type FitRequest, type FittedProgram, fitTable } from '../analysis/fit/fit.js';
import type { Model } from '../analysis/fit/model.js';
import { differenceText, scoreText } from '../analysis/fit/score-text.js';
import { makeDirectory } from '../data/make-directory.js';
import { describeSystemError } from '../data/system-error.js';
import { MAX_FEATURES } from '../engine/engine.js';
import { LocalField } from '../experiment/local-field.js';
import { coreCount, threadField } from '../islands/thread-field.js';
import { ThreadJudge } from '../judges/thread-judge.js';
import { loadTable, TABLE_HELP, targetOf } from '../models/load-table.js';
import { type ModelFacts, writeModel } from '../models/model-file.js';
import { printProgram } from '../program/print.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { integer } from './options.js';
import { bar, colors, commandLine, count, duration, Progress, print, printJson } from './output.js';
import { explainRunErrors, minutes } from './run-work.js';
import { addTableOptions, printTableReport, type TableFlags, tableOptions } from './table-options.js';
import { version } from './version.js';

interface FitFlags extends TableFlags {
  readonly minutes?: number;
  readonly maxAlgorithms?: number;
  readonly seed: number;
  readonly workers?: number;
  readonly features?: number;
  readonly fromScratch?: true;
  readonly best?: true;
  readonly out?: string;
  readonly json?: true;
}

const DEFAULT_MINUTES = 1;

/** `data/wine.csv` becomes `wine.model.json`, where the user is. */
function modelPath(argument: string): string {
  return `${basename(argument).replace(/\.(csv|tsv)(\.gz)?$/i, '')}.model.json`;
}

/** Before a minute of work, rather than after it. */
function checkPath(path: string): void {
  let isDirectory = false;
  try {
    makeDirectory(dirname(path));
    isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw new UserError(`${printable(path)}: ${describeSystemError(error)}`);
  }
  if (isDirectory) throw new UserError(`${printable(path)}: is a directory; --out names a file`);
}

/** Fits with the threads of this machine, while a line tells how far it is. */
async function fitHere(request: FitRequest, flags: FitFlags): Promise<Fit> {
  const workers = flags.workers ?? coreCount();
  // Without any limit there is a minute; an exact number of algorithms takes as long as it takes.
  const limit = flags.minutes ?? (flags.maxAlgorithms === undefined ? DEFAULT_MINUTES : Number.POSITIVE_INFINITY);
  const progress = new Progress();
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  let line = () => 'reading the table';
  try {
    const fit = await fitTable(request, {
      makeField: (config, openTasks) => threadField(config, openTasks, workers) ?? new LocalField(config, openTasks),
      makeJudge: (tasks) => new ThreadJudge(tasks, { epochs: 1, precision: 'f64' }, workers),
      isOver: () => seconds() >= 60 * limit,
      onSearch: (algorithms, best) => {
        const part = Number.isFinite(limit) ? seconds() / (60 * limit) : algorithms / request.maxAlgorithms!;
        line = () =>
          `${bar(Math.min(1, part))} searching: ${count(algorithms, 'algorithm')}, best fitness ${best.toFixed(4)}`;
        progress.show(line);
      },
      onStage: (stage) => {
        line = () => `${stage}, ${duration(seconds())} so far`;
        progress.show(line);
      },
    });
    progress.finish(() => `fitted in ${duration(seconds())}`);
    return fit;
  } catch (error) {
    progress.clear();
    throw error;
  }
}

type Saved = FittedProgram & { readonly model: Model };

/** The evolved program; or the best by cross-validation, never by the held-out rows. */
function chooseModel({ evolved, baselines }: Fit, isBest: boolean): Saved {
  if (!isBest) return evolved;
  return baselines.reduce<Saved>((best, { model, ...other }) => {
    return model !== undefined && other.crossValidation > best.crossValidation ? { ...other, model } : best;
  }, evolved);
}

function factsOf(fit: Fit, { name, epochs }: Saved, seed: number): ModelFacts {
  const { evolved, baselines, report, algorithms } = fit;
  return {
    evozero: version(),
    name,
    training: { seed, rows: report.trainRows, epochs, algorithms },
    scores: [evolved, ...baselines].map(({ name, epochs, crossValidation, score }) => {
      return { name, epochs, crossValidation, heldOut: score === undefined ? null : jsonScore(score) };
    }),
  };
}

/** With intervals as the schema of model files has them: arrays that are not read-only. */
function jsonScore(score: NonNullable<FittedProgram['score']>): NonNullable<ModelFacts['scores'][number]['heldOut']> {
  return structuredClone(score) as NonNullable<ModelFacts['scores'][number]['heldOut']>;
}

const NAME_WIDTH = 22;

function printFit(fit: Fit, saved: Saved, path: string): void {
  const { report, evolved, baselines, labels } = fit;
  const areClasses = report.target.kind !== 'regression';
  printTableReport(report);
  print(`${count(report.trainRows, 'row')} for everything but the score, ${report.validRows} held out until the end`);
  print(`${count(fit.algorithms, 'algorithm')} searched, ${fit.trials} trials of constants for each of the three\n`);
  print(colors.bold('On the rows held out, with 95 % intervals'));
  for (const [k, { name, score, epochs }] of [evolved, ...baselines].entries()) {
    const line = `  ${name.padEnd(NAME_WIDTH)}${scoreText(score)}, ${count(epochs, 'epoch')}`;
    print(k === 0 ? colors.bold(line) : line);
  }
  print();
  for (const { name, difference } of baselines) print(differenceText(name, difference, areClasses));
  if (fit.sameAs !== undefined) print(`But for its constants the evolved program is the ${fit.sameAs}.`);
  print(`\n${printProgram(evolved.program, labels).trimEnd()}\n`);
  print(`${colors.bold(printable(path))} has ${saved.name}: ${commandLine('predict', path, 'NEW.csv')}`);
}

function toJson(fit: Fit, saved: Saved, path: string, flags: FitFlags): object {
  const { evolved, baselines, labels, report, ...rest } = fit;
  const programJson = ({ name, program, epochs, crossValidation, score }: FittedProgram) => {
    return { name, program: printProgram(program, labels), epochs, crossValidation, heldOut: score ?? null };
  };
  return {
    table: report,
    seed: flags.seed,
    trainRows: report.trainRows,
    heldOutRows: report.validRows,
    algorithms: rest.algorithms,
    trials: rest.trials,
    evolved: { ...programJson(evolved), sameAs: rest.sameAs ?? null },
    baselines: baselines.map((each) => ({ ...programJson(each), difference: each.difference ?? null })),
    model: { path, name: saved.name },
  };
}

async function fitData(argument: string, flags: FitFlags): Promise<void> {
  const target = targetOf(argument, flags.target);
  const path = flags.out ?? modelPath(argument);
  checkPath(path);
  const table = await loadTable(argument, flags.delimiter);
  const options = { ...tableOptions({ ...flags, target })!, ...(flags.features && { features: flags.features }) };
  const { seed, maxAlgorithms, fromScratch = false, workers = coreCount() } = flags;
  const fitted = await fitHere({ table, options, seed, islands: workers, maxAlgorithms, fromScratch }, flags);
  const saved = chooseModel(fitted, flags.best === true);
  try {
    writeModel(path, saved.model, factsOf(fitted, saved, seed));
  } catch (error) {
    throw new UserError(`${printable(path)}: ${describeSystemError(error)}`);
  }
  if (flags.json) printJson(toJson(fitted, saved, path, flags));
  else printFit(fitted, saved, path);
}

export function addFit(cli: Command): void {
  const command = cli
    .command('fit')
    .description('evolve, tune and train a program on a table; scores it on rows held out, and leaves a model file')
    .argument('<DATA>', TABLE_HELP);
  addTableOptions(command)
    .option('--features <F>', 'features of each example (default: from the columns)', integer(2, MAX_FEATURES))
    .option('--minutes <M>', `time for the search (default: ${DEFAULT_MINUTES})`, minutes)
    .option('--max-algorithms <N>', 'end the search after so many algorithms: the same every time', integer(1))
    .option('--seed <N>', 'draws the rows to hold out, the splits and the search', integer(0), 0)
    .option('--workers <N>', 'threads, each with a population (default: all cores)', integer(1, 256))
    .option('--from-scratch', 'begin with empty programs, not with a linear model and a network')
    .option('--best', 'keep the best program by cross-validation, which may be a baseline')
    .option('--out <MODEL>', 'the model file (default: the name of the table, with .model.json)')
    .option('--json', 'print one JSON object')
    .action((argument: string, flags: FitFlags) => explainRunErrors(() => fitData(argument, flags)));
}
